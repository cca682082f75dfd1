"""Tiles: a head's attention as FlashAttention computes it, one row at a time and tile by tile."""

import inspect
from functools import partial
from pathlib import Path

import numpy as np
import streamlit as st

from model import Trace
from model.inspect import tiles
from viz.components import drawing
from viz.figures.labels import readable
from viz.figures.numbers import count, fixed, roughly, scientific, signed
from viz.frame.presenter import presenting
from viz.pages.why import Why, tiled
from viz.pages.why.figures import course as courses
from viz.pages.why.figures import tiles as figures
from viz.pages.why.formulas import tiles as formulas
from viz.pages.why.numbers import tiles as numbers
from viz.state import runs
from viz.state.language import say
from viz.state.picture import sides
from viz.state.rows import rows
from viz.state.session import chosen, select, selection
from viz.text import verbatim
from viz.widgets.controls import choose, choose_heads, choose_layer, choose_place
from viz.widgets.names import heads_label
from viz.widgets.panel import Panel

TABLE, COURSE = "why_tiles_view", "why_tiles_course_view"
STEPS = ("largest", "before", "most", "rescale", "had", "added", "total")  # of a line, as numbers
ALLOWED = 1e-5  # what is further apart than this is no rounding
ROOT = Path(__file__).parents[4]
FILM = 2048  # pieces of a long text, for comparison
ON_THE_WALL = f"<style>.st-key-{TABLE} {{ --fill: 0.76; }} .st-key-{COURSE} {{ --fill: 0.5; }}</style>"


def controls() -> None:
    trace, here = runs.current_trace(), selection()
    heads = trace.attention["encoder"].shape[1]
    choose("kind")
    choose_layer()
    choose_heads(heads)
    offered = numbers.offered(*trace.attention[here.kind].shape[2:])
    asked = chosen(Why)
    fitting = tiled.fitting(trace, asked.tile_rows, asked.tile_columns)
    select(tile_rows=fitting[0], tile_columns=fitting[1])
    for field, sizes in zip(("tile_rows", "tile_columns"), offered, strict=True):
        st.select_slider(say(f"{field}.label"), sizes, key=field, width=110)
    found = _walk()
    if found is not None:
        choose_place("row", say("inside.row"), rows(trace, here.kind, say).options(), found.row)


def show() -> Panel:
    trace, here, walk = runs.current_trace(), selection(), _walk()
    if walk is None:
        st.info(say("positions.long", longest=runs.LONG))
        return Panel()
    if presenting():
        st.html(ON_THE_WALL)
    shown = _shown(trace, walk)
    mixed = trace.mixed[here.kind][here.layer, here.head[0]]
    tallest = figures.TALLER if presenting() else figures.TALLEST
    table, course = figures.table(shown, say, tallest), courses.course(shown, mixed[walk.row], say)
    drawn = {"why_tiles": table, "why_tiles_course": course}
    formula, explained = formulas.formula(walk), _explained(walk)
    pattern = trace.attention[here.kind][here.layer, here.head[0]]
    finding = f"{_finding(shown)} {_check(walk, mixed, pattern[walk.row])}"
    left, right = st.columns([1, 1.15], gap="medium")
    with left:
        drawing.show(table, key=TABLE, on_pick=partial(_pick, walk))
    with right:
        st.text(finding)
        drawing.show(course, key=COURSE, on_pick=_pick_line)
        st.text(_now(shown))
        st.latex(formula)
        if not presenting():  # there the presenter explains
            st.caption(f"{verbatim(explained)} {say('why.tiles.keys')}")
    if not presenting():
        _code()
    return Panel(
        drawn, _arrays(walk, trace), finding, explained, formula,
        said={"why_tiles": f"{_now(shown)} {explained}", "why_tiles_course": finding},
    )  # fmt: skip


def _walk() -> numbers.Walk | None:
    asked = chosen(Why)
    return tiled.walk(asked.tile_rows, asked.tile_columns, asked.tile)


def _shown(trace: Trace, walk: numbers.Walk) -> figures.Shown:
    here = selection()
    both = sides(trace, here.kind, "read")
    looking, looked_at = ([readable(piece, say) for piece in side.pieces] for side in both)
    name = heads_label(here.kind, here.layer, here.head[:1])
    axes = say(both[0].axis), say(both[1].axis)
    return figures.Shown(walk, looking, looked_at, axes, say("why.tiles.title", head=name))


def _finding(shown: figures.Shown) -> str:
    """How much of the table ever exists, and where the row that is looked at ends."""
    walk, held = shown.walk, shown.walk.held
    end, best = walk.lines[-1], int(walk.weights.argmax())
    key = "why.tiles.finding" if held.plain > held.tile else "why.tiles.finding.one"
    return say(
        key, plain=count(held.plain), tile=count(held.tile), times=roughly(held.plain / held.tile),
        word=shown.queries[walk.row], tiles=len(walk.block.tiles), m=signed(end.most),
        total=fixed(end.total, 2), best=shown.keys[best], weight=fixed(float(walk.weights[best]), 3),
    )  # fmt: skip


def _check(walk: numbers.Walk, mixed: np.ndarray, pattern: np.ndarray) -> str:
    """How far all outputs of the tiles, and this row's weights, are from the model's own."""
    outputs, weights = walk.difference(mixed), float(abs(walk.weights - pattern).max())
    mark = "✓" if max(outputs, weights) < ALLOWED else "✗"
    apart = {"outputs": _unbroken(outputs), "weights": _unbroken(weights)}
    return say("why.tiles.check", mark=mark, rows=len(mixed), **apart)


def _unbroken(value: float) -> str:
    """A power of ten that no line ends in the middle of."""
    return scientific(value).replace(" ", "\N{NO-BREAK SPACE}")


def _now(shown: figures.Shown) -> str:
    """What happens at this step, in words."""
    walk, word = shown.walk, shown.queries[shown.walk.row]
    if walk.tile is None:
        return say("why.tiles.at.end", word=word, total=fixed(walk.lines[-1].total, 2))
    each, told = walk.lines[walk.at], {"tile": walk.at + 1, "tiles": len(walk.block.tiles), "word": word}
    if walk.at == 0:
        return say("why.tiles.at.first", m=signed(each.most), **told)
    if each.most > each.before:
        left = fixed(each.rescale) if each.rescale >= 0.001 else scientific(each.rescale)
        before, m = signed(each.before), signed(each.most)
        return say("why.tiles.at.larger", before=before, m=m, left=left, **told)
    return say("why.tiles.at.same", m=signed(each.most), added=fixed(each.added, 3), **told)


def _explained(walk: numbers.Walk) -> str:
    held = walk.held
    parts = [say("why.tiles.explained", long=count(FILM), plain=count(FILM**2), tile=count(held.tile))]
    if held.skipped:
        total = held.computed + held.skipped
        parts.append(say("why.tiles.explained.skipped", skipped=held.skipped, all=total))
    return " ".join([*parts, say("why.tiles.explained.time")])


def _arrays(walk: numbers.Walk, trace: Trace) -> dict[str, object]:
    """Every step of the row, and both ways to its end."""
    here, lines = selection(), walk.lines
    place = here.layer, here.head[0], walk.row
    columns = {name: np.array([getattr(line, name) for line in lines]) for name in STEPS}
    return {
        "row": walk.row, "first_column": np.array([line.columns.start for line in lines]), **columns,
        "o": np.stack([line.mixed for line in lines]), "output": walk.output, "weights": walk.weights,
        "mixed": trace.mixed[here.kind][place], "pattern": trace.attention[here.kind][place],
    }  # fmt: skip


def _code() -> None:
    """The function of `model/` that let the rows go through a tile."""
    with st.expander(say("inside.code")):
        source, first = inspect.getsourcelines(tiles.take)
        st.code("".join(source), language="python", wrap_lines=True)
        file = Path(inspect.getfile(tiles)).relative_to(ROOT).as_posix()
        st.caption(say("inside.where", file=verbatim(file), line=first))


def _pick(walk: numbers.Walk) -> None:
    """A tile was clicked, or the name of a row."""
    first, _, second = str(st.session_state[TABLE]["pick"] or "").partition(".")
    if first == "row" and second.isdigit():
        select(row=int(second), column=None)
    elif first.isdigit() and second.isdigit() and int(first) < len(walk.blocks):
        block = walk.blocks[int(first)]
        row = walk.row if walk.row in block.rows else block.rows.start
        select(row=row, column=None, tile=int(second))


def _pick_line() -> None:
    picked = st.session_state[COURSE]["pick"]
    if isinstance(picked, int):
        select(tile=picked)
