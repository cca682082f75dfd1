"""In front of a class there are no controls: keys choose the kind, the layer and the head.

As with steps (presenter.py), the browser counts what was pressed, and we count from the last run that
came to its end.
"""

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from model.network.kinds import KINDS
from viz.state import runs
from viz.state.session import select, selection


class Rest(NamedTuple):
    """What had been pressed and what was shown when the last whole run ended."""

    moved: Mapping
    kind: str
    layer: int


def follow() -> None:
    """Go as far as was pressed since the last whole run."""
    moved = _moved()
    rest: Rest | None = st.session_state.get("moves_rest")
    if not moved or rest is None:
        return
    known = rest.moved.get("listener") == moved["listener"]
    presses, kinds, layers, heads = (
        moved[name] - (rest.moved[name] if known else 0) for name in ("presses", "kind", "layer", "heads")
    )
    if not presses:
        return
    config, order = runs.translator().config, tuple(KINDS)
    # There and back again, too: a run that was cut short may have left the page between.
    kind = order[(order.index(rest.kind) + kinds) % len(order)]
    select(kind=kind, layer=max(0, min(config.depth(kind) - 1, rest.layer + layers)))
    if heads and moved["head"] < config.heads:
        select(head=(moved["head"],))


def rest() -> None:
    """This run has come to its end: count from here."""
    here = selection()
    st.session_state["moves_rest"] = Rest(_moved(), here.kind, here.layer)


def _moved() -> Mapping:
    return (st.session_state.get("keys") or {}).get("moved") or {}
