"""Look: where does each word look? Chosen heads of one layer, as lines and as a map."""

from functools import partial

import streamlit as st

from viz.components.head_view import head_view
from viz.frame.presenter import presenting
from viz.pages.look import panels
from viz.pages.look.comparison import Comparison
from viz.pages.look.pieces import pieces
from viz.pages.look.take_home import take_home
from viz.state.language import say
from viz.state.picture import Picture, picture
from viz.state.runs import current_trace
from viz.state.selection import Selection
from viz.state.session import chosen, selection
from viz.widgets import heads
from viz.widgets.controls import choose, choose_heads, choose_layer
from viz.widgets.findings import findings
from viz.widgets.panel import Panel


def show() -> Panel:
    trace = current_trace()
    head_count = trace.attention["encoder"].shape[1]

    question = st.container(horizontal=True, vertical_alignment="bottom", key="question")
    controls = st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="controls")
    panels.choose_other()

    # The picture first: it is what one waits for. The rest takes its place above it meanwhile.
    here = selection()
    shown = picture(trace, here, say)
    panel = st.container(key="panel")
    with panel:
        if chosen(Comparison).compare == "none":
            lines, grid = st.columns([2, 3], gap="medium")
            with grid:
                heads.draw(shown, here)
            with lines:
                _lines(shown, here)
        else:
            panels.compare(trace, shown, here)
            if not presenting():  # a wall has room for the maps
                _lines(shown, here)
    with question:
        st.title(say("look.title"), anchor=False, width="content")
        st.caption(say(f"origin.{here.kind}"))
        pieces(trace)
    with controls:
        choose("kind")
        choose_layer()
        choose_heads(head_count)
        heads.more()
        panels.choose_comparison()
    with panel:
        findings(shown, here)
    return take_home(trace, shown, here)


def _lines(shown: Picture, here: Selection) -> None:
    head_view(
        shown, key="head_view", say=say, layer=here.layer,
        row=shown.row_of(here.row), column=shown.column_of(here.column),
        on_pick=partial(heads.pick, "head_view"), on_solo=heads.solo,
    )  # fmt: skip
