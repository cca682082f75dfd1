"""The head view in a browser: pointing, keeping, the keyboard, and the heatmap beside it."""

import re
import time

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.helpers.browser import settle
from tests.helpers.pictures import say, told
from viz.figures.palette import THEMES
from viz.state.picture import Picture, picture
from viz.state.selection import Selection
from viz.state.session import EXAMPLE

CHOSEN = Selection(kind="encoder", layer=1, head=(1,))
LINK = "/?kind=encoder&layer=1&head=1"
FRAME = ".st-key-heatmap .frames div"
GRID = ".st-key-heatmap canvas"
COUNT = """() => {
  const send = WebSocket.prototype.send;
  window.sent = 0;
  WebSocket.prototype.send = function (...message) { window.sent++; return send.apply(this, message); };
}"""


@pytest.fixture(scope="module")
def shown(translator) -> Picture:
    return picture(translator.trace(EXAMPLE), CHOSEN, say)


@pytest.fixture
def look(open_app):
    """The Look page with its head view drawn."""

    def visit(link: str = LINK, **screen: object) -> Page:
        page = open_app(link, **screen)
        expect(words(page, "left").first).to_be_visible()
        return page

    return visit


def words(page: Page, side: str):
    return page.locator(f".st-key-head_view .{side} .word")


def status(page: Page):
    return page.locator(".st-key-head_view .status")


def cell(page: Page, row: int, column: int, shown: Picture) -> tuple[float, float]:
    """The middle of a cell of the heatmap."""
    box, (rows, columns) = page.locator(GRID).bounding_box(), shown.combined.shape
    return (
        box["x"] + box["width"] * (column + 0.5) / columns,
        box["y"] + box["height"] * (row + 0.5) / rows,
    )


def expect_frame(page: Page, row: int | None, column: int | None, shown: Picture) -> None:
    """Wait until the one frame on the heatmap is around this row, this column or this cell."""
    deadline = time.monotonic() + 30
    while not framed(page, row, column, shown):
        assert time.monotonic() < deadline
        page.wait_for_timeout(50)


def framed(page: Page, row: int | None, column: int | None, shown: Picture) -> bool:
    frames, grid = page.locator(FRAME).all(), page.locator(GRID).first.bounding_box()
    if len(frames) != 1 or not grid:
        return False
    rows, columns = shown.combined.shape
    high, wide = grid["height"] / rows, grid["width"] / columns
    return frames[0].bounding_box() == {
        "x": pytest.approx(grid["x"] + (column or 0) * wide, abs=5),
        "y": pytest.approx(grid["y"] + (row or 0) * high, abs=5),
        "width": pytest.approx(grid["width"] if column is None else wide, abs=5),
        "height": pytest.approx(grid["height"] if row is None else high, abs=5),
    }


def point_at(page: Page, side: str, place: int, shown: Picture) -> None:
    """Rest on a word until the heatmap frames it; where the page moves under the pointer, find it again."""
    row, column = (place, None) if side == "left" else (None, place)
    for _ in range(20):
        words(page, side).nth(place).hover()
        page.wait_for_timeout(200)
        if framed(page, row, column, shown):
            return
    pytest.fail(f"no frame around the {'row' if side == 'left' else 'column'} {place}")


def test_pointing_at_a_word_tells_where_it_looks_without_asking_the_server(look, shown):
    page = look()
    row = 3
    page.evaluate(COUNT)
    point_at(page, "left", row, shown)
    expect(status(page)).to_have_text(told(row, int(shown.combined[row].argmax()), shown))
    written = [text for text in words(page, "right").locator(".number").all_text_contents() if text]
    expected = [weight for weight in shown.combined[row] if weight >= 0.01]
    np.testing.assert_allclose([float(text) for text in written], expected, atol=5.1e-4)  # three digits
    assert all(re.fullmatch(r"[01]\.\d{3}", text) for text in written)
    column = 5
    point_at(page, "right", column, shown)
    expect(status(page)).to_have_text(told(int(shown.combined[:, column].argmax()), column, shown))
    page.mouse.move(2, 2)
    expect(status(page)).to_have_text(say("head_view.hint"))
    expect(page.locator(FRAME)).to_have_count(0)
    assert page.evaluate("window.sent") == 0


def test_what_the_head_view_points_at_stays_framed_when_the_heatmap_is_drawn_in_another_size(look, shown):
    page = look()
    point_at(page, "left", 3, shown)
    before = page.locator(GRID).first.bounding_box()["width"]
    page.locator(".st-key-heatmap .heat-map").evaluate("map => map.style.width = '70%'")
    deadline = time.monotonic() + 10
    while page.locator(GRID).first.bounding_box()["width"] > before - 50:
        assert time.monotonic() < deadline
        page.wait_for_timeout(50)
    expect_frame(page, 3, None, shown)


def test_a_click_keeps_a_word_in_the_link_and_a_click_or_escape_lets_it_go(look, shown):
    page = look()
    words(page, "left").nth(2).click()
    expect(page).to_have_url(re.compile("row=2"))
    settle(page)
    page.mouse.move(2, 2)
    expect(words(page, "left").nth(2)).to_have_attribute("aria-selected", "true")
    expect(status(page)).to_have_text(told(2, int(shown.combined[2].argmax()), shown))
    expect_frame(page, 2, None, shown)
    words(page, "left").nth(2).click()
    expect(page).not_to_have_url(re.compile("row="))
    words(page, "right").nth(4).click()
    expect(page).to_have_url(re.compile("column=4"))
    page.keyboard.press("Escape")
    expect(page).not_to_have_url(re.compile("column="))
    expect(words(page, "right").nth(4)).to_have_attribute("aria-selected", "false")


def test_a_link_opens_with_its_word_kept_and_framed(look, shown):
    page = look(f"{LINK}&row=6")
    expect(words(page, "left").nth(6)).to_have_class(re.compile("kept"))
    expect(status(page)).to_have_text(told(6, int(shown.combined[6].argmax()), shown))
    expect_frame(page, 6, None, shown)


def test_a_cell_of_the_heatmap_speaks_to_the_head_view_also_after_it_was_drawn_anew(look, shown):
    page = look()
    for layer in (1, 2):
        if layer == 2:
            page.locator(".st-key-layer").get_by_role("radio", name="3", exact=True).click()
            settle(page)
        for _ in range(20):  # a pointer that comes while the map is drawn is not seen: it comes again
            page.mouse.move(2, 2)
            page.mouse.move(*cell(page, 4, 7, shown))
            page.wait_for_timeout(200)
            if "on" in words(page, "left").nth(4).get_attribute("class").split():
                break
        expect(words(page, "left").nth(4)).to_have_class(re.compile(r"\bon\b"))
        expect(words(page, "right").nth(7)).to_have_class(re.compile(r"\bon\b"))
        expect(status(page)).to_contain_text(f"{shown.queries[4]} → {shown.keys[7]}: ")
        if layer == 1:
            expect(status(page)).to_have_text(told(4, 7, shown))
        page.mouse.move(2, 2)
        expect(status(page)).to_have_text(say("head_view.hint"))
    page.mouse.click(*cell(page, 4, 7, shown))  # on to how this weight came about
    expect(page).to_have_url(re.compile("page=inside.*row=4&column=7"))


def test_everything_can_be_done_from_the_keyboard(look, shown):
    page = look()
    words(page, "left").first.focus()
    page.keyboard.press("ArrowDown")
    expect(words(page, "left").nth(1)).to_be_focused()
    expect(status(page)).to_have_text(told(1, int(shown.combined[1].argmax()), shown))
    assert words(page, "left").nth(1).evaluate("word => getComputedStyle(word).outlineStyle") == "solid"
    page.keyboard.press("ArrowRight")
    expect(words(page, "right").nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(words(page, "right").last).to_be_focused()
    last = len(shown.keys) - 1
    expect(status(page)).to_have_text(told(int(shown.combined[:, last].argmax()), last, shown))
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"column={last}"))
    settle(page)
    expect(words(page, "right").last).to_be_focused()
    page.keyboard.press("Escape")
    expect(page).not_to_have_url(re.compile("column="))
    stops = page.locator(".st-key-head_view .word[tabindex='0']")
    expect(stops).to_have_count(2)


def test_several_heads_have_a_chip_each_and_a_double_click_shows_one_alone(look, translator):
    page = look("/?kind=encoder&layer=1&head=0,2,5")
    chips = page.locator(".st-key-head_view .chip")
    expect(chips).to_have_text(["1", "3", "6"])
    several = picture(translator.trace(EXAMPLE), Selection(kind="encoder", layer=1, head=(0, 2, 5)), say)
    words(page, "left").nth(3).hover()
    expect(status(page)).to_have_text(told(3, int(several.combined[3].argmax()), several))
    chips.nth(1).dblclick()
    expect(chips).to_have_text(["3"])
    expect(page).to_have_url(re.compile("head=2(&|$)"))


def test_the_table_has_every_number(look, shown):
    page = look()
    table = page.locator(".st-key-head_view details")
    expect(table.locator("td")).to_have_count(0)
    table.locator("summary").click()
    expect(table.locator("th[scope=col]")).to_have_text(list(shown.keys))
    expect(table.locator("th[scope=row]")).to_have_text(list(shown.queries))
    written = table.locator("td").all_text_contents()[1:]
    assert {len(number) for number in written} == {5}
    # A weight travels to 1e-5, so one that lies between two numbers of three digits may fall on either.
    np.testing.assert_allclose([*map(float, written)], shown.combined.ravel(), rtol=0, atol=5.1e-4)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_narrow_screen_and_is_drawn_in_both_schemes(look, scheme):
    page = look(width=390, height=844, scheme=scheme, locale="ko-KR")
    for part in page.locator(".st-key-head_view .word, .st-key-head_view .lines").all():
        box = part.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    ink = page.locator(".st-key-head_view canvas.all").evaluate(
        """canvas => {
             const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
             let strongest = 0, at = 0;
             for (let i = 3; i < pixels.length; i += 4)
               if (pixels[i] > strongest) strongest = pixels[(at = i)];
             return [...pixels.slice(at - 3, at)];
           }"""
    )
    hue = THEMES[scheme].heads[1]
    np.testing.assert_allclose(ink, tuple(bytes.fromhex(hue[1:])), atol=12)
