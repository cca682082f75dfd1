"""Questions that take many runs: asked by a click, answered once for everybody, stopped by another click."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from model import Trace
from model.inspect.edits import Edit
from model.inspect.variants import BATCH, Read, all_heads, each_variant, log_probs_of
from viz.state import runs
from viz.state.kept import Kept
from viz.state.language import say


def ask(
    trace: Trace, question: tuple, variants: Sequence[tuple[Edit, ...]], label: str, *, key: str,
    read: Read | None = None, at_once: bool = False,
) -> np.ndarray | None:  # fmt: skip
    """The finding, once somebody has asked for it; a bar tells how far it is and a click stops it.

    Where the click that led here has asked already, it starts `at_once`.
    """
    asked = runs.checkpoint(), st.session_state.shown, *question
    if (found := _kept().get(asked)) is not None:
        return found
    if len(variants) > BATCH and not at_once and not st.button(label, key=key, type="primary"):
        st.caption(say("busy.what", count=len(variants)))
        return None
    ids = trace.target.predicted_ids
    batches = each_variant(
        runs.translator().model, trace.source.ids, ids, variants, read or log_probs_of(ids)
    )
    found, bar = [], None
    if len(variants) > BATCH:
        with st.container(horizontal=True, vertical_alignment="center", key="busy"):
            bar = st.progress(0.0, text=label)
            st.button(say("busy.stop"), key="stop")  # a click ends this run of the page, and so the work
    for batch in batches:
        found.append(batch)
        if bar:
            done = sum(map(len, found))
            bar.progress(done / len(variants), text=say("busy.far", done=done, all=len(variants)))
    _kept().put(asked, np.concatenate(found))
    if bar:
        st.rerun()
    return _kept().get(asked)


def silenced(trace: Trace) -> np.ndarray | None:
    """Log-probabilities as they are, then with each head silenced: (1 + heads, T)."""
    heads = all_heads(runs.translator().config)
    variants = [(), *((head.silenced,) for head in heads)]
    return ask(trace, ("silence",), variants, say("find.start", count=len(heads)), key="find_start")


@st.cache_resource(show_spinner=False)
def _kept() -> Kept:
    return Kept()
