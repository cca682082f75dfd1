"""All heads: what patterns are there? Every head of the current sentence at once, small and exact."""

import streamlit as st

from viz.components.head_grid import Block, head_grid
from viz.export import dialog as export
from viz.figures.labels import readable
from viz.pages.all_heads.numbers import MEASURES, measures
from viz.state.picture import sides
from viz.state.selection import KINDS
from viz.state.session import current_trace, say, select, selection
from viz.widgets.controls import choose

trace = current_trace()

st.title(say("all_heads.title"), anchor=False)
with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="controls"):
    measure = choose("measure")
    reading = choose("reading")
    choose("colour")

measured = {name: measures(trace, name) for name in MEASURES}
blocks = []
for kind in KINDS:
    looking, looked_at = sides(trace, kind, reading)
    named = "source" if kind == "encoder" else f"{kind}.{reading}"
    blocks.append(
        Block(
            kind=kind,
            weights=trace.attention[kind],
            mask=trace.mask[kind],
            queries=[readable(piece, say) for piece in looking.pieces],
            keys=[readable(piece, say) for piece in looked_at.pieces],
            axes=say(f"all_heads.rows.{named}"),
            measures={name: by_kind[kind] for name, by_kind in measured.items()},
        )
    )
with st.container(key="panel"):
    opened = head_grid(blocks, selection(), say)
    if measure != "none":
        st.markdown(say(f"all_heads.seen.{measure}"))
    st.markdown(say("all_heads.seen"))

export.export_button(lambda: export.grid_files(trace, blocks, selection()))

if opened:
    select(**opened._asdict())
    st.switch_page("viz/pages/look/page.py")
