"""What is chosen in a view of our own stands in the link as well: another visitor sees it."""

from playwright.sync_api import Page, expect

from tests.helpers.browser import (
    click_cell,
    expect_in_link,
    say,
    settle,
    weights,
)

LONG = " ".join(["The boy reads a book and the girl sings a song"] * 14) + "."


def address(page: Page) -> str:
    """What another visitor is given: path and parameters."""
    return page.evaluate("location.pathname + location.search")


def maps(page: Page):
    return page.locator(".head-grid .cell")


def sift(page: Page, least: float) -> None:
    slider = page.locator(".head-grid .filter input")
    slider.focus()
    slider.fill(str(least))
    slider.dispatch_event("change")
    settle(page)


def test_the_heads_that_a_filter_leaves(open_page, open_app):
    page = open_page("all_heads", s="She sings.", measure="previous")
    every = maps(page).count()
    sift(page, 0.4)
    expect_in_link(page, "only=previous:0.40|only=previous%3A0.40")
    left = maps(page).count()
    assert 0 < left < every
    other = open_app(address(page), until=".head-grid .cell")
    expect(maps(other)).to_have_count(left)
    expect(other.locator(".head-grid .filter .says")).to_contain_text("0.40")
    sift(other, 0.0)
    expect(maps(other)).to_have_count(every)
    other.locator(".st-key-undo button").click()
    expect(maps(other)).to_have_count(left)
    # Another page and back: the browser has a new grid, and is told again.
    sift(page, 0.2)
    seen = maps(page).count()
    page.locator(".st-key-pages").get_by_role("link", name=say("layers.short"), exact=True).click()
    expect(page.get_by_role("heading", name=say("layers.title"))).to_be_visible()
    settle(page)
    page.locator(".st-key-pages").get_by_role("link", name=say("all_heads.short"), exact=True).click()
    expect(maps(page)).to_have_count(seen)


def test_painted_cells(open_page, open_app):
    link = {"chart": "detector", "rule": "painted", "kind": "encoder", "s": "She sings."}
    page = open_page("atlas", until=".st-key-paint canvas", **link)
    click_cell(page, 1, 2, key="paint")
    click_cell(page, 0, 1, key="paint")
    expect_in_link(page, "painted=0.1(,|%2C)1.2")
    other = open_app(address(page), until=".st-key-detector svg")
    painted = weights(other, "paint")
    assert painted[1, 2] == painted[0, 1] == 1 and painted[0, 0] == 0


def test_a_sentence_that_is_too_long_for_inside_keeps_its_link(open_page):
    page = open_page(s=LONG, kind="encoder", layer=1, head=2)
    page.locator(".st-key-pages").get_by_role("link", name=say("inside.short"), exact=True).click()
    expect(page.get_by_text(say("inside.long"))).to_be_visible()
    settle(page)
    expect_in_link(page, "page=inside", "kind=encoder", "layer=1", "head=2", r"s=The\+boy.*")
    page.reload()
    expect(page.get_by_text(say("inside.long"))).to_be_visible()
    expect_in_link(page, "page=inside", "kind=encoder", r"s=The\+boy.*")
