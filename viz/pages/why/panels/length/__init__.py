"""Longer sentences: how well five architectures translate by length, and this sentence by all five at once.

The curves were measured once and are drawn first; the networks are loaded after that, for this sentence.
"""

from dataclasses import replace

import streamlit as st

from viz.frame.presenter import presenting
from viz.pages.why import Why
from viz.pages.why.panels.length import looks, measured, own
from viz.state.language import say
from viz.state.rivals import NAMES
from viz.state.session import chosen, select
from viz.text import verbatim
from viz.widgets.controls import choose
from viz.widgets.panel import Panel

# Of the wall's height: two pictures stand below each other.
ON_THE_WALL = """<style>
.st-key-picture_why_length, .st-key-picture_why_row { --fill: 0.33; }
.st-key-picture_why_written { --fill: 0.3; }
.st-key-picture_why_maps { --fill: 0.38; }
</style>"""


def controls() -> None:
    if choose("length_view") == "looks":  # among the translations one chooses by clicking on them
        choose("network", NAMES, lambda name: say(f"network.{name}.short"))


def show() -> Panel:
    if presenting():
        st.html(ON_THE_WALL)
    return looks.show() if chosen(Why).length_view == "looks" else _quality()


def _offer() -> Panel:
    """The five are loaded when somebody asks for them."""
    st.button(say("why.length.ask"), key="ask_five", on_click=select, kwargs={"five": "asked"})
    return Panel()


def _quality() -> Panel:
    """What was measured, and below it what the five make of this sentence."""
    whole = measured.show()
    mine = own.show() if chosen(Why).five == "asked" else _offer()
    if not presenting():  # there the presenter explains
        for each in filter(None, (whole.explained, mine.explained)):
            st.caption(verbatim(each))
        measured.show_fair()
    told = {name: f"{each.finding} {each.explained}" for each in (whole, mine) for name in each.pictures}
    pictures, arrays = {**whole.pictures, **mine.pictures}, {**whole.arrays, **mine.arrays}
    return replace(whole, pictures=pictures, arrays=arrays, said=told)
