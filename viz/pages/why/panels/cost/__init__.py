"""What does it cost? The paper's table, times of this machine, what runs at once, and two kinds of scores."""

from importlib import import_module

import streamlit as st

from viz.pages.why import Why
from viz.state.language import say
from viz.state.session import chosen
from viz.widgets.controls import choose, choose_layer
from viz.widgets.panel import Panel

ASKED = {"table": ("cost_words", "cost_kernel", "cost_near"), "times": ("cost_kernel",)}  # sliders of a view


def controls() -> None:
    choose("cost_view")
    for name in ASKED.get(chosen(Why).cost_view, ()):
        labels = {number: _written(number) for number in Why.options(name)}
        st.select_slider(say(f"{name}.label"), labels, key=name, width=170, format_func=labels.__getitem__)
    if chosen(Why).cost_view == "scores":
        choose_layer()


def show() -> Panel:
    panel: Panel = import_module(f"viz.pages.why.panels.cost.{chosen(Why).cost_view}").show()
    return panel


def _written(number: int) -> str:
    """Nothing stands for what this sentence has."""
    return f"{number:,}" if number else say("cost_words.own")
