"""How the visitor came here: back or forward in the browser, or from another page."""

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx


def walking() -> bool:
    """Whether this run answers the browser's own buttons: then the address says what to show.

    Streamlit knows, and has no public word for it.
    """
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def arriving() -> bool:
    """Whether the page was just opened: the last run that came to its end showed another, or none."""
    return st.session_state.get("rested_at") != st.session_state.here
