"""How far a word reaches: hops are shortest paths, fields are what can change, all is said as drawn."""

from collections import deque
from itertools import product

import numpy as np
import pytest

import model.rivals.rival as room
from tests.helpers.app import open_app, write
from tests.helpers.rivals import write_rivals
from viz.figures.svg import width
from viz.pages.why import Why
from viz.pages.why.figures.reach.hops import Path, drawn_hops
from viz.pages.why.figures.reach.measured import Measured, measured
from viz.pages.why.numbers.reach import LANES, Sizes, by_distance, fades, farthest, hops, radius, span
from viz.state import rivals as state
from viz.text import LANGUAGES, translate

say = translate("en")
TEXT = "The dog sees the old bridge."
ALL_SIZES = [Sizes(*each) for each in product((3, 5, 7), (1, 2, 3), (3, 5, 9))]
WORDS = [f"word{place}" for place in range(30)]


@pytest.fixture
def rivals(tmp_path, monkeypatch):
    """The app shows five tiny networks instead of those that ship."""
    kept = [each for each in vars(state).values() if hasattr(each, "clear") and callable(each)]
    found = write_rivals(tmp_path)
    monkeypatch.setattr(room, "FOLDER", str(tmp_path))
    for cached in kept:
        cached.clear()
    yield found
    for cached in kept:
        cached.clear()


def fewest_layers(lane: str, distance: int, sizes: Sizes) -> int:
    """By trying every tap of every layer, breadth first."""
    layer, reached = 0, {0}
    while distance not in reached:
        gap = sizes.dilation**layer if lane == "dilated" else 1
        half = ((sizes.window if lane == "restricted" else sizes.kernel) - 1) // 2
        reached = {place + gap * tap for place in reached for tap in range(-half, half + 1)}
        layer += 1
    return layer


@pytest.mark.parametrize("sizes", ALL_SIZES, ids=str)
def test_hops_arrive_and_no_path_is_shorter(sizes):
    for lane, distance in product(LANES, range(31)):
        made = hops(lane, distance, sizes)
        assert sum(made) == distance
        if lane in ("convolutional", "dilated", "restricted"):
            assert len(made) == fewest_layers(lane, distance, sizes)
            gaps = [sizes.dilation**layer if lane == "dilated" else 1 for layer in range(len(made))]
            assert all(hop % gap == 0 for hop, gap in zip(made, gaps, strict=True))
            assert all(abs(hop) <= sizes.step(lane, layer) for layer, hop in enumerate(made))


@pytest.mark.parametrize("sizes", ALL_SIZES[:6], ids=str)
def test_a_field_is_what_graphs_of_layers_connect(sizes):
    for lane, layers in product(("convolutional", "dilated", "restricted"), range(1, 4)):
        seen, waiting = {15}, deque([(15, layers)])
        while waiting:
            place, left = waiting.popleft()
            if left:
                gap = sizes.dilation ** (left - 1) if lane == "dilated" else 1
                half = sizes.step(lane, left - 1) // gap
                for tap in range(-half, half + 1):
                    waiting.append((place + gap * tap, left - 1))
            else:
                seen.add(place)
        inside = {place for place in seen if 0 <= place < 31}
        assert inside == set(span(lane, layers, 15, 31, sizes)), (lane, layers)


def test_recurrence_and_attention_see_all_after_one_layer():
    for lane in ("recurrent", "attention"):
        assert radius(lane, 0, ALL_SIZES[0]) == 0
        assert list(span(lane, 1, 3, 9, ALL_SIZES[0])) == list(range(9))


def test_what_could_not_reach_a_word_does_not_change_it(rivals):
    """The field that is drawn against the change that is measured: beyond it, nothing but rounding."""
    config, found = rivals["convolutional"].config, rivals["convolutional"].reach(TEXT)
    sizes, count = Sizes(config.kernel, 1, 1), found.shape[-1]
    for layer, at in product(range(len(found)), range(count)):
        field = span("convolutional", layer + 1, at, count, sizes)
        outside = [place for place in range(count) if place not in field]
        assert np.allclose(found[layer, at, outside], 0, atol=1e-4 * found[layer, at].max())
        assert (found[layer, at, list(field)] > 0).all()
    for name in ("recurrent", "transformer"):
        assert (rivals[name].reach(TEXT) > 0).all()


def test_what_a_finding_is_made_of():
    table = np.array([[9.0, 2, 1], [2, 9, 2], [1, 2, 9]])
    assert by_distance(table).tolist() == [9, 2, 1]
    assert fades(table, 2) == 2 and farthest(table) == 2
    near = np.where(table == 1, 0, table)
    assert fades(near, 2) is None and farthest(near) == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ends", [(0, 29), (29, 0), (3, 4), (7, 7)])
@pytest.mark.parametrize("taken", [None, 0, 2])
def test_a_path_is_drawn_hop_by_hop_and_stays_on_its_sheet(language, ends, taken):
    sizes = Sizes(3, 2, 5)
    drawn = drawn_hops(WORDS, Path(*ends, taken, 3, 0), sizes, translate(language))
    for sheet in (drawn, drawn.narrow):
        names = [mark.get("name", "") for mark in sheet.marks]
        for lane in LANES:
            made = hops(lane, abs(ends[1] - ends[0]), sizes)
            arcs = [mark for mark in sheet.marks if mark.get("name", "").startswith(f"{lane}.hop.")]
            assert len(arcs) == len(made)
            over = len(made) if taken is None else min(taken, len(made))
            assert sum("dash" not in arc for arc in arcs) == over
            assert f"{lane}.count" in names
            for arc in arcs:
                assert all(0 <= x <= sheet.wide and 0 <= y <= sheet.high for x, y in arc["points"])
        for mark in sheet.marks:
            if mark["shape"] == "text" and "turn" not in mark and mark.get("anchor") is None:
                assert mark["x"] + 0.9 * width(mark["text"], mark.get("size", 12), None) <= sheet.wide


def test_what_was_measured_is_drawn_at_its_height():
    rng = np.random.default_rng(0)
    table = rng.random((30, 30)) + 0.1
    found = [Measured(kind, table, 0, 2, range(10, 20)) for kind in ("recurrent", "attention")]
    drawn = measured(found, WORDS, 12, say)
    for sheet in (drawn, drawn.narrow):
        bars = {
            int(mark["name"].rpartition(".")[2]): mark["high"]
            for mark in sheet.marks if mark.get("name", "").startswith("recurrent.bar.")
        }  # fmt: skip
        shown = sorted(bars)
        assert 12 in shown
        others = np.delete(table[12], 12).max()
        for place in shown:
            if place != 12:
                assert bars[place] == pytest.approx(58 * table[12, place] / others, abs=0.1)
        picks = {mark["pick"] for mark in sheet.marks if mark.get("pick") is not None}
        assert picks == set(shown)


def test_the_page_says_what_three_networks_do_and_keys_have_places(rivals):
    app = open_app("why", why="reach", s=TEXT)
    finding = app.text[-1].value
    for kind, name in (
        ("recurrent", "recurrent"),
        ("convolutional", "convolutional"),
        ("attention", "transformer"),
    ):
        assert say(f"why.cost.{kind}") in finding
        assert rivals[name].reach(TEXT).shape[0] == rivals[name].config.layers
    assert say("why.reach.short") in open_app("why", why="reach", s="I").text[-1].value


def test_the_next_hop_begins_anew_after_the_last(rivals):
    app = open_app("why", why="reach", reach_view="hops", s=TEXT, reach_from="0", reach_to="2")
    assert app.session_state["reach_hop"] is None
    taken = []
    for _ in range(4):
        app.button(key="reach_step").click().run()
        taken.append(app.session_state["reach_hop"])
    assert taken == [1, 2, 1, 2]
    app.button(key="reach_play").click().run()
    assert app.session_state["reach_hop"] is None and app.session_state["reach_played"] == 1


def test_a_link_from_a_longer_sentence_still_opens(rivals):
    app = open_app(
        "why", why="reach", reach_view="hops", s=TEXT, reach_from="90", reach_to="95", reach_hop="44"
    )
    assert not app.exception
    write(app, "Go")
    app = open_app("why", why="reach", reach_word="77", s=TEXT)
    assert not app.exception
    assert "reach_word" in Why.names()
