"""Big and small screens: a telephone shows a picture at once, and its controls fold into a sheet."""

import pytest
from playwright.sync_api import Page, expect

from tests.helpers.app import PAGES
from tests.helpers.browser import (
    DRAWN,
    PHONE,
    choose,
    expect_in_link,
    expect_no_scrolling_sideways,
    expect_within_screen,
    korean,
    say,
    settle,
    until,
)

HANDLE = ".st-key-drawer label"
# Every drawing of ours is on a canvas or is one large svg; small ones are icons of buttons.
PICTURES = "canvas, .drawing svg, .js-plotly-plot svg"


def first_picture(page: Page) -> float:
    """How far below the top of the screen the first picture begins."""
    places = [".st-key-panel", ".st-key-aside"]
    found = page.locator(", ".join(f"{place} :is({PICTURES})" for place in places))
    boxes = filter(None, (each.bounding_box() for each in found.all()))
    return min(box["y"] for box in boxes if min(box["width"], box["height"]) >= 30)


@pytest.mark.parametrize("page", PAGES)
def test_on_a_telephone_the_first_picture_begins_on_the_first_screen(open_page, page):
    shown = open_page(page, until=DRAWN.get(page, ".st-key-panel"), screen=PHONE)
    expect_no_scrolling_sideways(shown)
    handle = shown.locator(HANDLE).bounding_box()
    assert bool(handle) == (shown.locator(".st-key-controls").count() > 0)
    end = handle["y"] if handle else PHONE["height"]
    until(shown, lambda: first_picture_above(shown, end - 40))


def first_picture_above(page: Page, edge: float) -> None:
    top = first_picture(page)
    assert top < edge, f"it begins at {top:.0f} of {edge:.0f}"


def test_the_sheet_holds_the_controls_says_what_is_chosen_and_stays_open(open_page):
    page = open_page(kind="cross", layer=1, head=1, screen=PHONE)
    handle, kinds = page.locator(HANDLE), page.locator(".st-key-kind")
    short = korean("head.name", kind=korean("kind.short.cross"), layer=2, head=2)
    expect(handle).to_contain_text(short)
    expect(kinds).not_to_be_visible()
    handle.click()
    expect_within_screen(page, page.locator(".st-key-controls button"))
    choose(page, "layer", "4")
    expect_in_link(page, "layer=3")
    expect(handle).to_contain_text(korean("head.name", kind=korean("kind.short.cross"), layer=4, head=2))
    expect(kinds).to_be_visible()  # what was chosen does not fold it
    handle.click()
    expect(kinds).not_to_be_visible()


def test_the_menu_leads_to_every_page_and_folds_on_arrival(open_page):
    page = open_page(screen=PHONE | {"locale": "en-US"})
    links = page.locator(".st-key-pages > [data-testid=stElementContainer]").get_by_role("link")
    expect(links.first).not_to_be_visible()
    page.locator(".st-key-menu label").click()
    expect(links).to_have_count(len(PAGES))
    expect_within_screen(page, links)
    expect(page.locator(".st-key-share")).to_be_visible()
    links.filter(has_text=say("layers.short")).click()
    expect(page.locator(DRAWN["layers"]).first).to_be_visible()
    settle(page)
    expect(links.first).not_to_be_visible()
    expect(page.locator(".st-key-menu label")).to_have_text(say("layers.short"))


def test_a_wide_screen_shows_pages_and_controls_without_folding(open_app):
    page = open_app()
    expect(page.locator(".st-key-pages").get_by_role("link").first).to_be_visible()
    for key in ("kind", "layer", "head", "share", "checks"):
        expect(page.locator(f".st-key-{key}").first).to_be_visible()
    for key in ("drawer", "menu"):
        expect(page.locator(f".st-key-{key} label")).not_to_be_visible()
