"""Big and small screens: pictures fill a wall and keys choose; a telephone shows a picture at once."""

import pytest
from playwright.sync_api import Page, expect

from tests.helpers.app import PAGES
from tests.helpers.browser import (
    DRAWN,
    PHONE,
    act_until_visible,
    choose,
    expect_in_link,
    expect_no_scrolling_sideways,
    expect_within_screen,
    korean,
    say,
    settle,
    until,
)
from viz.state.session import EXAMPLE

WALL = {"width": 1920, "height": 1080}
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


def test_on_a_wall_look_fills_the_screen_under_one_line(open_page, translator):
    page = open_page("look", until=DRAWN[None], kind="cross", layer=3, head=5, present="on", screen=WALL)
    views = [page.locator(f".st-key-{key}").bounding_box() for key in ("head_view", "heatmap")]
    covered = sum(box["width"] * min(box["height"], WALL["height"] - box["y"]) for box in views)
    assert covered >= 0.6 * WALL["width"] * WALL["height"]
    line = page.locator("p.headline")
    shown = (EXAMPLE, translator.translate(EXAMPLE).text, head_name("cross", 4, 6))
    for words in shown:
        expect(line).to_contain_text(words)
    letters = line.evaluate("line => parseFloat(getComputedStyle(line).fontSize)")
    assert line.bounding_box()["height"] < 2 * letters  # however long the sentence
    assert line.bounding_box()["y"] + line.bounding_box()["height"] < 100
    expect_no_scrolling_sideways(page)


def test_on_a_wall_all_heads_are_large_and_all_on_the_screen(open_page):
    page = open_page("all_heads", present="on", screen=WALL)
    boxes = [each.bounding_box() for each in page.locator(".head-grid .cell canvas").all()]
    assert min(max(box["width"], box["height"]) for box in boxes) >= 100
    assert max(box["y"] + box["height"] for box in boxes) <= WALL["height"]
    expect_no_scrolling_sideways(page)


def test_on_a_wall_the_picture_of_a_step_is_larger_than_its_formula(open_page):
    page = open_page("inside", step="product", present="on", screen=WALL)
    box, formula = (
        page.locator(f".st-key-panel {it}").bounding_box() for it in (".drawing svg", ".katex-display")
    )
    assert box["width"] > 0.55 * WALL["width"] > formula["width"]
    assert box["height"] > 0.55 * WALL["height"]


def test_keys_choose_kind_layer_and_head_on_a_wall_and_only_there(open_page):
    page = open_page("look", until=DRAWN[None], kind="encoder", layer=1, head=0, present="on", screen=WALL)
    head, heading = page.locator("p.headline b"), page.get_by_role("heading", name=say("look.title"))
    second = head.filter(has_text=head_name("encoder", 3, 1))
    act_until_visible(lambda: page.keyboard.press("ArrowDown"), second)
    for key, shown in [
        ("ArrowUp", ("encoder", 2, 1)),
        ("ArrowUp", ("encoder", 1, 1)),
        ("ArrowUp", ("encoder", 1, 1)),  # there is none above
        ("5", ("encoder", 1, 5)),
        ("ArrowRight", ("encoder", 1, 6)),
        ("k", ("decoder", 1, 6)),
        ("k", ("cross", 1, 6)),
        ("k", ("encoder", 1, 6)),
    ]:
        page.keyboard.press(key)
        settle(page)
        expect(head).to_contain_text(head_name(*shown))
    expect_in_link(page, "kind=encoder", "layer=0", "head=5")
    page.keyboard.press("Escape")
    expect(head).to_have_count(0)
    settle(page)
    page.keyboard.press("3")
    page.keyboard.press("k")
    page.locator(".st-key-sentence input").press("End")
    page.keyboard.type(" 4 k")
    settle(page)
    expect(heading).to_be_visible()
    expect_in_link(page, "kind=encoder", "layer=0", "head=5")


def head_name(kind: str, layer: int, head: int) -> str:
    return say("head.name", kind=say(f"kind.short.{kind}"), layer=layer, head=head)


def test_a_wide_screen_is_used(open_app):
    page = open_app("/?page=look", **WALL)
    left, right = (page.locator(f".st-key-{key}").bounding_box() for key in ("head_view", "heatmap"))
    assert right["x"] + right["width"] - left["x"] > 0.9 * WALL["width"]
    assert right["height"] > 0.45 * WALL["height"]


@pytest.mark.parametrize("locale", ["en-US", "ko-KR"])
def test_the_names_of_steps_stay_inside_their_boxes(open_page, locale):
    page = open_page("inside", step="add", screen={"width": 1280, "height": 900, "locale": locale})
    texts, boxes = (page.locator(f".st-key-strip svg {each}") for each in ("text", "rect.pick"))
    widest = max(box.bounding_box()["width"] for box in boxes.all())
    assert all(text.bounding_box()["width"] < widest for text in texts.all())
