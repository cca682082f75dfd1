"""Where the five look while all of them read the same translation of the sentence on screen."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from viz.components import drawing
from viz.figures.labels import readable
from viz.figures.numbers import fixed, percent
from viz.frame.presenter import presenting
from viz.pages.why import Why
from viz.pages.why.figures.length.looks import Looks, maps, one_row
from viz.pages.why.formulas.length import contexts
from viz.pages.why.numbers import looks as numbers
from viz.pages.why.panels.length.longer import offer_longer
from viz.state import rivals
from viz.state.language import say
from viz.state.session import chosen, select
from viz.text import verbatim
from viz.widgets.panel import Panel

MAPS = "picture_why_maps"
MOST = 128  # pieces of either side that are shown
QUOTED = 240  # letters of the translation that are shown above them


def show() -> Panel:
    text, asked = st.session_state.shown, chosen(Why)
    if not presenting():  # a wall has room for the pictures alone
        offer_longer(text)
    # The networks are loaded by the first visitor who comes here.
    with st.spinner(say("why.length.working")):
        if (problem := rivals.refusal(text)) is not None:
            st.info(problem)
            return Panel()
        read = rivals.written_by(asked.network, text)
        if not read.text:
            st.info(say("why.length.no_words", name=say(f"network.{asked.network}")))
            return Panel()
        looks = _looks(text, read.ids[:MOST])
    row = _row(looks, asked.length_row)
    quoted = read.text if len(read.text) <= QUOTED else f"{read.text[:QUOTED].rstrip()}…"
    st.caption(verbatim(say("why.length.reading", name=say(f"network.{asked.network}"), text=quoted)))
    drawn = {"why_maps": maps(looks, row, say), "why_row": one_row(looks, row, say)}
    drawing.show(drawn["why_maps"], key=MAPS, on_pick=_pick_row)
    drawing.show(drawn["why_row"], key="picture_why_row")
    st.text(finding := _finding(looks, row))
    explained = say("why.length.looks.explained")
    names = say("network.recurrent"), say("network.additive")
    formula = contexts(rivals.rival(rivals.FIXED).config.hidden, names)
    if not presenting():
        left, right = st.columns(2, gap="medium")
        left.caption(verbatim(explained))
        right.latex(formula)
    told = {say("why.length.read"): read.text}
    return Panel(drawn, _arrays(looks, row), finding, explained, formula, told=told)


def _looks(text: str, target: tuple[int, ...]) -> Looks:
    """All while they read these pieces of a translation."""
    traces = {name: rivals.trace_of(name, text, target) for name in rivals.NAMES}
    measured, maps, which = (rivals.measured() or {"models": {}})["models"], {}, {}
    for name, trace in traces.items():
        if trace.attention is not None:
            best = measured.get(name, {}).get("aligned")
            maps[name] = numbers.shown_map(trace.attention, best)[:, :MOST]
            which[name] = _which(trace.attention.shape[:2], best)
    some, known = traces[rivals.FIXED], rivals.vector(text)
    return Looks(
        maps, which, rivals.FIXED, known.numbers, numbers.shares(known.held)[:MOST],
        [readable(piece, say) for piece in some.source.pieces[:MOST]],
        [readable(piece, say) for piece in some.target.predicted],
    )  # fmt: skip


def _which(shape: tuple[int, ...], best: Mapping[str, Any] | None) -> str:
    """Which of its maps is shown, and how often that one points right."""
    layers, heads = shape
    if best is None:
        many = layers * heads > 1
        return say("why.length.mean", count=layers * heads) if many else say("why.length.unmeasured")
    key = "best" if heads > 1 else "best_layer" if layers > 1 else "only"
    return say(
        f"why.length.{key}", layer=best["layer"] + 1, layers=layers, head=best["head"] + 1,
        share=percent(best["share"], 0),
    )  # fmt: skip


def _row(looks: Looks, asked: int | None) -> int:
    if asked is not None:
        return min(asked, len(looks.target) - 1)
    return numbers.first_row([*looks.maps.values()], looks.target)


def _finding(looks: Looks, row: int) -> str:
    """What each looks at most while this piece is written."""
    told = []
    for name, each in looks.maps.items():
        most, weight = looks.source[int(each[row].argmax())], fixed(float(each[row].max()), 2)
        told.append(say("why.length.look", name=say(f"network.{name}.short"), source=most, weight=weight))
    return say("why.length.row", target=looks.target[row], looks=", ".join(told))


def _pick_row() -> None:
    """A row of one of the maps was clicked."""
    picked = st.session_state[MAPS]["pick"]
    if isinstance(picked, str) and picked.rpartition(".")[2].isdigit():
        select(length_row=int(picked.rpartition(".")[2]))


def _arrays(looks: Looks, row: int) -> dict[str, object]:
    return {
        "source": list(looks.source), "target": list(looks.target), "row": row, "vector": looks.vector,
        "held": looks.held, **{f"attention_{name}": each for name, each in looks.maps.items()},
    }  # fmt: skip
