"""What is remembered: the KV cache of this run, what it saves, and its rows in a beam search."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.decoding.remembered import Measured, multiplications
from viz.components import drawing
from viz.figures.drawing import Drawing
from viz.figures.labels import readable
from viz.figures.numbers import count, fixed, power_of_ten, roughly, rounded, scientific
from viz.frame.presenter import presenting
from viz.pages.decoding.figures import memory as figures
from viz.pages.decoding.figures import memory_beside as beside
from viz.pages.decoding.numbers import memory as numbers
from viz.pages.decoding.panels.here import Here, pick_step, spelled
from viz.state import decodings, runs
from viz.state.language import say
from viz.text import verbatim
from viz.widgets.controls import choose
from viz.widgets.panel import Panel

ALLOWED = -4  # a power of ten: what is further apart than this is no rounding
KILO = 1024
Products = Mapping[str, np.ndarray]  # with and without: multiplications of each step


def controls(now: Here) -> None:
    choose("beam", written=str)


def show(now: Here) -> Panel:
    kept = _kept(now)
    drawn = {"memory": figures.caches(kept, _read(now), _source(now), say)}
    _draw("memory", drawn)
    left, right = st.columns([1.5, 1], gap="medium")
    with left:
        st.text(finding := f"{_finding(now, kept)} {_bytes(kept)}")
    with right, st.spinner(say("decoding.memory.working")):
        measured = decodings.measured_of(now.path)
        found = decodings.beam_of(now.text, now.asked.beam, now.asked.penalty / 100)
        st.text(_check_said(measured))
    products = {way: _products(len(now.path.ids), kept.source, way == "with") for way in beside.WAYS}
    words = say("decoding.memory.with"), say("decoding.memory.without")
    formula = numbers.formula(runs.translator().config, now.at, kept.source, words)
    explained = say("decoding.memory.explained", rounds=measured.rounds, source=kept.source, read=kept.read)
    left, right = st.columns(2, gap="medium")
    with left:
        costs = _costs(now, measured, products, drawn)
    if not presenting():  # there the presenter explains, and both caches stay on the wall
        with right:
            st.caption(say("decoding.memory.formula", step=kept.read))
            st.latex(formula)
            st.caption(verbatim(explained))
        left, right = st.columns([1.5, 1], gap="medium")
    rows, about = _rows(now, numbers.rows_of(found.nodes), found.nodes, drawn, (left, right))
    return Panel(
        drawn,
        {
            "step": now.at, "measured_steps": np.array(measured.steps),
            "seconds_with": np.array(measured.cached), "seconds_without": np.array(measured.uncached),
            "difference": np.array(measured.differences),
            **{f"multiplications_{way}": each for way, each in products.items()}, "rows": rows,
        },
        finding,
        _check_said(measured),
        formula,
        said={"memory_time": f"{costs} {explained}", "memory_rows": about},
    )  # fmt: skip


def _draw(key: str, drawn: Mapping[str, Drawing]) -> None:
    view = f"picture_{key}"  # a name that no choice of this visitor has
    drawing.show(drawn[key], key=view, on_pick=partial(pick_step, view))


def _kept(now: Here) -> numbers.Kept:
    translator = runs.translator()
    config, weight = translator.config, translator.model.to_vocabulary.weight
    source = len(translator.read(now.text).ids)
    return numbers.Kept(now.at + 1, source, config.depth("decoder"), config.width, weight.element_size())


def _read(now: Here) -> list[str]:
    return [say("piece.start"), *now.labels[:-1]]


def _source(now: Here) -> list[str]:
    return [readable(piece, say) for piece in runs.translator().read(now.text).pieces]


def _finding(now: Here, kept: numbers.Kept) -> str:
    sizes = {"layers": kept.layers, "width": kept.width, "token": _read(now)[now.at]}
    if now.at == 0:
        return say("decoding.memory.first", source=kept.source, **sizes)
    counts = {name: count(getattr(kept, name)) for name in ("computed", "reused", "without")}
    times = roughly(kept.without / kept.computed)
    return say("decoding.memory.finding", step=now.at + 1, times=times, **sizes, **counts)


def _bytes(kept: numbers.Kept) -> str:
    own, source = (rounded(size / KILO, 4) for size in (kept.own_bytes, kept.source_bytes))
    return say("decoding.memory.bytes", own=own, source=source)


def _check_said(measured: Measured) -> str:
    return say(
        "decoding.memory.check", mark="✓" if measured.difference < 10.0**ALLOWED else "✗",
        difference=scientific(measured.difference), limit=power_of_ten(ALLOWED), steps=len(measured.steps),
        tokens=count(runs.translator().config.vocabulary),
    )  # fmt: skip


def _products(steps: int, source: int, cached: bool) -> np.ndarray:
    config = runs.translator().config
    return np.array([multiplications(config, step, source, cached).total for step in range(steps)])


def _costs(now: Here, measured: Measured, products: Products, drawn: dict[str, Drawing]) -> str:
    """The time and the multiplications of each step, and what is said of them."""
    seconds = {"with": measured.cached, "without": measured.uncached}
    drawn["memory_time"] = beside.costs(measured.steps, seconds, products, now.at, say)
    _draw("memory_time", drawn)
    steps = len(now.path.ids)
    cached, uncached = sum(measured.cached), sum(measured.uncached)
    time = say(
        "decoding.memory.time.all" if len(measured.steps) == steps else "decoding.memory.time.some",
        steps=steps, measured=len(measured.steps), cached=fixed(1000 * cached, 1),
        uncached=fixed(1000 * uncached, 1), times=fixed(uncached / cached, 1),
    )  # fmt: skip
    sums = {way: int(each.sum()) for way, each in products.items()}
    product = say(
        "decoding.memory.products", cached=_millions(sums["with"]), uncached=_millions(sums["without"]),
        times=fixed(sums["without"] / sums["with"], 1),
    )  # fmt: skip
    saved = sums["without"] / sums["with"]  # at the first step nothing is
    calls = say("decoding.memory.calls") if uncached / cached < saved and saved > 1 else ""
    st.text(said := f"{time} {product} {calls}".strip())
    if not presenting():
        again = say("decoding.memory.again")
        st.button(again, key="memory_again", on_click=decodings.measure_again, args=(now.path,))
    return said


def _millions(number: int) -> str:
    return fixed(number / 1e6, 1) if number < 1e9 else count(round(number / 1e6))


def _rows(
    now: Here, continued: list[list[int]], nodes: tuple, drawn: dict[str, Drawing],
    places: Sequence[DeltaGenerator],
) -> tuple[np.ndarray, str]:  # fmt: skip
    """Which row of the cache continues which; as an array -1 where there is no row.

    Of the two places one is for the picture, the other for what is said; on a wall there is one for both.
    """
    left, right = (places[1], places[1]) if presenting() else places
    if not continued:
        left.text(none := say("decoding.memory.rows.none"))
        return np.zeros((0, 0), int), none
    words = [spelled([nodes[place].id for place in numbers.living(nodes, step)])
             for step in range(len(continued))]  # fmt: skip
    last = len(now.path.ids) - 1
    drawn["memory_rows"] = beside.rows(continued, words, now.at, last, say)
    with left:
        _draw("memory_rows", drawn)
    right.text(said := _rows_said(continued, now.at))
    changed = sum(bool(each.moved or each.dropped or each.copied) for each in numbers.changes(continued))
    key = "decoding.memory.rows.one" if now.asked.beam == 1 else "decoding.memory.rows.explained"
    explained = say(key, size=now.asked.beam, changed=changed, steps=len(continued) - 1)
    if not presenting():
        right.caption(verbatim(explained))
    rows = np.full((len(continued), max(map(len, continued))), -1)
    for step, each in enumerate(continued):
        rows[step, : len(each)] = each
    return rows, f"{said} {explained}"


def _rows_said(continued: list[list[int]], step: int) -> str:
    if step >= len(continued):
        return say("decoding.memory.rows.over", last=len(continued))
    rows, before = continued[step], len(continued[step - 1]) if step else 1
    if rows == list(range(before)):
        return say("decoding.memory.rows.same", step=step + 1)
    made, order = numbers.change(rows, before), ", ".join(str(row + 1) for row in rows)
    return say(
        "decoding.memory.rows.changed", step=step + 1, order=order, copied=made.copied, dropped=made.dropped
    )
