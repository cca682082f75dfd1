"""Overview: what happens to a sentence? Figure 1 of the paper with this run in its boxes, and the ways on."""

import numpy as np
import streamlit as st

from model.network.kinds import KINDS
from viz.components import drawing
from viz.figures.numbers import fixed
from viz.pages.home import words
from viz.pages.home.figures.architecture import architecture
from viz.pages.home.figures.told import told
from viz.pages.home.numbers import Run, run
from viz.pages.home.ways import KEY, pick
from viz.state import runs
from viz.state.language import say
from viz.state.runs import current_trace
from viz.state.session import selection
from viz.widgets.names import head_name
from viz.widgets.panel import Panel

TOLD = (  # what a handout says of the parts, in the order of the flow
    ("embedding", "encoder"), ("positions", "encoder"), ("encoder", "encoder"),
    ("norm.attention", "encoder"), ("feed_forward", "encoder"), ("decoder", "decoder"),
    ("cross", "decoder"), ("linear", "decoder"), ("softmax", "decoder"),
)  # fmt: skip


def show() -> Panel:
    now, here = _run(), selection()
    with st.container(horizontal=True, vertical_alignment="bottom", key="question"):
        st.title(say("home.title"), anchor=False, width="content")
        st.caption(say("home.how"))
    made = architecture(
        now, {kind: _whose(now, kind) for kind in KINDS}, here.kind, st.session_state.shown, say
    )
    with st.container(key="panel"):
        drawing.show(made, key=KEY, on_pick=pick)
    return Panel(
        {"architecture": made},
        _arrays(now),
        finding=_finding(now),
        explained=" ".join(told(now, part, stack, say) for part, stack in TOLD),
    )


def _finding(now: Run) -> str:
    about = {"number": now.row + 1, "words": len(now.writes), "read": now.tokens["decoder"][now.row]}
    return say("home.finding", word=now.writing, chance=fixed(float(now.chances[now.row])), **about)


def _run() -> Run:
    here, translator = selection(), runs.translator()
    return run(
        current_trace(), translator.config, row=words()[1], kind=here.kind, layer=here.layer,
        heads=here.head, spell=translator.tokenizer.choices, say=say,
    )  # fmt: skip


def _whose(now: Run, kind: str) -> str:
    """Which heads a small map shows: the chosen one, or all of a layer."""
    heads = now.looks[kind].heads
    if len(heads) == 1:
        return head_name(kind, now.layer, heads[0])
    return say("home.mean", layer=now.layer + 1, heads=len(heads) or now.config.heads)


def _arrays(now: Run) -> dict[str, object]:
    return {
        "row": now.row,
        "source": now.tokens["encoder"],
        "read": now.tokens["decoder"],
        "written": now.writes,
        "probabilities": now.chances,
        "candidates": [word for word, _, _ in now.candidates],
        "candidate_probabilities": np.array([chance for _, chance, _ in now.candidates]),
        **{f"attention.{kind}": look.weights for kind, look in now.looks.items()},
    }
