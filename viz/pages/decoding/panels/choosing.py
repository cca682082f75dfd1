"""Choosing: one step's probabilities sharpened and cut, and a hundred translations drawn that way."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from model.decoding.search import Sampling
from viz.components import drawing
from viz.figures.numbers import count, fixed
from viz.frame.presenter import presenting
from viz.pages.decoding import Decoding
from viz.pages.decoding.figures import choosing as figures
from viz.pages.decoding.formulas import choosing as formulas
from viz.pages.decoding.numbers import choosing as numbers
from viz.pages.decoding.panels import draws
from viz.pages.decoding.panels.here import Here, force, let_go, spelled
from viz.pages.decoding.panels.strip import show_strip
from viz.state import decodings
from viz.state.language import say
from viz.state.session import select
from viz.text import verbatim
from viz.widgets.panel import Panel

OFFERED = {
    "temperature": (*range(10, 200, 10), 200, 250, 300, 400),
    "top_k": (1, 2, 3, 5, 10, 20, 50, 100, 1000, 0),  # 0: all, as far to the right as "no cut" is elsewhere
    "top_p": (*range(5, 100, 5), 99, 100),
}
LONG = 36  # tokens of a translation whose strip stands below the picture, not above it
FEW = 8  # tokens that are drawn above a tree: it should begin on the first screen
USUAL = {"temperature": 100, "top_k": 0, "top_p": 100}
SMALLEST = 1e-6  # what a link that asks for 0 means: the likeliest alone


def controls(now: Here) -> None:
    for name in OFFERED:
        labels = {value: _written(name, value) for value in _options(name, getattr(now.asked, name))}
        st.select_slider(
            say(f"decoding.choosing.{name}"), list(labels), key=name, width=150,
            format_func=labels.__getitem__, help=say(f"decoding.choosing.{name}.help"),
        )  # fmt: skip
    if _changed(now.asked):
        st.button(say("decoding.choosing.usual"), key="usual_choice", on_click=partial(select, **USUAL))


def show(now: Here) -> Panel:
    sampling, drawn = sampling_of(now.asked), now.asked.drawn
    found = _choice(now, sampling, numbers.OFFERED if drawn is None else FEW)
    labels = spelled(found.ids)
    if len(now.labels) <= LONG:
        show_strip(now, "choosing_strip")
    bars = figures.bars(found, labels, say)
    finding, explained = _finding(now, found), _explained(now)
    z = float(now.log_probs[found.ids[0]])
    formula = formulas.softmax(formulas.Filled(z, sampling.temperature, found.after[0], found.kept))
    left, right = st.columns([1.45, 1], gap="medium")
    with left:
        drawing.show(bars, key="choosing_bars", on_pick=partial(_write, now.at))
    with right:
        asks = not (_changed(now.asked) or presenting())  # on a wall, as on paper, there are no sliders
        st.text(f"{finding} {say('decoding.choosing.move')}" if asks else finding)
        if drawn is None:
            _explain(formula, labels[0], explained)
        with st.container(horizontal=True, gap="small"):
            draws.button(drawn)
            if now.path.forced:
                st.button(say("decoding.steps.let_go"), key="let_go", on_click=let_go)
        told = st.container()
    arrays = _arrays(now, found, labels)
    panel = Panel({"choosing": bars}, arrays, finding, explained, formula=formula)
    if len(now.labels) > LONG:
        show_strip(now, "choosing_strip")
    if drawn is None:
        return panel
    taken = draws.show(now.text, sampling, drawn, told)
    if not presenting():  # there the tree needs the room
        _explain(formula, labels[0], explained)
    return replace(
        panel,
        pictures={**panel.pictures, **taken.pictures},
        arrays={**panel.arrays, **taken.arrays},
        said={"draws": f"{taken.finding} {taken.explained}"},
    )


def _explain(formula: str, best: str, explained: str) -> None:
    st.latex(formula)
    st.caption(verbatim(say("decoding.choosing.formula", token=best)))
    st.caption(f"{explained} {say('decoding.choosing.click')}")


def sampling_of(asked: Decoding) -> Sampling:
    """What the sliders say, as the engine takes it."""
    return Sampling(
        max(SMALLEST, asked.temperature / 100),
        asked.top_k or None,
        None if asked.top_p == 100 else max(SMALLEST, asked.top_p / 100),
    )


def _choice(now: Here, sampling: Sampling, rows: int) -> numbers.Choice:
    ways = (replace(sampling, top_k=None, top_p=None), replace(sampling, top_p=None), sampling)
    chances = numbers.Chances(*(decodings.chances_of(now.log_probs, way) for way in ways))
    return numbers.choice(now.log_probs, chances, now.path.ids[now.at], rows)


def _finding(now: Here, found: numbers.Choice) -> str:
    """How open the choice is, and what the settings make of it."""
    before, after = found.spread
    read = now.labels[now.at - 1] if now.at else say("piece.start")
    said = say(
        "decoding.choosing.finding", step=now.at + 1, read=read, worth=_worth(before.worth),
        sharing=count(before.sharing), all=count(len(now.log_probs)),
    )  # fmt: skip
    if not _changed(now.asked):
        return f"{said} {say('decoding.choosing.unchanged')}"
    made = say(
        "decoding.choosing.made", worth=_worth(after.worth), sharing=count(after.sharing),
        kept=count(found.kept),
    )  # fmt: skip
    return f"{said} {made}"


def _explained(now: Here) -> str:
    return say("decoding.choosing.explained", never=int(np.isneginf(now.log_probs).sum()))


def _worth(value: float) -> str:
    return fixed(value, 1) if value < 10 else count(round(value))


def _arrays(now: Here, found: numbers.Choice, labels: Sequence[str]) -> dict[str, object]:
    return {
        "step": now.at, "ids": np.array(found.ids), "tokens": list(labels), "before": np.array(found.before),
        "after": np.array(found.after), "cut": list(found.cut), "others": found.others,
        "others_before": found.rest[0], "others_after": found.rest[1],
    }  # fmt: skip


def _options(name: str, value: int) -> list[int]:
    """Those that the slider offers, and whatever a link has brought; all tokens stand last."""
    return sorted({*OFFERED[name], value}, key=lambda each: (name == "top_k" and each == 0, each))


def _written(name: str, value: int) -> str:
    if name == "top_k":
        return count(value) if value else say("decoding.choosing.all")
    return fixed(value / 100, 2)


def _changed(asked: Decoding) -> bool:
    return any(getattr(asked, name) != value for name, value in USUAL.items())


def _write(step: int) -> None:
    """A token was clicked: write it here."""
    picked = st.session_state["choosing_bars"]["pick"]
    if isinstance(picked, int):
        force(step, picked)
