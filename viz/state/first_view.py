"""What one sees first of a model: the cross-attention head that looks at the word it is about to translate.

Where the atlas knows none, the one that is surest of where to look in our example. It depends on the
checkpoint alone, so that everybody opens the same one.
"""

import numpy as np
import streamlit as st

from viz.state import runs
from viz.state.atlas import aligner
from viz.state.examples import EXAMPLES
from viz.state.models import by_its_model
from viz.state.selection import Selection


def first_view() -> Selection:
    return _first_view(runs.checkpoint())


@st.cache_resource(show_spinner=False)
@by_its_model
def _first_view(name: str) -> Selection:
    measured = runs.atlas("hand")
    place = measured and aligner(measured)
    if not place:
        surest = runs.trace_of(EXAMPLES["she"]).attention["cross"].max(-1).mean(-1)  # (L, H)
        place = np.unravel_index(surest.argmax(), surest.shape)
    layer, head = place
    return Selection(layer=int(layer), head=(int(head),))
