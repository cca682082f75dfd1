"""All heads in a browser: what is drawn and hovered is what the model used, by mouse, key or finger."""

import re
from contextlib import closing
from io import BytesIO

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from model.network.kinds import KINDS
from tests.helpers.browser import (
    PHONE,
    expect_in_link,
    expect_no_scrolling_sideways,
    expect_within_screen,
    middle_of_cell,
    say,
    settle,
)
from tests.helpers.server import launch
from viz.figures.labels import readable
from viz.state.session import EXAMPLE

PIXELS = """canvas => {
  const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return { width, height, alpha: Array.from({ length: width * height }, (_, i) => data[4 * i + 3]),
           light: Array.from({ length: width * height }, (_, i) => data[4 * i] + data[4 * i + 1]) };
}"""

EDGE = 0.02  # of a device pixel


def cell(page: Page, kind: str, place: int) -> Locator:
    return page.locator(f".cell[data-block='{list(KINDS).index(kind)}'][data-map='{place}']")


def point(page: Page, kind: str, place: int, row: int, column: int, shape: tuple[int, int]) -> str:
    """Point at one weight of one small map and read what the enlargement says."""
    page.mouse.move(*middle_of_cell(cell(page, kind, place).locator("canvas"), row, column, shape))
    expect(page.locator(".panel")).to_be_visible()
    return page.locator(".reading").text_content()


def test_hovering_reads_the_weight_the_model_used(open_page, translator):
    page, trace = open_page("all_heads"), translator.trace(EXAMPLE)
    labels = {
        "encoder": (trace.source.pieces, trace.source.pieces),
        "decoder": (trace.target.predicted, trace.target.read),
        "cross": (trace.target.predicted, trace.source.pieces),
    }
    for kind, (rows, columns) in labels.items():
        layers, heads, *shape = trace.attention[kind].shape
        for layer, head in [(0, 0), (layers - 1, heads - 1), (1, 2)]:
            pattern = trace.attention[kind][layer, head]
            row, column = map(int, np.unravel_index(pattern.argmax(), pattern.shape))
            words, _, number = point(page, kind, layer * heads + head, row, column, shape).rpartition(": ")
            pair = f"{readable(rows[row], say)} → {readable(columns[column], say)}"
            assert words == f"{say(f'kind.{kind}')} {layer + 1}·{head + 1} · {pair}"
            assert re.fullmatch(r"\d\.\d{4}", number)
            assert float(number) == pytest.approx(pattern[row, column], abs=1e-4)
    later = point(page, "decoder", 0, 0, 3, trace.attention["decoder"].shape[2:])
    assert later.endswith(say("all_heads.masked"))
    page.keyboard.press("Escape")
    expect(page.locator(".panel")).to_be_hidden()


def test_every_small_map_is_drawn_in_the_right_cells(open_page, translator):
    """Darker where the weight is larger, and empty where a row may not look."""
    page, trace = open_page("all_heads"), translator.trace(EXAMPLE)
    for kind, place in [("encoder", 0), ("decoder", 9), ("cross", 13)]:
        heads = translator.config.heads
        weights = trace.attention[kind][place // heads, place % heads]
        mask = trace.mask[kind][place // heads, place % heads]
        drawn = cell(page, kind, place).locator("canvas").evaluate(PIXELS)
        size = (drawn["height"], drawn["width"])
        alpha, light = (np.array(drawn[name]).reshape(size) for name in ("alpha", "light"))
        rows, columns = weights.shape
        middle = np.ix_(
            [int((row + 0.5) * size[0] / rows) for row in range(rows)],
            [int((column + 0.5) * size[1] / columns) for column in range(columns)],
        )
        np.testing.assert_array_equal(alpha[middle] > 0, mask)
        ordered = light[middle][mask][np.argsort(weights[mask])]
        assert (np.diff(ordered) <= 1).all()  # a rounding of one channel


def test_a_click_opens_the_head_in_look_and_keeps_no_cell(open_page, translator):
    """A small map is aimed at as a whole: whichever cell was under the pointer says nothing."""
    page, trace = open_page("all_heads", row=2, column=1), translator.trace(EXAMPLE)
    point(page, "cross", translator.config.heads + 2, 3, 4, trace.attention["cross"].shape[2:])
    page.mouse.down()
    page.mouse.up()
    expect(page.get_by_role("heading", name=say("look.title"))).to_be_visible()
    settle(page)
    expect_in_link(page, "kind=cross", "layer=1", "head=2")
    assert "row=" not in page.url and "column=" not in page.url
    expect(page.locator(".st-key-head_view .status")).to_have_text(say("head_view.hint"))


@pytest.mark.parametrize("sharpness", [1, 1.25])
def test_wherever_the_pointer_is_the_painted_cell_under_it_is_read(browser, app_url, translator, sharpness):
    """Between pixels too: the map lies on whole pixels of the screen, the layout and the mouse need not."""
    place, pieces = 2 * translator.config.heads, translator.trace(EXAMPLE).source.pieces
    words = [readable(piece, say) for piece in pieces]
    # Playwright's own factor only stretches the picture; the screen of a laptop has another grid of pixels.
    flags = f"--force-device-scale-factor={sharpness}", "--window-size=1602,1200"
    with closing(launch(browser.browser_type, *flags)) as sharp:
        page = sharp.new_context(locale="en-US", no_viewport=True).new_page()
        page.goto(f"{app_url}/?page=all_heads")
        small = cell(page, "encoder", place).locator("canvas")
        expect(small).to_be_visible()
        settle(page)
        expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
        drawn = small.evaluate(PIXELS)
        colours = np.array(drawn["light"]).reshape(drawn["height"], drawn["width"])
        box, seen = small.bounding_box(), np.asarray(Image.open(BytesIO(page.screenshot())).convert("RGB"))
        rng, wrong = np.random.default_rng(0), []
        for across, down in rng.uniform(0.02, 0.98, (40, 2)):
            x, y = box["x"] + across * box["width"], box["y"] + down * box["height"]
            if any(abs(at * sharpness - round(at * sharpness)) < EDGE for at in (x, y)):
                continue  # on the very line between two pixels, which browsers round as they like
            page.mouse.move(x, y)
            expect(page.locator(".panel")).to_be_visible()
            read = page.locator(".reading").text_content().rpartition(": ")[0].rpartition(" · ")[2]
            row, column = map(words.index, read.split(" → "))
            painted = seen[int(y * sharpness), int(x * sharpness)].astype(int)
            down, across = (int((at + 0.5) * len(colours) / len(words)) for at in (row, column))
            if abs(painted[0] + painted[1] - colours[down, across]) > 1:
                wrong.append((x, y, read))
        assert not wrong


def test_no_label_of_the_enlargement_is_cut_off(open_page, translator):
    sentence = "We had not seen such an extraordinarily complicated recommendation"
    page = open_page("all_heads", s=sentence, kind="encoder")
    pieces = [readable(piece, say) for piece in translator.read(sentence).pieces]
    longest = max(range(len(pieces)), key=lambda place: len(pieces[place]))
    point(page, "encoder", 0, longest, longest, (len(pieces), len(pieces)))
    inked = """canvas => {
      const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const ink = (x, y) => data[4 * (y * width + x) + 3] > 0;
      const rows = [...Array(height).keys()], columns = [...Array(width).keys()];
      return [rows.some(y => ink(0, y)), columns.some(x => ink(x, 0)), columns.some(x => ink(x, height - 1))];
    }"""
    for canvas in ("enlarged", "crosshair"):
        assert page.locator(f".{canvas}").evaluate(inked) == [False, False, False]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_what_is_written_under_the_maps_is_written_whole(open_page, language):
    page = open_page("all_heads", lang=language)
    page.locator(".head-grid").evaluate("grid => { grid.style.fontFamily = 'monospace'; }")  # as wide as any
    names = page.locator(".cell .named")
    assert names.count() > 3
    for name in names.all():
        assert name.evaluate("name => name.scrollHeight <= name.clientHeight + 1"), name.text_content()
        assert name.evaluate("name => name.scrollWidth <= name.clientWidth + 1"), name.text_content()


def test_the_keyboard_moves_between_heads_and_opens_one(open_page):
    page = open_page("all_heads", kind="encoder", layer=0, head=1)
    cell(page, "encoder", 1).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    here = page.locator(".cell:focus")
    heads = page.locator(".block").first.locator(".head").count()
    expect(here).to_have_attribute("data-map", str(heads + 2))
    expect(page.locator(".reading")).to_contain_text("2·3")
    assert here.evaluate("cell => getComputedStyle(cell).outlineStyle") == "solid"
    for _ in range(heads - 2):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".cell:focus")).to_have_attribute("data-block", "1")
    page.keyboard.press("Escape")
    expect(page.locator(".panel")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=say("look.title"))).to_be_visible()
    settle(page)
    expect_in_link(page, "kind=decoder")


def test_sorting_orders_by_the_measure_and_the_filter_leaves_the_strong_ones(open_page):
    page = open_page("all_heads", measure="previous")
    block = page.locator(".block").first
    values = [float(text) for text in block.locator(".value").all_text_contents()]
    assert values == sorted(values, reverse=True)
    cross = page.locator(".block").last
    assert set(cross.locator(".value").all_text_contents()) == {"–"}
    page.locator(".filter input").fill("0.2")
    left = [float(text) for text in block.locator(".value").all_text_contents()]
    assert 0 < len(left) < len(values) and left == values[: len(left)]
    assert left[-1] >= 0.195 and values[len(left)] < 0.205  # two digits are shown; the filter knows more
    expect(cross.locator(".nothing")).to_have_text(say("all_heads.nothing"))


def test_the_table_says_the_same_to_those_who_cannot_see_it(open_page, translator):
    page = open_page("all_heads")
    page.get_by_text(say("all_heads.table")).click()
    shape = translator.trace(EXAMPLE).attention["cross"].shape
    expect(page.locator("tbody tr")).to_have_count(3 * shape[0] * shape[1])
    expect(page.locator("tbody th").last).to_have_text(f"{say('kind.cross')} {shape[0]}·{shape[1]}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_narrow_screen_a_tap_enlarges_and_a_second_one_opens(open_page, browser, app_url, scheme):
    page = open_page("all_heads", screen=PHONE | {"scheme": scheme})
    expect_no_scrolling_sideways(page)
    expect_within_screen(page, page.locator(".cell canvas"))

    with browser.new_context(has_touch=True, viewport={"width": 390, "height": 844}) as context:
        phone = context.new_page()
        phone.goto(f"{app_url}/?page=all_heads")
        expect(phone.locator(".head-grid .cell").first).to_be_visible()
        settle(phone)
        small = cell(phone, "decoder", 3)
        small.scroll_into_view_if_needed()
        phone.wait_for_timeout(300)  # scrolling closes the enlargement, and ends a little late
        small.locator("canvas").tap()
        expect(phone.locator(".how")).to_have_text(say("all_heads.touch", look=say("look.short")))
        expect_within_screen(phone, phone.locator(".panel"))
        small.locator("canvas").tap()
        expect(phone.get_by_role("heading", name=say("look.title"))).to_be_visible()
