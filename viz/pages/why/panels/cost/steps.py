"""What can run at the same time: the plan of a stack, as long as this model's, of each kind."""

import streamlit as st

from viz.components import drawing
from viz.figures.numbers import compact, count, fixed
from viz.frame.presenter import presenting
from viz.pages.why import Why
from viz.pages.why.figures.cost.steps import KINDS, plans
from viz.pages.why.numbers.cost import Sizes, computed_at, steps_of
from viz.pages.why.panels.cost.now import pieces, sizes
from viz.state import costs, runs
from viz.state.language import say
from viz.state.session import chosen, select
from viz.text import verbatim
from viz.widgets.panel import Panel

VIEW, PLAYED = "picture_cost_steps", "cost_played"  # the view, and how often its film was asked for
FREE = 1.1  # a factor below which two times are as good as the same


def show() -> Panel:
    own, words, layers = sizes(), pieces(), runs.translator().config.layers
    drawn = plans(words, layers, chosen(Why).cost_step, st.session_state.get(PLAYED, 0), say)
    drawing.show(drawn, key=VIEW, on_pick=_pick)
    finding, explained = f"{_finding(own, layers)} {_waiting(own)}", say("why.cost.steps.explained")
    left, right = st.columns([3, 1], gap="medium")
    left.text(finding)
    with right:
        st.button(say("why.cost.steps.play"), key="cost_play", on_click=_play)
    if not presenting():
        st.caption(verbatim(explained))
    arrays = {f"step_{kind}": computed_at(kind, own.words, layers) + 1 for kind in KINDS}
    return Panel(
        {"why_cost_steps": drawn}, {"pieces": words, **arrays}, finding, explained, name="why-cost-steps"
    )


def _finding(own: Sizes, layers: int) -> str:
    steps = {kind: count(steps_of(kind, own.words, layers)) for kind in ("recurrent", "attention")}
    return say("why.cost.steps.finding", words=count(own.words), layers=layers, **steps)


def _waiting(own: Sizes) -> str:
    """The same cells with and without their order, as they were timed on as many positions."""
    layers = costs.layers_at(own.words, own.kernel)
    ordered, apart = layers["recurrent"].median, layers["apart"].median
    milliseconds = {
        "ordered": compact(float(f"{1000 * ordered:.2g}")),
        "apart": compact(float(f"{1000 * apart:.2g}")),
    }
    key = "why.cost.steps.waiting" if ordered > FREE * apart else "why.cost.steps.free"
    return say(key, times=fixed(ordered / apart, 1), words=count(own.words), **milliseconds)


def _pick() -> None:
    picked = st.session_state[VIEW]["pick"]
    if isinstance(picked, int):
        select(cost_step=picked)


def _play() -> None:
    """From the beginning to the end; the browser moves what is drawn anew."""
    select(cost_step=None)
    st.session_state[PLAYED] = st.session_state.get(PLAYED, 0) + 1
