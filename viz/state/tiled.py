"""A head's attention once more, tile by tile: computed once for all visitors."""

import streamlit as st

from model.inspect.tiles import Block, blocks
from viz.state import runs
from viz.state.models import by_its_model


def blocks_of(text: str, kind: str, layer: int, head: int, high: int, wide: int) -> tuple[Block, ...]:
    """All rows of this head of the run of a sentence; none where the run is too long to keep its queries."""
    return _blocks(runs.checkpoint(), text, kind, layer, head, high, wide)


@st.cache_resource(show_spinner=False, max_entries=16)
@by_its_model
def _blocks(
    name: str, text: str, kind: str, layer: int, head: int, high: int, wide: int
) -> tuple[Block, ...]:
    trace = runs.trace_of(text)
    if kind not in trace.query:
        return ()
    query, key, value, mask = (
        each[kind][layer, head] for each in (trace.query, trace.key, trace.value, trace.mask)
    )
    return tuple(blocks(query, key, value, mask, high, wide))
