"""The panel about tiles: every number on it is the head's own, and every sentence says what is drawn."""

import json
import re
from functools import partial

import numpy as np
import pytest

from model.inspect.tiles import blocks
from model.network.kinds import KINDS
from tests.helpers.app import open_app
from viz.figures.labels import readable
from viz.figures.numbers import signed
from viz.pages.why.figures import course, tiles
from viz.pages.why.formulas.tiles import formula
from viz.pages.why.numbers.tiles import MOST, SIZES, Walk, offered, walk
from viz.state.examples import EXAMPLES
from viz.state.picture import sides, spoken
from viz.text import LANGUAGES, translate

TEXT = EXAMPLES["noun"]
LONG = " ".join(["the cat sees the old house"] * 25)
open_tiles = partial(open_app, "why", why="tiles")
say = translate("en")


@pytest.fixture(scope="module")
def trace(translator):
    return translator.trace(TEXT)


def head_of(trace, kind: str, high: int = 4, wide: int = 4, layer: int = 1, head: int = 2) -> tuple:
    taken = (each[kind][layer, head] for each in (trace.query, trace.key, trace.value, trace.mask))
    return tuple(blocks(*taken, high, wide))


def walked(trace, kind: str, row: int | None = None, at: int | None = None, **sizes) -> Walk:
    looking, looked_at = sides(trace, kind, "read")
    return walk(head_of(trace, kind, **sizes), len(looked_at.pieces), row, at, spoken(looking))


def shown(trace, found: Walk, kind: str) -> tiles.Shown:
    words = ([readable(piece, say) for piece in side.pieces] for side in sides(trace, kind, "read"))
    return tiles.Shown(found, *words, ("rows", "columns"), "title")


def named(sheet) -> dict[str, dict]:
    return {mark["name"]: mark for mark in sheet.marks if "name" in mark}


def drawn(app, key: str) -> dict[str, dict]:
    (view,) = (each.proto for each in app.get("bidi_component") if key in each.proto.id)
    return {mark["name"]: mark for mark in json.loads(view.json)["marks"] if "name" in mark}


def texts(app) -> str:
    return " ".join(each.value for each in app.text)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sizes", [(2, 2), (4, 8), (64, 64)])
def test_the_row_ends_at_the_weights_and_the_output_that_inside_shows(trace, kind, sizes):
    for row in range(trace.attention[kind].shape[2]):
        found = walked(trace, kind, row, high=sizes[0], wide=sizes[1])
        np.testing.assert_allclose(found.weights, trace.attention[kind][1, 2, row], atol=1e-6)
        np.testing.assert_allclose(found.output, trace.mixed[kind][1, 2, row], atol=5e-6)
        assert found.difference(trace.mixed[kind][1, 2]) < 5e-6


@pytest.mark.parametrize("kind", KINDS)
def test_it_opens_on_a_word_and_a_tile_that_takes_about_half_of_what_was_summed(trace, kind):
    found = walked(trace, kind)
    left = [
        abs(tile.rescale[row - block.rows.start] - 0.5)
        for block in found.blocks
        for tile in block.tiles[1:]
        for row in block.rows
        if spoken(sides(trace, kind, "read")[0])[row] and 0 < tile.rescale[row - block.rows.start] < 1
    ]
    assert abs(found.lines[found.at].rescale - 0.5) == pytest.approx(min(left))


def test_what_a_link_asks_for_beyond_the_row_or_the_sentence_is_the_end_or_left_out(trace):
    assert walked(trace, "encoder", row=0, at=99).tile is None
    assert walked(trace, "encoder", row=999).row == walked(trace, "encoder").row


@pytest.mark.parametrize("kind", KINDS)
def test_only_the_cells_of_one_tile_are_coloured_and_each_says_its_own_weight(trace, kind):
    found = walked(trace, kind)
    made = tiles.table(shown(trace, found, kind), say)
    for sheet in (made, made.narrow):
        marks = named(sheet)
        held = {name: mark for name, mark in marks.items() if name.startswith("cell.")}
        assert len(held) == found.tile.scores.size <= 16
        for name, mark in held.items():
            row, column = map(int, name.split(".")[1:])
            inside = row - found.block.rows.start, column - found.tile.columns.start
            weight = found.tile.weights[inside]
            assert mark["tip"].endswith("masked" if np.isinf(found.tile.scores[inside]) else f"{weight:.4f}")
        assert [name for name, mark in marks.items() if mark.get("on")] == [f"tile.{found.number}.{found.at}"]
        rects = (mark for mark in sheet.marks if mark["shape"] == "rect")
        assert all(mark["x"] >= 0 and mark["x"] + mark["wide"] <= sheet.wide + 0.1 for mark in rects)


def test_tiles_that_the_mask_spares_are_drawn_as_skipped_and_cannot_be_picked(trace):
    found = walked(trace, "decoder")
    marks = named(tiles.table(shown(trace, found, "decoder"), say))
    skipped = [mark for name, mark in marks.items() if name.startswith("skipped.")]
    computed = [mark for name, mark in marks.items() if name.startswith("tile.")]
    assert len(skipped) == found.held.skipped > 0 and not any("pick" in mark for mark in skipped)
    assert len(computed) == found.held.computed
    assert len(skipped) + len(computed) == len(found.blocks) * -(-found.columns // 4)


def test_arrows_lead_from_tile_to_tile_and_never_to_a_skipped_one(trace):
    found = walked(trace, "decoder")
    marks = named(tiles.table(shown(trace, found, "decoder"), say))
    picks = {mark["pick"] for mark in marks.values() if "moves" in mark}
    for mark in marks.values():
        assert set(mark.get("moves", {}).values()) <= picks
    assert marks["tile.1.0"]["moves"] == {"ArrowRight": "1.1", "ArrowUp": "0.0", "ArrowDown": "2.0"}


def test_lines_add_up_and_those_to_come_have_no_numbers(trace):
    found = walked(trace, "encoder")
    marks = named(course.course(shown(trace, found, "encoder"), trace.mixed["encoder"][1, 2, found.row], say))
    for place, line in enumerate(found.lines):
        assert line.total == pytest.approx(line.rescale * line.had + line.added, rel=1e-5)
        assert line.most == max(line.before, line.largest)
        assert (f"total.{place}" in marks) == (place <= found.at)
        if place <= found.at:
            assert marks[f"total.{place}"]["text"] == signed(line.total)
            assert marks[f"m.{place}"]["text"] == signed(line.most)


def test_of_many_tiles_the_chosen_one_is_among_the_lines(translator):
    trace = translator.trace("We talked about the weather and then we went home because it was late. " * 2)
    found = walked(trace, "encoder", row=3, at=0, high=2, wide=2)
    for at in range(len(found.lines) + 1):
        here = Walk(found.blocks, found.columns, found.row, at)
        made = course.course(shown(trace, here, "encoder"), trace.mixed["encoder"][1, 2, 3], say)
        assert [name for name, mark in named(made).items() if mark.get("on")] == [f"line.{at}"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_formula_has_the_numbers_of_the_line(trace, kind):
    start = walked(trace, kind)
    for at, line in enumerate(start.lines):
        written = formula(Walk(start.blocks, start.columns, start.row, at))
        numbers = re.findall(r"-?\d+\.\d+", written)
        assert f"{line.most + 0.0:.2f}" in numbers and f"{line.total:.2f}" in numbers
        assert (r"\infty" in written) == (at == 0)
    end = formula(Walk(start.blocks, start.columns, start.row, len(start.lines)))
    assert f"{start.output[0] + 0.0:.2f}" in end and f"{start.lines[-1].total:.2f}" in end


@pytest.mark.parametrize("rows, columns", [(1, 1), (5, 60), (64, 65), (512, 512), (5000, 3)])
def test_there_are_never_more_tiles_than_one_can_point_at_where_a_size_prevents_it(rows, columns):
    for count, sizes in zip((rows, columns), offered(rows, columns), strict=True):
        assert sizes[-1] == SIZES[-1]
        assert all(-(-count // size) <= MOST for size in sizes) or sizes == [SIZES[-1]]


@pytest.mark.parametrize("kind, language", list(zip(KINDS, LANGUAGES * 2, strict=False)))
def test_the_panel_opens_for_every_kind_and_checks_itself(kind, language):
    app = open_tiles(s=TEXT, kind=kind, layer="1", head="2", lang=language)
    assert "✓" in texts(app) and "✗" not in texts(app)


@pytest.mark.parametrize("text, kind", [("Yes", "cross"), ("a", "decoder"), ("!!!", "encoder")])
def test_a_sentence_of_a_word_fits_into_a_tile_or_two(text, kind):
    app = open_tiles(s=text, kind=kind, tile_rows="64", tile_columns="64")
    assert "nothing is saved" in texts(app) and "✓" in texts(app)


def test_a_sentence_whose_queries_were_not_kept_is_told_in_one_sentence(translator):
    assert len(translator.read(LONG).ids) > 128
    app = open_tiles(s=LONG)
    assert [each.value for each in app.info] == [say("positions.long", longest=128)]


def test_sizes_that_would_make_thousands_of_tiles_are_raised():
    app = open_tiles(
        s=" ".join(["the cat sees the old house"] * 15), tile_rows="2", tile_columns="2", kind="encoder"
    )
    assert app.session_state["tile_rows"] == app.session_state["tile_columns"] == 4
    assert len([name for name in drawn(app, "why_tiles_view") if name.startswith("tile.")]) <= MOST**2


def test_keys_step_through_the_tiles_of_the_row_and_end_with_the_division(translator):
    app = open_tiles(s=TEXT, kind="decoder", layer="1", head="2", row="5", tile="0")
    lines = [name for name in drawn(app, "why_tiles_course_view") if name.startswith("line.")]
    for step in range(1, 6):
        app.session_state["keys"] = {"step": {"listener": 1.0, "presses": step, "count": step}}
        app.run()
        assert not app.exception
        assert app.session_state["tile"] == min(step, len(lines) - 1)
