"""Inside a head: how does this number come about? One weight, from the stream back to the stream."""

from dataclasses import replace

import streamlit as st

from viz.export import dialog as export
from viz.frame.presenter import presenting
from viz.pages.inside import panels as inside
from viz.pages.inside.numbers import cell
from viz.state.picture import picture
from viz.state.session import current_trace, say, selection
from viz.widgets import heads
from viz.widgets.controls import choose, choose_heads, choose_layer

trace = current_trace()
layer_count, head_count = trace.attention["encoder"].shape[:2]

with st.container(horizontal=True, vertical_alignment="bottom", key="question"):
    st.title(say("inside.title"), anchor=False, width="content")
    st.caption(say("inside.what" if len(selection().head) == 1 else "inside.first"))
    choose("guess", labelled=False)
if not trace.scores:
    st.info(say("inside.long"))
    st.stop()

# One head, between pieces, as the model computes: how Look shows them is Look's own affair.
chosen = selection()
chosen = replace(
    chosen, head=chosen.head[:1], units="pieces", special="shown", weighting="weight", colour="linear"
)
shown = picture(trace, chosen, say)
at = inside.place(shown, chosen)
with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="controls"):
    choose("kind")
    choose_layer(layer_count)
    choose_heads(head_count)
    inside.choose_cell(shown, at)
choose("step")

number = cell(trace, chosen.kind, chosen.layer, chosen.head[0], *at)
inside.strip(number, chosen)
with st.container(key="panel"):
    if chosen.step == "why":
        inside.why(trace, shown, number, chosen)
    elif chosen.step == "rows":
        inside.rows(trace, number, chosen)
    elif chosen.guess == "on" or presenting():
        inside.step(number, shown, chosen, beside=True)  # without the map: it would give the answer away
    else:
        step, whole = st.columns([3, 2], gap="medium")
        with whole:
            inside.cell_map(shown, chosen, at)
        with step:
            inside.step(number, shown, chosen, beside=False)
inside.code(chosen)
export.export_button(
    lambda: export.panel_files(
        "inside", trace, chosen, inside.pictures(number, shown), inside.arrays(number),
        inside.sections(number, shown), f"{say('inside.title')} {heads.name(chosen)}",
    )
)  # fmt: skip
