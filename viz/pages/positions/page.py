"""Positions: how does it know the order? The table of waves, what it is good for, and a test without it."""

import streamlit as st

from viz.export import dialog as export
from viz.pages.positions.panels import laboratory as order
from viz.pages.positions.panels import run as order_run
from viz.state.session import current_trace, say
from viz.widgets.controls import choose

PANELS = {
    "table": order.table,
    "waves": order.waves,
    "shift": order.shift,
    "kinds": order.kinds,
    "terms": order_run.terms,
    "shuffle": order_run.shuffle,
}

trace = current_trace()
with st.container(horizontal=True, vertical_alignment="bottom", key="question"):
    st.title(say("positions.title"), anchor=False)
with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="controls"):
    choose("order")
    chosen = order.controls(trace)
with st.container(key="panel"):
    shown = PANELS[chosen.order](trace, chosen)
if shown:
    export.export_button(lambda: order.files(trace, chosen, shown))
