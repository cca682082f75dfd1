"""What is chosen stays: from page to page, and within the model, whose stacks need not be equally deep."""

import streamlit as st

from viz.state import runs


def keep(*names: str) -> None:
    """Say again what these hold, and that no layer is chosen which is not there."""
    for name in names:
        st.session_state[name] = st.session_state[name]
    stay_within()


def stay_within() -> None:
    """The top layer of the chosen kind, where another kind has more. Before widgets are drawn."""
    depth = runs.translator().config.depth(st.session_state.get("kind", "encoder"))
    for name in ("layer", "other_layer"):
        if (st.session_state.get(name) or 0) >= depth:
            st.session_state[name] = depth - 1
