"""The language of this visitor, and `say`, which speaks it."""

import streamlit as st

from viz.state.walking import walking
from viz.text import LANGUAGES, translate


def say(key: str, **values: object) -> str:
    """A sentence in this visitor's language."""
    return translate(st.session_state.language)(key, **values)


def choose_language() -> None:
    """The link's language; else, until somebody chooses, as their browser speaks."""
    spoken = (st.query_params.get("lang"), (st.context.locale or "")[:2], LANGUAGES[0])
    known = st.session_state.get("language") in LANGUAGES  # a control may lose its value on the way
    if not known or (walking() and spoken[0] in LANGUAGES):
        st.session_state["language"] = next(each for each in spoken if each in LANGUAGES)
