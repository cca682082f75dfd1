"""How far does a word reach? Measured in three networks on this sentence, and as a path of hops."""

from importlib import import_module

import streamlit as st

from viz.pages.why import Why
from viz.state.language import say
from viz.state.session import chosen
from viz.widgets.controls import choose
from viz.widgets.panel import Panel

SLIDERS = ("cost_kernel", "reach_dilation", "reach_window", "reach_layers")


def controls() -> None:
    if choose("reach_view") == "measured":
        choose("reach_depth")
        return
    for name in SLIDERS:
        st.select_slider(say(f"{name}.label"), Why.options(name), key=name, width=130)


def show() -> Panel:
    panel: Panel = import_module(f"viz.pages.why.panels.reach.{chosen(Why).reach_view}").show()
    return panel
