"""Why attention: what came before it, how far a word reaches, what it costs, and how it is made cheaper."""

from importlib import import_module

import streamlit as st

from viz.pages.why import Why
from viz.state.language import say
from viz.state.session import chosen
from viz.widgets.controls import choose
from viz.widgets.panel import Panel


def show() -> Panel:
    asked = chosen(Why).why
    # Each panel is imported, and what it needs loaded, when somebody opens it.
    panel = import_module(f"viz.pages.why.panels.{asked}")
    with st.container(horizontal=True, vertical_alignment="bottom", key="question"):
        st.title(say("why.title"), anchor=False, width="content")
        st.caption(say(f"why.{asked}.how"))
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="controls"):
        choose("why")
        panel.controls()
    with st.container(key="panel"):
        return panel.show()
