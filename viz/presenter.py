"""In front of a class: one panel in large type, keys that step through it, and nothing else on screen."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from viz import session
from viz.components.keys import keys
from viz.selection import CHOICES
from viz.session import say, select, selection

STEPS = {
    "look": "head",
    "all_heads": "measure",
    "inside": "step",
    "positions": "order",
    "layers": "journey",
    "experiment": "test",
    "atlas": "chart",
}
ALWAYS = ("inside", "positions", "layers", "experiment", "atlas")  # pages that are a row of steps anyway


def presenting() -> bool:
    return selection().present == "on"


def button() -> None:
    st.button(say("present.label"), key="start_presenting", on_click=_start, help=say("present.help"))


def style() -> str:
    """What hides everything but the panel."""
    return f"<style>{Path(__file__).with_name('presenter.css').read_text('utf-8')}</style>"


def step_keys(page: str) -> None:
    """Listen for the keys of this page."""
    keys(
        steps=presenting() or page in ALWAYS,
        leave=presenting(),
        on_step=lambda: _step(page),
        on_leave=_stop,
    )


def following(options: Sequence, now: object, by: int) -> object:
    """The option one step on or back; at either end, the end.

    >>> following("abc", "b", 1), following("abc", "c", 1)
    ('c', 'c')
    """
    return options[max(0, min(len(options) - 1, options.index(now) + by))]


def _step(page: str) -> None:
    by, name = st.session_state["keys"]["step"], STEPS[page]
    if by is None:
        return
    if name == "head":
        heads = range(session.translator().config.heads)
        select(head=(following(heads, selection().head[0], by),))
    else:
        select(**{name: following(CHOICES[name], getattr(selection(), name), by)})


def _start() -> None:
    select(present="on")
    st.toast(say("present.how"))


def _stop() -> None:
    select(present="off")
