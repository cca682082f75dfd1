"""Watch heads form, as a visitor sees it: it trains by itself, can be stopped, changed and taken home."""

import io
import json
import re

import numpy as np
from PIL import Image
from playwright.sync_api import Page, expect

from model.training.toys.lesson import Lesson
from model.training.toys.recipe import Recipe
from tests.helpers.browser import (
    PHONE,
    act_until_visible,
    expect_in_link,
    expect_no_scrolling_sideways,
    expect_within_screen,
    korean,
    open_export,
    save,
    say,
    settle,
    until,
)

DRAWN = ".st-key-view_forming_heads .drawing[data-painted]"
LONG = 90_000  # milliseconds: the machine may be busy


def open_forming(open_page, **link: object) -> Page:
    return open_page("training", until=DRAWN, training="forming", **link)


def marks(page: Page, view: str, begins: str) -> list[dict]:
    return page.locator(f".st-key-view_{view} .drawing").first.evaluate(
        "(view, begins) => view.shown.marks.filter((mark) => mark.name?.startsWith(begins))", begins
    )


def step(page: Page) -> int:
    return int(re.search(r"\d+", marks(page, "forming_heads", "step.0")[0]["text"])[0])


def expect_end(page: Page) -> None:
    expect(page.locator(".st-key-forming_play button")).to_have_text(say("forming.play"), timeout=LONG)


def test_it_trains_by_itself_and_the_film_is_that_of_the_link(open_page):
    page = open_forming(open_page, toy="own", toy_pairs="a = b | c d = d c", toy_seed=3)
    first = step(page)
    until(page, lambda: np.testing.assert_array_less(first, step(page)))
    expect_end(page)
    film = Lesson(Recipe(task="own", seed=3, pairs="a = b\nc d = d c"))
    frames = [*film.frames()]
    tips = [mark["tip"] for mark in marks(page, "forming_curves", "moment.1.")]
    assert len(tips) == len(frames)
    assert all(f"{frame.loss:.2f}" in tip for frame, tip in zip(frames, tips, strict=True))
    page.locator('.st-key-view_forming_curves [data-name="moment.1.4"]').click(force=True)
    expect_in_link(page, "toy_moment=4")
    until(page, lambda: np.testing.assert_equal(step(page), frames[4].step))
    page.get_by_role("button", name="◀").click()
    expect_in_link(page, "toy_moment=3")
    page.locator(".st-key-forming_play button").click()
    until(page, lambda: np.testing.assert_array_less(frames[5].step, step(page)))


def test_a_head_is_switched_off_while_it_trains(open_page):
    page = open_forming(open_page, toy="reverse")
    page.locator('.st-key-view_forming_heads [data-name="head.cross.0.1"]').click()
    expect_in_link(page, r"toy_off=\d+\.9")
    off = page.locator('.st-key-view_forming_heads [data-name="head.cross.0.1"][aria-pressed="true"]')
    expect(off).to_be_visible(timeout=LONG)
    since = int(re.search(r"toy_off=(\d+)\.9", page.url)[1])
    assert since > 1 and step(page) >= since  # it went on and did not begin anew
    page.locator(".st-key-forming_play button").click()
    settle(page)
    expect_in_link(page, r"toy_moment=\d+")
    paused = step(page)
    page.wait_for_timeout(1500)
    assert step(page) == paused


def test_a_click_on_the_mark_of_a_true_word_switches_the_head_under_it(open_page):
    page = open_forming(open_page, toy="grammar", toy_moment=1)
    view = page.locator(".st-key-view_forming_heads .drawing").first
    square = view.locator('rect[fill="none"]:not(.pick)').first.bounding_box()
    page.mouse.click(square["x"] + 1, square["y"] + square["height"] / 2)
    expect_in_link(page, r"toy_off=\d+\.8")


def test_the_film_can_be_taken_home(open_page, tmp_path):
    page = open_forming(open_page, toy="own", toy_pairs="a = b | c d = d c", toy_seed=3)
    expect_end(page)
    settle(page)
    dialog = open_export(page)
    arrays = np.load(save(dialog, "NPZ", tmp_path), allow_pickle=False)
    assert len(arrays["loss"]) == len(arrays["maps_cross"]) == len(arrays["steps"]) > 20
    assert arrays["loss"][0] > arrays["loss"][-1]
    moving = Image.open(io.BytesIO(save(dialog, "GIF", tmp_path).read_bytes()))
    assert moving.format == "GIF" and moving.n_frames > 60


def test_a_list_that_is_too_long_stays_in_its_box_and_says_so(open_page):
    page = open_forming(open_page, toy="own", toy_pairs="a = b | c d = d c", toy_seed=3)
    expect_end(page)
    box, long = page.locator(".st-key-forming_typed textarea"), "a = b\n" * 300
    box.fill(long)
    box.press("Control+Enter")
    expect(page.get_by_test_id("stAlert")).to_contain_text(say("forming.refused.kept"))
    expect(box).to_have_value(long)
    expect(page.locator(DRAWN)).to_be_visible()


def test_two_trainings_on_a_telephone_in_korean_and_dark(open_page):
    page = open_forming(
        open_page, toy="own", toy_pairs="a = b | c d = d c", toy_seed=3, toy_beside="norm", lang="ko",
        screen=PHONE,
    )  # fmt: skip
    expect(page.locator(".st-key-panel")).to_contain_text(korean("forming.without.norm"), timeout=LONG)
    until(page, lambda: np.testing.assert_equal(len(marks(page, "forming_heads", "map.cross.0.0")), 2))
    expect_no_scrolling_sideways(page)
    assert json.dumps(marks(page, "forming_curves", "moment.1.0"), ensure_ascii=False).count("스텝") > 0
    act_until_visible(
        page.locator(".st-key-forming_settings button").click, page.locator(".st-key-toy_layers")
    )
    for field in ("toy_layers", "toy_positions", "toy_changed"):
        expect_within_screen(page, page.locator(f".st-key-{field} button"))
        page.locator(f".st-key-{field} button").first.scroll_into_view_if_needed()
        expect(page.locator(f".st-key-{field} button").first).to_be_in_viewport()
