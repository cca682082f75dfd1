"""The chosen row on its way through the tiles of the chosen head, for the panel and for keys that step."""

import streamlit as st

from model import Trace
from viz.pages.why.numbers import tiles as numbers
from viz.state import runs
from viz.state.picture import sides, spoken
from viz.state.session import selection
from viz.state.tiled import blocks_of


def walk(high: int, wide: int, at: int | None) -> numbers.Walk | None:
    """None where the run is too long to keep its queries and keys."""
    here, trace = selection(), runs.current_trace()
    high, wide = fitting(trace, high, wide)
    found = blocks_of(st.session_state.shown, here.kind, here.layer, here.head[0], high, wide)
    if not found:
        return None
    looking, looked_at = sides(trace, here.kind, "read")
    return numbers.walk(found, len(looked_at.pieces), here.row, at, spoken(looking))


def fitting(trace: Trace, high: int, wide: int) -> tuple[int, int]:
    """The nearest sizes that this map is offered: of very small tiles there might be thousands."""
    shape = trace.attention[selection().kind].shape[2:]
    offered = numbers.offered(*shape)
    return max(high, offered[0][0]), max(wide, offered[1][0])


def steps(high: int, wide: int, at: int | None) -> tuple[range, int]:
    """All tiles of the row and the division at their end, and where it stands."""
    found = walk(high, wide, at)
    return (range(1), 0) if found is None else (range(len(found.block.tiles) + 1), found.at)
