"""Whether the visitor went back or forward in the browser: then the address says what to show."""

from streamlit.runtime.scriptrunner import get_script_run_ctx


def walking() -> bool:
    """Whether this run answers the browser's own buttons; Streamlit knows, and has no public word for it."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation
