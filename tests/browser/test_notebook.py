"""What a notebook shows, in a browser without a network: the page in its frame, or the still picture."""

import re

import pytest
from playwright.sync_api import Page, expect

from viz.notebook import PAGES, show


@pytest.fixture(scope="module")
def trace(translator):
    return translator.trace("The cat sleeps near the door.")


@pytest.fixture
def open_cell(open_file, tmp_path):
    """A page that holds the output of one cell, as notebooks put it between others."""

    def visit(shown) -> Page:
        html = shown._repr_mimebundle_()["text/html"]
        file = tmp_path / "notebook.html"
        file.write_text(f"<!doctype html><meta charset=utf-8>{html}<p id=after>after</p>", "utf-8")
        return open_file(file)

    return visit


def test_pointing_at_a_word_reads_the_number_of_the_run(open_cell, trace):
    page = open_cell(show(trace, kind="cross", layer=3, head=5))
    frame = page.frame_locator("iframe.headlight")
    expect(page.locator("img")).to_be_hidden()
    frame.locator("#view .left .word").nth(1).hover()
    weight = trace.attention["cross"][3, 5, 1, 1]
    expect(frame.locator("#view .status")).to_have_text(re.compile(f"chat.*cat.*{weight:.4f}"))


@pytest.mark.parametrize("name", PAGES)
def test_the_frame_is_as_tall_as_its_page(name, open_cell, trace, translator):
    page = open_cell(show(trace, name, translator=translator))
    frame = page.locator("iframe.headlight")
    expect(frame).to_have_css("opacity", "1")
    view = "#view .head-view canvas, #view .head-grid canvas, #view .drawing[data-painted]"
    expect(page.frame_locator("iframe.headlight").locator(view).first).to_be_visible()
    inside = page.frames[1]
    page.wait_for_timeout(300)
    assert inside.evaluate("document.documentElement.scrollHeight - innerHeight") <= 1
    after = page.locator("#after").bounding_box()["y"]
    assert frame.bounding_box()["height"] <= after


def test_a_click_leads_from_step_to_step(open_cell, trace):
    page = open_cell(show(trace, "inside"))
    frame = page.frame_locator("iframe.headlight")
    expect(frame.locator("#view .sheet:not([hidden])")).to_have_attribute("data-name", "product")
    frame.locator('#view .menu [data-name="softmax"]').click()
    expect(frame.locator("#view .sheet:not([hidden])")).to_have_attribute("data-name", "softmax")
    expect(frame.locator("#view .sheet:not([hidden]) .drawing[data-painted]")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(frame.locator("#view .sheet:not([hidden])")).to_have_attribute("data-name", "mix")


def test_without_scripts_the_still_picture_stays(browser, trace, tmp_path):
    file = tmp_path / "notebook.html"
    file.write_text(show(trace)._repr_mimebundle_()["text/html"], "utf-8")
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    expect(page.locator("img")).to_be_visible()
    expect(page.locator("iframe")).to_have_css("opacity", "0")
    context.close()
