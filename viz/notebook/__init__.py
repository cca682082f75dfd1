"""A run in a notebook: it displays itself, on any page of the app, figure by figure, and as plain tables.

from model import load
from viz.notebook import show
show(load("en-fr").trace("Good morning!"), "all_heads")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.inspect.displayed import Bundle, draws
from viz.notebook.asked import speak
from viz.notebook.atlases import atlas_table, causal_table
from viz.notebook.figures import FIGURES, figure
from viz.notebook.pages import PAGES, show
from viz.notebook.zoomed import plotly_heatmap

if TYPE_CHECKING:
    from model import Trace

__all__ = ["FIGURES", "PAGES", "atlas_table", "causal_table", "figure", "plotly_heatmap", "show", "speak"]


@draws
def _displayed(trace: Trace) -> Bundle:
    """What a run shows of itself: the lines and the map of the head that is surest of where to look."""
    return show(trace)._repr_mimebundle_()
