"""How far a word reaches, in a browser: bars are the norms of the networks, hops can be stepped through."""

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from model.rivals.rival import load_rival
from tests.helpers.browser import (
    PHONE,
    choose,
    expect_in_link,
    expect_no_scrolling_sideways,
    open_export,
    say,
    settle,
    until,
)
from tests.helpers.drawn import marks, named
from viz.pages.why.figures.reach.measured import TALL
from viz.pages.why.numbers.reach import LANES

TEXT = "The woman who lives near the river bought some bread."
MEASURED, HOPS = "picture_reach_measured", "picture_reach_hops"
NETWORKS = {"recurrent": "recurrent", "convolutional": "convolutional", "attention": "transformer"}


@pytest.fixture
def panel(open_page):
    def visit(ready: str = MEASURED, **link: object) -> Page:
        page = open_page("why", **{"s": TEXT, "why": "reach", **link})
        expect(page.locator(f".st-key-{ready} .drawing[data-painted]")).to_be_visible()
        return page

    return visit


def test_bars_are_what_each_network_does_to_the_word_that_was_clicked(panel):
    page = panel()
    page.locator(f".st-key-{MEASURED} [data-name='recurrent.2']").click()
    settle(page)
    expect_in_link(page, "reach_word=2")
    for depth, layer in (("last", -1), ("first", 0)):
        for kind, name in NETWORKS.items():
            row = load_rival(name).reach(TEXT)[layer, 2]
            expected = TALL * row / np.delete(row, 2).max()
            until(page, lambda kind=kind, expected=expected: _bars(page, kind, expected))
        if depth == "last":
            choose(page, "reach_depth", say("reach_depth.first"))
    expect_no_scrolling_sideways(page)


def test_a_path_is_stepped_through_hop_by_hop(panel):
    page = panel(HOPS, reach_view="hops", reach_from=0, reach_to=6)
    for taken in (1, 2):
        page.get_by_role("button", name=say("why.reach.step")).click()
        settle(page)
        until(page, lambda taken=taken: _taken(page, {"recurrent": taken, "attention": 1}))
    page.keyboard.press("ArrowRight")
    until(page, lambda: _taken(page, {"recurrent": 3, "attention": 1}))
    expect_in_link(page, "reach_hop=3")
    before = named(page, HOPS)["restricted.count"]["text"]
    page.get_by_role("slider").nth(2).press("ArrowRight")
    settle(page)
    until(page, lambda: _is_other(page, before))
    page.locator(f".st-key-{HOPS} [data-name='attention.8']").click()
    settle(page)
    expect_in_link(page, "reach_to=8")
    until(page, lambda: _taken(page, {"recurrent": 8, "attention": 1}))
    dialog = open_export(page)
    expect(dialog.get_by_text(say("export.why_reach_hops")).first).to_be_visible()


def test_on_a_telephone_in_korean_nothing_scrolls_sideways(panel):
    for view, key in (("measured", MEASURED), ("hops", HOPS)):
        page = panel(key, screen=PHONE, reach_view=view, lang="ko")
        expect_no_scrolling_sideways(page, view)
        sheet = page.locator(f".st-key-{key} svg").bounding_box()
        assert sheet["x"] >= 0 and sheet["x"] + sheet["width"] <= PHONE["width"]


def _bars(page: Page, kind: str, expected: np.ndarray) -> None:
    found = named(page, MEASURED)
    highs = [found[f"{kind}.bar.{place}"]["high"] for place in range(len(expected)) if place != 2]
    np.testing.assert_allclose(highs, np.delete(expected, 2), atol=0.15)


def _taken(page: Page, expected: dict[str, int]) -> None:
    drawn = marks(page, HOPS)
    for lane in LANES:
        arcs = [mark for mark in drawn if mark.get("name", "").startswith(f"{lane}.hop.")]
        if lane in expected:
            assert sum("dash" not in arc for arc in arcs) == expected[lane]


def _is_other(page: Page, before: str) -> None:
    assert named(page, HOPS)["restricted.count"]["text"] != before
