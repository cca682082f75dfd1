"""Look: where does each word look? Chosen heads of one layer, as lines and as a map."""

from functools import partial

import streamlit as st

from viz.components.head_view import head_view
from viz.export import dialog as export
from viz.pages.look import panels as compare
from viz.pages.look import pieces
from viz.state.picture import picture
from viz.state.session import comparison, current_trace, say, selection
from viz.widgets import heads
from viz.widgets.controls import choose, choose_heads, choose_layer

if st.session_state.pop("to_inside", False):  # a cell was clicked
    st.switch_page("viz/pages/inside/page.py")

trace = current_trace()
layer_count, head_count = trace.attention["encoder"].shape[:2]

with st.container(horizontal=True, vertical_alignment="bottom", key="question"):
    st.title(say("look.title"), anchor=False, width="content")
    st.caption(say(f"origin.{selection().kind}"))
    pieces.pieces(trace)
with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="controls"):
    choose("kind")
    choose_layer(layer_count)
    choose_heads(head_count)
    heads.more()
    compare.choose_comparison()
compare.choose_other()

chosen = selection()
shown = picture(trace, chosen, say)
with st.container(key="panel"):
    if comparison().compare == "none":
        lines, grid = st.columns([2, 3], gap="medium")
        with grid:
            heads.draw(shown, chosen)
    else:
        compare.compare(trace, shown, chosen)
        lines = st.container()
    with lines:
        head_view(
            shown, key="head_view", say=say, layer=chosen.layer,
            row=shown.row_of(chosen.row), column=shown.column_of(chosen.column),
            on_pick=partial(heads.pick, "head_view"), on_solo=heads.solo,
        )  # fmt: skip
    heads.findings(shown, chosen)
export.export_button(lambda: export.look_files(trace, shown, chosen))
