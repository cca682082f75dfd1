"""Layers: what does each layer do? The architecture, and one token's way up through it."""

import streamlit as st

from viz.export import dialog as export
from viz.frame import presenter
from viz.pages.layers import panels as journey
from viz.state.session import current_trace, say

trace = current_trace()

with st.container(horizontal=True, vertical_alignment="bottom", key="question"):
    st.title(say("layers.title"), anchor=False, width="content")
    st.caption(say("layers.how"))
with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="controls"):
    journey.controls(trace)

now = journey.here(trace)
if presenter.presenting():
    # The wall has room for one thing: the diagram would take half of it.
    drawn, right = journey.architecture(now), st.container()
else:
    left, right = st.columns([1, 1.85], gap="medium")
    with left, st.container(key="aside"):
        drawn = journey.show_architecture(now)
with right, st.container(key="panel"):
    panel = journey.show_panel(now)
export.export_button(lambda: journey.files(now, drawn, panel))
