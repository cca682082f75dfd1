"""The code of our views, sent to a browser once.

Streamlit sends a view's script with every message of the view, and a message whose every byte it has sent
before as a few letters that stand for it. Data changes with every click, and the script would travel with
it. So all scripts stand in one message that never changes, and each view's own only waits for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from viz.components import source

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

VIEWS = {
    "heatmap": "heatmap/view.js",
    "head_view": "head_view/view.js",
    "head_grid": "head_grid/view.js",
    "drawing": "drawing/view.js",
    "film": "film/view.js",
    "save_png": "save_png.js",
}
MARKUP = '<div class="library"></div>\n<!-- nothing to see: the code of what is -->\n'

_mount = st.components.v2.component("headlight_library", html=MARKUP, js=source.library(VIEWS))


def library() -> None:
    """Bring the code of all views to this page; once in every run."""
    _mount(key="library")


def view(name: str, *, html: str, css: str) -> ComponentRenderer:
    """A view of the library, to be mounted with its data."""
    waiting = source.script("waiting.js").replace("the view's name", name)
    return st.components.v2.component(f"headlight_{name}", html=html, css=css, js=waiting)
