"""Decoding: how is the translation written? One token after the other, each from those before it."""

from importlib import import_module

import streamlit as st

from viz.frame.presenter import presenting
from viz.pages.decoding.panels.here import here
from viz.state.language import say
from viz.widgets.controls import choose
from viz.widgets.panel import Panel

# Of the wall's height: where several pictures stand below each other, none may take most of it.
ON_THE_WALL = """<style>
.st-key-decoding_map { --fill: 0.26; }
.st-key-choosing_draws { --fill: 0.35; }
.st-key-picture_beam_tree { --fill: 0.32; }
.st-key-picture_memory { --fill: 0.33; }
.st-key-picture_memory_time, .st-key-picture_memory_rows { --fill: 0.24; }
</style>"""


def show() -> Panel:
    now = here()
    # Each panel is imported when somebody opens it.
    panel = import_module(f"viz.pages.decoding.panels.{now.asked.decoding}")
    if presenting():
        st.html(ON_THE_WALL)
    with st.container(horizontal=True, vertical_alignment="bottom", key="question"):
        st.title(say("decoding.title"), anchor=False, width="content")
        st.caption(say(f"decoding.{now.asked.decoding}.how"))
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="controls"):
        choose("decoding")
        panel.controls(now)
    if now.left_out:
        st.info(say("decoding.left_out"))
    with st.container(key="panel"):
        return panel.show(now)
