"""Then and after in a browser: ages by keys, heirs by clicks, and on to where their parts are seen."""

import pytest
from playwright.sync_api import Page, expect

from tests.helpers.browser import PHONE, choose, expect_in_link, expect_no_scrolling_sideways, settle, until
from tests.helpers.drawn import named
from viz.pages.why import Why
from viz.pages.why.numbers.after.results import TABLE
from viz.text import LANGUAGES

HEIRS, RESULTS = "why_after_heirs_view", "why_after_results_view"
OFFERED = Why.options("heir")


def open_after(open_page, **link) -> Page:
    return open_page("why", why="after", **link)


def test_the_paper_s_results_and_an_heir_that_leads_to_its_attention(open_page):
    page = open_after(open_page)
    choose(page, "into", "German")

    def german() -> None:
        shown = named(page, RESULTS)
        for each in TABLE["de"]:
            assert f"{each.bleu:.2f} BLEU" in shown[f"{each.name}.{each.kind}"]["tip"]

    until(page, german)
    page.get_by_role("heading", level=1).click()  # a control that has the focus keeps arrows to itself
    page.keyboard.press("ArrowRight")
    expect(page.locator(f".st-key-{HEIRS}")).to_be_visible()
    settle(page)
    page.locator(f'.st-key-{HEIRS} [data-name="gpt"]').click()
    settle(page)
    expect_in_link(page, "age=since", "heir=gpt", "into=de")
    page.get_by_role("button", name="See attention that looks back only").click()
    expect(page.locator(".st-key-heatmap canvas").first).to_be_visible()
    settle(page)
    expect_in_link(page, "page=look", "kind=decoder")


def test_a_telephone_shows_one_heir_and_offers_all(open_page):
    page = open_after(open_page, age="since", heir="vit", screen=PHONE, lang="ko")

    def expect_shown(heir: str) -> None:
        shown = named(page, HEIRS)
        assert {name.partition(".")[0] for name in shown if "." in name} == {heir}
        assert set(OFFERED) <= set(shown) and [name for name in OFFERED if shown[name]["on"]] == [heir]

    until(page, lambda: expect_shown("vit"))
    page.locator(f'.st-key-{HEIRS} [data-name="gpt"]').click()
    until(page, lambda: expect_shown("gpt"))
    settle(page)
    expect_in_link(page, "heir=gpt")
    expect_no_scrolling_sideways(page)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("age", Why.options("age"))
def test_all_of_it_is_on_one_screen(open_page, age, language):
    # Of all heirs, this one has the most said of it, and the most ways on.
    page = open_after(open_page, age=age, heir="t5", lang=language, screen={"width": 1440, "height": 900})
    expect(page.locator(".st-key-panel .drawing[data-painted]")).to_be_visible()
    settle(page)
    expect_no_scrolling_sideways(page)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight <= innerHeight")
