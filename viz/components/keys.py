"""Keys that step through a page, wherever the pointer is."""

from collections.abc import Callable

import streamlit as st

from viz.components import source

MARKUP = '<div class="keys"></div>\n<!-- nothing to see: it listens -->\n'

_mount = st.components.v2.component("headlight_keys", html=MARKUP, js=source.script("keys.js"))


def keys(
    *,
    steps: bool,
    leave: bool,
    on_leave: Callable[[], None],
    moves: bool = False,
    enter: bool = False,
    focus: str | None = None,
) -> None:
    """Arrow and page keys step; st.session_state["keys"]["step"] has their count so far. Escape leaves.

    With `moves`, arrows up and down, K and digits are counted in st.session_state["keys"]["moved"].
    With `enter` the Enter key steps as well, unless something else has the focus. `focus` is the key of a
    box that somebody was just asked to write in.
    """
    _mount(
        key="keys",
        data={"steps": steps, "leave": leave, "moves": moves, "enter": enter, "focus": focus},
        on_step_change=lambda: None,
        on_moved_change=lambda: None,
        on_leave_change=on_leave,
    )
