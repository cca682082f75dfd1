"""Experiment: does it matter? Change the model by hand and watch the translation change."""

import streamlit as st

from viz.export import dialog as export
from viz.export.handout import Section
from viz.pages.experiment.panels import compare as experiment
from viz.pages.experiment.panels import findings
from viz.state.session import current_trace, edits, say, selection
from viz.widgets.controls import choose, choose_heads, choose_layer

trace = current_trace()
layer_count, head_count = trace.attention["encoder"].shape[:2]
chosen = selection()

with st.container(horizontal=True, vertical_alignment="bottom", key="question"):
    st.title(say("experiment.title"), anchor=False, width="content")
    experiment.starts()
with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="controls"):
    choose("kind")
    choose_layer(layer_count)
    choose_heads(head_count)
    experiment.add(trace, chosen)
with st.container(horizontal=True, gap="small", vertical_alignment="center", key="changes"):
    choose("test", labelled=False)
    experiment.chips(edits(), trace)

chosen = selection()
drawings, arrays = {}, {}
with st.container(key="panel"):
    if chosen.test == "compare":
        changed, made = experiment.run(st.session_state.shown, edits(), trace)
        drawings, arrays = experiment.compare(trace, changed, made, chosen)
    elif not trace.scores:
        st.info(say("experiment.long"))
    else:
        if edits():
            st.caption(say("findings.unchanged"))
        drawings, arrays = getattr(findings, chosen.test)(trace, chosen)

sections = [
    Section(drawing.title, drawing.svg(), say(f"test.{chosen.test}.what")) for drawing in drawings.values()
]
export.export_button(
    lambda: export.panel_files(
        "experiment", trace, chosen, {name: drawing.svg() for name, drawing in drawings.items()}, arrays,
        sections, experiment.titled(edits(), trace),
    )
)  # fmt: skip
