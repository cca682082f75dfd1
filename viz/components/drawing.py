"""A drawing of viz/figures/drawing.py on the page: in the theme's colours, with numbers under the pointer."""

from collections.abc import Callable

from viz.components import source
from viz.components.library import view
from viz.figures.drawing import Drawing

MARKUP = """
<div class="drawing" role="figure">
  <svg></svg>
  <div class="tip" role="status" hidden></div>
</div>
"""

STYLE = source.style("drawing/view.css")

_mount = view("drawing", html=MARKUP, css=STYLE)


def show(drawing: Drawing, *, key: str, on_pick: Callable[[], None] | None = None) -> None:
    """Draw it; what was picked is in st.session_state[key]["pick"] while `on_pick` runs."""
    _mount(key=key, data=drawing.data(), on_pick_change=on_pick or (lambda: None))
