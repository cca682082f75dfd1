"""The film as a visitor sees it: it plays, is scrubbed by hand and keys, and named heads lead to moments."""

import io

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from model.checkpoint import find
from model.training.film import read_film
from tests.helpers.browser import (
    PHONE,
    expect_in_link,
    expect_no_scrolling_sideways,
    expect_within_screen,
    open_export,
    save,
    say,
    settle,
    until,
)
from viz.figures.palette import LIGHT
from viz.figures.scales import pixels

DRAWN = ".film[data-painted]"


@pytest.fixture(scope="module")
def film():
    return read_film(find("en-fr") / "film.npz")


def shown(page: Page) -> float:
    return page.locator(".film").evaluate("film => film.shown.at")


MIDDLES = """(canvas, [rows, columns]) => {
  const pen = canvas.getContext("2d"), wide = canvas.width / columns, high = canvas.height / rows;
  const colour = (row, column) => [...pen.getImageData((column + 0.5) * wide, (row + 0.5) * high, 1, 1).data];
  const count = (many) => [...Array(many).keys()];
  return count(rows).map((row) => count(columns).map((column) => colour(row, column)));
}"""
COUNT = """() => {
  const send = WebSocket.prototype.send;
  window.sent = 0;
  WebSocket.prototype.send = function (...data) {
    window.sent++;
    return send.apply(this, data);
  };
}"""


def cells(page: Page, shape: tuple[int, ...]) -> np.ndarray:
    """The colours in the middle of the cells of the large map."""
    return np.array(page.locator(".film .cells canvas").evaluate(MIDDLES, shape))[..., :3]


def expect_moment(page: Page, film, moment: int, number: int = 1) -> None:
    """The recorded map of this head and the words of this moment are on screen."""
    weights = film[f"cross.{number}"][moment, 3, 5] / 255

    def drawn() -> None:
        assert shown(page) == moment
        assert abs(cells(page, weights.shape) - pixels(weights, LIGHT)).max() <= 1

    until(page, drawn)
    step = say("training.film.recorded", step=f"{film['steps'][moment]:,}")
    expect(page.locator(".film .now")).to_have_text(step)
    text = film["translations"][moment][number]
    expect(page.locator(".film .written")).to_have_text(text if len(text) < 160 else text[:160] + "…")


def test_scrubbing_shows_the_recorded_maps_and_words_of_a_moment(open_page, film):
    page = open_page("training", until=DRAWN, kind="cross", layer=3, head=5, filmed=1, film_at=0)
    expect_moment(page, film, 0)
    page.locator(".film .track").press("ArrowRight")
    page.locator(".film .track").press("End")
    last = len(film["steps"]) - 1
    expect_in_link(page, f"film_at={last}")
    expect_moment(page, film, last)
    strips = page.locator(".film .strips").bounding_box()
    ticks = page.locator(".film .moments i")
    there = ticks.nth(16).bounding_box()["x"]
    page.mouse.move(strips["x"] + strips["width"] - 2, strips["y"] + 20)
    page.mouse.down()
    page.mouse.move((there + ticks.nth(17).bounding_box()["x"]) / 2, strips["y"] + 20)
    assert shown(page) == pytest.approx(16.5, abs=0.2)  # between two recorded moments
    blended = say("training.film.between", **{"from": "397", "to": "578"})
    expect(page.locator(".film .now")).to_have_text(blended)
    page.mouse.move(there + 1, strips["y"] + 20)
    page.mouse.up()
    expect_in_link(page, "film_at=16")
    expect_moment(page, film, 16)
    page.keyboard.press("ArrowLeft")  # wherever the focus is
    expect_in_link(page, "film_at=15")
    expect_moment(page, film, 15)


def test_it_plays_by_itself_without_asking_the_server_and_pauses_at_a_recorded_moment(open_page, film):
    page = open_page("training", until=DRAWN, kind="cross", layer=3, head=5, filmed=1)
    root = page.locator(".film")
    expect(root).to_have_attribute("data-playing", "true")
    settle(page)
    page.evaluate(COUNT)
    before, painted = shown(page), int(root.get_attribute("data-painted"))
    page.wait_for_timeout(1500)
    assert shown(page) > before and int(root.get_attribute("data-painted")) - painted > 15
    assert page.evaluate("window.sent") == 0
    page.keyboard.press(" ")
    expect(root).to_have_attribute("data-playing", "false")
    moment = round(shown(page))
    assert shown(page) == moment
    expect_in_link(page, f"film_at={moment}")
    page.get_by_role("button", name=say("decoding.steps.play")).click()
    expect(root).to_have_attribute("data-playing", "true")


def test_a_named_head_leads_to_the_moment_it_appears(open_page):
    page = open_page("training", until=DRAWN, kind="encoder", layer=0, head=0, film_at=2)
    entry = page.locator(".film .named button").last
    step = entry.locator("small").text_content()
    expect(entry).not_to_have_class("there")
    entry.click()
    expect_in_link(page, "kind=(cross|decoder)")
    expect(page.locator(".film .now")).to_have_text(say("training.film.recorded", step=step))
    expect(page.locator(".film .named button.there.here")).to_have_count(1)
    page.locator(".film .heads button").nth(2).click()
    expect_in_link(page, "head=2")
    expect(page.locator(".film .heads button").nth(2)).to_have_attribute("aria-pressed", "true")


def test_a_presenter_s_clicker_goes_from_moment_to_moment(open_page):
    page = open_page("training", until=DRAWN, film_at=12, present="on")
    settle(page)
    page.keyboard.press("PageDown")
    page.keyboard.press("ArrowRight")
    expect_in_link(page, "film_at=14", "present=on")
    page.keyboard.press("PageUp")
    expect_in_link(page, "film_at=13")


def test_who_wants_no_motion_sees_the_end_and_jumps(browser, app_url):
    with browser.new_context(reduced_motion="reduce", locale="en-US") as context:
        page = context.new_page()
        page.goto(f"{app_url}/?page=training&kind=cross&layer=3&head=5")
        page.wait_for_selector(DRAWN)
        expect(page.locator(".film")).to_have_attribute("data-playing", "false")
        assert shown(page) == page.locator(".film .moments i").count() - 1
        strips = page.locator(".film .strips").bounding_box()
        page.mouse.move(strips["x"] + 300, strips["y"] + 10)
        page.mouse.down()
        for more in range(0, 60, 7):
            page.mouse.move(strips["x"] + 300 + more, strips["y"] + 10)
            assert shown(page) % 1 == 0
        page.mouse.up()


def test_the_film_is_taken_home(open_page, film, tmp_path):
    page = open_page("training", until=DRAWN, kind="cross", layer=3, head=5, filmed=1, film_at=16)
    settle(page)
    dialog = open_export(page)
    moving = Image.open(io.BytesIO(save(dialog, "GIF", tmp_path).read_bytes()))
    assert moving.format == "GIF" and moving.n_frames > len(film["steps"])
    numbers = np.load(save(dialog, "NPZ", tmp_path), allow_pickle=False)
    np.testing.assert_array_equal(numbers["weights"], film["cross.1"][:, 3, 5] / 255)
    assert int(numbers["moment"]) == 16 and len(numbers["named_heads"]) == len(numbers["named_from_step"])


def test_it_fits_a_telephone_in_korean_and_dark(open_page):
    page = open_page("training", until=DRAWN, lang="ko", film_at=17, filmed=6, screen=PHONE)
    expect_no_scrolling_sideways(page)
    for part in ("map", "track", "heads", "named", "play", "now"):
        expect_within_screen(page, page.locator(f".film .{part}"))
