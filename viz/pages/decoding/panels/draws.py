"""A hundred translations drawn with the settings of Choosing, as a tree."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.decoding.search import Hypothesis, Sampling
from viz.components import drawing
from viz.figures.numbers import percent
from viz.frame.presenter import presenting
from viz.pages.decoding.figures import draws as figures
from viz.pages.decoding.numbers import draws as numbers
from viz.pages.decoding.panels.here import force, let_go
from viz.state import decodings, runs
from viz.state.language import say
from viz.state.session import select
from viz.widgets.panel import Panel

COUNT, AT_ONCE = 100, 25
LONGEST = 160  # letters of a translation that is quoted
MANY_SEEDS = 10_000  # then the first comes again: a link takes no longer numbers


def button(drawn: int | None) -> None:
    """Draw, and draw others: each hundred has its own seeds."""
    key = "decoding.choosing.draw" if drawn is None else "decoding.choosing.again"
    following = 0 if drawn is None else (drawn + 1) % MANY_SEEDS
    st.button(say(key, count=COUNT), key="draw", on_click=partial(select, drawn=following))


def show(text: str, sampling: Sampling, seed: int, told: DeltaGenerator) -> Panel:
    """The tree; what the draws have in common is `told` beside the bars."""
    greedy = decodings.path_of(text)
    found = numbers.leaves(_drawn(text, replace(sampling, seed=seed * COUNT)))
    made = figures.tree(numbers.tree(found), greedy.ids, [leaf.ids for leaf in found], say)
    common = numbers.tally(found, greedy.written.text)
    finding = _finding(common, seed)
    told.text(finding)
    drawing.show(made, key="choosing_draws", on_pick=partial(_follow, found, greedy.ids))
    explained = say("decoding.choosing.tree.explained")
    if not presenting():  # there the presenter explains
        st.caption(f"{explained} {say('decoding.choosing.tree.click')}")
    arrays = {
        "seed": seed * COUNT, "draws_texts": [leaf.text for leaf in found],
        "draws_counts": np.array([leaf.count for leaf in found]),
        "draws_log_probs": np.array([leaf.log_prob for leaf in found]),
    }  # fmt: skip
    return Panel({"draws": made}, arrays, finding, explained)


def _finding(common: numbers.Tally, seed: int) -> str:
    """What the draws have in common, where they have something in common."""
    seeds = {"first": seed * COUNT, "last": seed * COUNT + COUNT - 1}
    greedy = percent(common.greedy / common.drawn, 0)
    if common.most == 1:
        return say("decoding.choosing.drawn.once", drawn=common.drawn, greedy=greedy, **seeds)
    most, text = percent(common.most / common.drawn, 0), common.frequent or say("piece.end")
    text = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    key = "decoding.choosing.drawn" if common.different > 1 else "decoding.choosing.drawn.always"
    return say(
        key, drawn=common.drawn, different=common.different, most=most, text=text, greedy=greedy, **seeds
    )


def _drawn(text: str, sampling: Sampling) -> list[Hypothesis]:
    """A hundred, some at a time, so that one sees how far it is. Each has a seed of its own: parts add up."""
    found: list[Hypothesis] = []
    with st.empty():
        for part in range(0, COUNT, AT_ONCE):
            st.progress(part / COUNT, say("decoding.choosing.drawing", done=part, count=COUNT))
            found += decodings.draws_of(text, replace(sampling, seed=sampling.seed + part), AT_ONCE)
        st.empty()
    return found


def _follow(found: Sequence[numbers.Leaf], greedy: numbers.Ids) -> None:
    """A translation was clicked: follow it, and look at the step where it left the likeliest tokens."""
    picked = st.session_state["choosing_draws"]["pick"]
    if not isinstance(picked, int) or not 0 <= picked < len(found):
        return
    ids = found[picked].ids[: runs.translator().config.length - 1]  # as much as can be forced
    step = numbers.parting(ids, greedy)
    if step is None or step >= len(ids):
        let_go()
    else:
        force(step, *ids[step:])
