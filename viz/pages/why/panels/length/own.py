"""The sentence on screen by all five: what each wrote, how sure it was, and how near it came."""

from functools import partial

import numpy as np
import streamlit as st

from model.atlas.searches.beams import nearness
from viz.components import drawing
from viz.figures.numbers import fixed
from viz.pages.why import Why
from viz.pages.why.figures.length.written import Written, written
from viz.pages.why.panels.length.longer import offer_longer
from viz.state import rivals, runs
from viz.state.language import say
from viz.state.session import chosen, select
from viz.widgets.panel import Panel

VIEW = "picture_why_written"


def show() -> Panel:
    text = st.session_state.shown
    offer_longer(text)
    # The networks are loaded by the first visitor who comes here.
    with st.spinner(say("why.length.working")):
        if (problem := rivals.refusal(text)) is not None:
            st.info(problem)
            return Panel()
        rows = _written(text)
    drawn = written(rows, chosen(Why).network, say)
    drawing.show(drawn, key=VIEW, on_pick=partial(pick, VIEW))
    st.text(finding := _finding(rows))
    explained = say("why.length.near.explained")
    return Panel({"why_written": drawn}, _arrays(rows), finding, explained)


def pick(view: str) -> None:
    """One of the five was clicked."""
    picked = st.session_state[view]["pick"]
    if picked in rivals.NAMES:
        select(network=picked)


def _written(text: str) -> list[Written]:
    """What each wrote, how sure it was, and how near that comes to what stands above."""
    above = runs.translation_of(runs.trace_of(text)).text
    found = []
    for name in rivals.NAMES:
        own = rivals.written_by(name, text)
        near = nearness(own.text, [above]) if own.text and above else 0.0
        found.append(Written(name, own.text, float(np.mean(own.log_probs)), near))
    return found


def _finding(rows: list[Written]) -> str:
    """Who comes nearest to the translation above, and who is furthest from it."""
    ranked = sorted(rows, key=lambda row: -row.near)
    near, far = ranked[0], ranked[-1]
    if near.near == far.near:
        return say("why.length.own.alike", near=fixed(near.near, 0))
    return say(
        "why.length.own", words=len(st.session_state.shown.split()), best=say(f"network.{near.name}"),
        near=fixed(near.near, 0), worst=say(f"network.{far.name}"), far=fixed(far.near, 0),
    )  # fmt: skip


def _arrays(rows: list[Written]) -> dict[str, object]:
    return {
        "translations": [row.words for row in rows],
        "log_prob_a_piece": np.array([row.log_prob for row in rows]),
        "chrf_to_the_one_above": np.array([row.near for row in rows]),
    }
