"""A drawing of viz/figures/drawing.py on the page: in the theme's colours, with numbers under the pointer."""

from collections.abc import Callable

import streamlit as st

from viz.components import source
from viz.figures.drawing import Drawing

MARKUP = """
<div class="drawing" role="figure">
  <svg></svg>
  <div class="tip" role="status" hidden></div>
</div>
"""

_mount = st.components.v2.component(
    "headlight_drawing",
    html=MARKUP,
    css=source.style("drawing/view.css"),
    js=source.script("drawing/view.js"),
)


def show(drawing: Drawing, *, key: str, on_pick: Callable[[], None] | None = None) -> None:
    """Draw it; what was picked is in st.session_state[key]["pick"] while `on_pick` runs."""
    _mount(key=key, data=drawing.data(), on_pick_change=on_pick or (lambda: None))
