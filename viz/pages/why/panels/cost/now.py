"""What is asked of this sentence: its positions, this model's width, and what was chosen for k and r."""

import streamlit as st

from viz.figures.labels import readable
from viz.pages.why import Why
from viz.pages.why.numbers.cost import Sizes
from viz.state import runs
from viz.state.language import say
from viz.state.session import chosen


def pieces() -> list[str]:
    """All that the encoder reads of this sentence, its end token included."""
    return [readable(piece, say) for piece in runs.translator().read(st.session_state.shown).pieces]


def sizes() -> Sizes:
    """Of this sentence."""
    asked = chosen(Why)
    return Sizes(len(pieces()), runs.translator().config.width, asked.cost_kernel, asked.cost_near)
