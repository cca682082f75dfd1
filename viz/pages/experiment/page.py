"""Experiment: does it matter? Change the model by hand and watch the translation change."""

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from model import Trace
from viz.pages.experiment import Experiment
from viz.pages.experiment.numbers.changes import switched_off
from viz.pages.experiment.panels import changes
from viz.pages.experiment.panels.compare import compare
from viz.pages.experiment.panels.contrast import contrast
from viz.pages.experiment.panels.find import find
from viz.pages.experiment.panels.prune import prune
from viz.pages.experiment.panels.starts import starts
from viz.pages.experiment.panels.using import using
from viz.state.language import say
from viz.state.runs import current_trace
from viz.state.session import chosen, edits, selection
from viz.widgets.controls import choose, choose_heads, choose_layer
from viz.widgets.panel import Panel

FINDINGS: dict[str, Callable[[Trace], Panel]] = {
    "find": find,
    "contrast": contrast,
    "prune": prune,
    "using": using,
}


def show() -> Panel:
    trace = current_trace()
    head_count = trace.attention["encoder"].shape[1]
    with st.container(horizontal=True, vertical_alignment="bottom", key="question"):
        st.title(say("experiment.title"), anchor=False, width="content")
        starts()
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="controls"):
        choose("kind")
        choose_layer()
        choose_heads(head_count, off=switched_off(edits()))
        changes.add(trace, selection())
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="changes"):
        choose("test", labelled=False)
        changes.chips(edits(), trace)

    test = chosen(Experiment).test
    with st.container(key="panel"):
        panel = _panel(test, trace)
    return replace(panel, explained=say(f"test.{test}.what"), title=changes.titled(edits(), trace))


def _panel(test: str, trace: Trace) -> Panel:
    if test == "compare":
        changed, made = changes.run(st.session_state.shown, edits(), trace)
        return compare(trace, changed, made)
    if not trace.scores:
        st.info(say("experiment.long"))
        return Panel()
    if edits():
        st.caption(say("findings.unchanged"))
    return FINDINGS[test](trace)
