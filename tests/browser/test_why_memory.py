"""Memory as a visitor sees it: the line, a click on a cell, and what memory is worth, on every screen."""

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from model.language.reader import load_reader
from tests.helpers.browser import (
    PHONE,
    click_cell,
    expect_in_link,
    expect_no_scrolling_sideways,
    expect_weights,
    open_export,
    save,
    settle,
    until,
)
from tests.helpers.drawn import formula, said
from viz.pages.why.numbers.memory import TEXTS
from viz.text import translate

MAP, TERMS = "why_memory_view", "why_memory_terms_view"
VIEW = {"why": "memory", "memory_text": "names", "memory_layer": 1, "memory_head": 2}


@pytest.fixture(scope="module")
def reading():
    reader = load_reader()
    before, text = TEXTS["names"]
    return reader.read(reader.ids(before), reader.ids(text))


def test_a_click_on_a_cell_shows_the_four_terms_of_its_score(open_page, reading, tmp_path):
    page = open_page("why", **VIEW)
    expected = np.where(reading.mask, reading.pattern[1, 2], np.nan)
    expect_weights(page, expected, MAP)
    kept = len(reading.remembered)
    line = page.locator(f".st-key-{MAP} .divide").bounding_box()
    grid = page.locator(f".st-key-{MAP} canvas").bounding_box()
    assert line["x"] == pytest.approx(grid["x"] + kept / expected.shape[1] * grid["width"], abs=3)
    click_cell(page, 4, 3, MAP)
    settle(page)
    expect_in_link(page, "memory_row=4", "memory_column=3")
    terms = reading.terms[1, :, 2, 4, 3]

    def shown() -> None:
        np.testing.assert_allclose(
            list(said(page, TERMS).values()), [*terms, terms.sum()], rtol=1e-3, atol=1e-4
        )

    until(page, shown)
    assert f"{terms.sum():.2f}" in formula(page)
    dialog = open_export(page)
    written = save(dialog, "SVG", tmp_path).read_text("utf-8")
    assert "<svg" in written


def test_what_it_is_worth_fits_every_screen(open_page):
    drawn = ".st-key-picture_why_memory_length .drawing[data-painted]"
    wall = open_page("why", why="memory", present="on", memory_view="worth", until=drawn)
    expect_no_scrolling_sideways(wall)
    korean = translate("ko")
    phone = open_page("why", screen=PHONE, lang="ko", why="memory", memory_view="worth", until=drawn)
    expect_no_scrolling_sideways(phone)
    expect(phone.get_by_text(korean("export.why_memory_place"))).to_be_visible()


def test_a_telephone_shows_the_map_and_its_words(open_page):
    page: Page = open_page("why", screen=PHONE, until=f".st-key-{MAP} canvas", **VIEW)
    expect_no_scrolling_sideways(page)
    expect(page.locator(f".st-key-{MAP} .divide")).to_be_visible()
