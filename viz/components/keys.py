"""Keys that step through a page, wherever the pointer is."""

from collections.abc import Callable

import streamlit as st

from viz.components import source

MARKUP = '<div class="keys"></div>\n<!-- nothing to see: it listens -->\n'

_mount = st.components.v2.component("headlight_keys", html=MARKUP, js=source.script("keys.js"))


def keys(*, steps: bool, leave: bool, on_leave: Callable[[], None]) -> None:
    """Arrow and page keys step; st.session_state["keys"]["step"] has their count so far. Escape leaves."""
    _mount(
        key="keys",
        data={"steps": steps, "leave": leave},
        on_step_change=lambda: None,
        on_leave_change=on_leave,
    )
