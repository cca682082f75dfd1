"""The heads that one phenomenon loses most without, with intervals: narrow enough for a telephone."""

from collections.abc import Mapping

import streamlit as st

from viz.components.drawing import show
from viz.figures.drawing import Drawing
from viz.pages.atlas.figures import named as figures
from viz.state import causal
from viz.state.language import say
from viz.state.session import select, selection
from viz.widgets.names import head_name

SHOWN = 8  # heads


def show_ranking(name: str, told: Mapping, title: str, key: str) -> Drawing:
    """Draw what is told of one phenomenon; a click chooses the head."""
    here = selection()
    chosen = here.kind, here.layer, here.head[0]
    rows = [
        figures.Row(head_name(*head), ".".join(map(str, head)), list(head), head == chosen, effect)
        for head, effect in causal.effects_of({"causal": {name: told}}, name)[:SHOWN]
    ]
    drawn = figures.effects(rows, title, say)

    def pick() -> None:
        kind, layer, head = st.session_state[key]["pick"]
        select(kind=kind, layer=layer, head=(head,))

    show(drawn, key=key, on_pick=pick)
    return drawn
