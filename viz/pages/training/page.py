"""Training: how do heads come about? Nobody designs them: they form while a loss falls."""

from importlib import import_module

import streamlit as st

from viz.pages.training import Training
from viz.state.language import say
from viz.state.session import chosen
from viz.widgets.controls import choose
from viz.widgets.panel import Panel


def show() -> Panel:
    asked = chosen(Training)
    # Each panel is imported when somebody opens it.
    panel = import_module(f"viz.pages.training.panels.{asked.training}")
    with st.container(horizontal=True, vertical_alignment="bottom", key="question"):
        st.title(say("training.title"), anchor=False, width="content")
        st.caption(say(f"training.{asked.training}.how"))
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="controls"):
        choose("training")
        panel.controls()
    with st.container(key="panel"):
        return panel.show()
