"""Tiles in a browser: only one is coloured, clicks and keys lead on, the end is what the model computed."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.helpers.browser import (
    PHONE,
    expect_in_link,
    expect_no_scrolling_sideways,
    open_export,
    save,
    settle,
    until,
)
from tests.helpers.drawn import formula, named

TEXT = "The boy didn't buy the shirt because it was too small."
TABLE, COURSE = "why_tiles_view", "why_tiles_course_view"
HEAD = {"kind": "decoder", "layer": 1, "head": 2}


@pytest.fixture(scope="module")
def trace(translator):
    return translator.trace(TEXT)


def open_tiles(open_page, **link) -> Page:
    painted = f".st-key-{COURSE} .drawing[data-painted]"
    return open_page("why", why="tiles", until=painted, **({"s": TEXT} | HEAD | link))


def expect_now(page: Page, tile: str) -> None:
    def framed() -> None:
        assert [name for name, mark in named(page, TABLE).items() if mark.get("on")] == [f"tile.{tile}"]

    until(page, framed)


def weights(page: Page) -> dict[tuple[int, int], float]:
    """Row and column of each cell that exists, with its e^(score − m)."""
    cells = {name: mark["tip"] for name, mark in named(page, TABLE).items() if name.startswith("cell.")}
    places = {tuple(map(int, name.split(".")[1:])): tip for name, tip in cells.items()}
    return {place: float(tip.rpartition("= ")[2]) for place, tip in places.items() if "= " in tip}


def test_cells_keys_clicks_and_the_end(open_page, trace, tmp_path):
    page = open_tiles(open_page, row=9, tile=0)
    expect_now(page, "2.0")
    scores = trace.scores["decoder"][1, 2]
    for (row, column), weight in weights(page).items():
        assert 8 <= row < 12 and column < 4
        assert weight == pytest.approx(np.exp(scores[row, column] - scores[row, :4].max()), abs=1e-3)
    page.keyboard.press("ArrowRight")
    expect_now(page, "2.1")
    page.locator(f'.st-key-{TABLE} [data-name="tile.1.0"]').click()
    expect_now(page, "1.0")
    settle(page)
    expect_in_link(page, "row=4", "tile=0")
    page.locator(f'.st-key-{TABLE} [data-name="row.9"]').click()
    expect_now(page, "2.0")
    page.locator(f'.st-key-{COURSE} [data-name="line.3"]').click()
    settle(page)
    expect(page.locator(".st-key-panel")).to_contain_text("Only now O is divided")
    mixed = trace.mixed["decoder"][1, 2, 9]
    end = [float(number) for number in re.findall(r"-?\d+\.\d+", formula(page).rpartition("=")[2])]
    np.testing.assert_allclose(end, mixed[: len(end)], atol=6e-3)
    lines = save(open_export(page), "CSV", tmp_path).read_text("utf-8-sig")
    assert "rescale" in lines and "weights" in lines


def test_a_wall_steps_with_keys_and_changes_the_head(open_page):
    page = open_tiles(open_page, row=9, tile=1, present="on", screen={"width": 1920, "height": 1080})
    expect_now(page, "2.1")
    page.keyboard.press("ArrowRight")
    expect_now(page, "2.2")
    page.keyboard.press("4")
    settle(page)
    expect_in_link(page, "head=3")
    expect_no_scrolling_sideways(page)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight <= innerHeight")


def test_a_telephone_shows_the_same_tile(open_page):
    page = open_tiles(open_page, row=9, tile=1, screen=PHONE, lang="ko")
    expect_now(page, "2.1")
    expect_no_scrolling_sideways(page)
