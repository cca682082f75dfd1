"""Keys that step through a page, wherever the pointer is."""

from collections.abc import Callable

import streamlit as st

from viz.components import source

MARKUP = '<div class="keys"></div>\n<!-- nothing to see: it listens -->\n'

_mount = st.components.v2.component("headlight_keys", html=MARKUP, js=source.script("keys.js"))


def keys(*, steps: bool, leave: bool, on_step: Callable[[], None], on_leave: Callable[[], None]) -> None:
    """Arrow and page keys step by st.session_state["keys"]["step"]; Escape leaves."""
    _mount(
        key="keys",
        data={"steps": steps, "leave": leave},
        on_step_change=on_step,
        on_leave_change=on_leave,
    )
