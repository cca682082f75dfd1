"""The opening in a browser: five steps on the real page, and whoever types has ended it."""

import re

from playwright.sync_api import Page, expect

from tests.helpers.browser import (
    act_until_gone,
    act_until_visible,
    expect_in_link,
    say,
    settle,
    translation,
    until,
    write,
)
from viz.state.session import EXAMPLE

TOLD = ".st-key-opening .told p"


def on(page: Page) -> None:
    told = page.locator(TOLD)
    before = told.text_content()

    def moved() -> None:
        assert not told.count() or told.text_content() != before

    page.locator(".st-key-opening_next button").click()
    until(page, moved)
    settle(page)


def test_a_newcomer_is_led_to_switch_a_head_off(open_app, translator):
    page = open_app()
    expect(page.locator(TOLD)).to_have_text(re.compile("English.*French"))
    ids = page.locator(".st-key-opening .ids i")
    act_until_visible(lambda: page.keyboard.press("Enter"), ids.first)
    settle(page)
    expect(ids).to_have_text([str(id) for id in translator.read(EXAMPLE).ids])
    page.keyboard.press("ArrowRight")
    settle(page)
    expect(page.locator(TOLD)).to_contain_text("96")
    expect(page.locator(".st-key-head_view .words .kept")).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    settle(page)
    expect(ids.first).to_be_visible()
    on(page), on(page)
    told = page.locator(TOLD).text_content()
    row = page.locator(".st-key-head_view .left .kept .text").text_content()
    assert f"“{row.removeprefix('·')}”" in told, "the row that is spoken of is the one that is chosen"
    on(page)
    expect(page.locator(".changed")).to_have_count(0)
    expect_in_link(page, "opening=5")
    on(page)
    before, after = (page.locator(f".changed.{name}") for name in ("was", "now"))
    expect(before).to_have_text(translator.translate(EXAMPLE).text)
    assert before.text_content() != after.text_content()
    expect(after.locator("mark").first).to_be_visible()
    page.locator(".st-key-opening_own button").click()
    settle(page)
    expect(page.locator(TOLD)).to_have_count(0)
    box = page.locator(".st-key-sentence input")
    expect(box).to_be_focused()
    page.keyboard.type("She is here.")  # in place of what stood there
    expect(box).to_have_value("She is here.")
    assert "opening" not in page.url


def test_typing_or_choosing_ends_it_and_escape_does(open_app, translator):
    page = open_app()
    write(page, "They have never seen the sea.")
    expect(page.locator(TOLD)).to_have_count(0)
    expect(translation(page)).to_have_text(translator.translate("They have never seen the sea.").text)
    expect(page.get_by_role("heading", name=say("look.title"))).to_be_in_viewport()
    page = open_app()
    page.locator(".st-key-layer").get_by_role("radio", name="2", exact=True).click()
    settle(page)
    expect(page.locator(TOLD)).to_have_count(0)
    page = open_app()
    expect(page.locator(TOLD)).to_be_visible()
    act_until_gone(lambda: page.keyboard.press("Escape"), page.locator(TOLD))


def test_a_link_shows_what_it_says(open_app):
    page = open_app("/?kind=encoder")
    expect(page.locator(TOLD)).to_have_count(0)
    page = open_app("/?opening=4")
    expect(page.locator(".st-key-head_view .left .kept")).to_have_count(1)
    page.locator(".st-key-opening_skip button").click()
    settle(page)
    expect(page.locator(TOLD)).to_have_count(0)
