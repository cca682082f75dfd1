"""Which head matters: silenced one by one, then in pairs."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from model import Trace
from model.inspect.variants import Head, all_heads
from viz.components.drawing import show
from viz.figures import bars as figures
from viz.figures.labels import readable
from viz.pages.experiment.numbers.importance import candidates, drops, ranked, together
from viz.pages.experiment.panels.asking import ask, silenced
from viz.state import runs
from viz.state.language import say
from viz.state.session import select, selection
from viz.widgets.names import head_in_a_sentence, head_label, head_name
from viz.widgets.panel import Panel

SHOWN = 15  # heads of a ranking


def find(trace: Trace) -> Panel:
    """Every head silenced in turn, ranked by what that costs; then pairs that cost more together."""
    heads, lost = all_heads(runs.translator().config), silenced(trace)
    if lost is None:
        return Panel()
    row = _chosen_row(trace)
    words = [say("find.whole"), *(readable(piece, say) for piece in trace.target.predicted)]
    if st.session_state["found_word"] not in range(len(words)):
        st.session_state["found_word"] = 0 if row is None else row + 1
    place = st.selectbox(
        say("find.word"), range(len(words)), format_func=words.__getitem__, key="found_word", width=320
    )
    row = place - 1 if place else None
    values = drops(lost[0], lost[1:], row)
    best = ranked(values)[:SHOWN]
    strongest = heads[best[0]]
    named, change = head_in_a_sentence(*strongest), f"{-values[best[0]]:+.2f}"
    st.text(say("find.seen", head=named, word=words[place], change=change))
    drawn = figures.effects(
        [head_label(*heads[n]) for n in best], [float(values[n]) for n in best], say("find.alt"),
        picks=[list(heads[n]) for n in best], names=[".".join(map(str, heads[n])) for n in best],
        least=figures.FULL, say=say,
    )  # fmt: skip
    left, right = st.columns(2, gap="medium")
    with left:
        show(drawn, key="ranking", on_pick=_pick)
        st.caption(say("find.what"))
    with right:
        _pairs(trace, heads, values, row)
    return Panel({"ranking": drawn}, {"base": lost[0], "silenced": lost[1:], "drops": values})


def _pick() -> None:
    kind, layer, head = st.session_state["ranking"]["pick"]
    select(kind=kind, layer=layer, head=(head,))


def _pairs(trace: Trace, heads: Sequence[Head], values: np.ndarray, row: int | None) -> None:
    tried = candidates(values)
    variants = [(heads[a].silenced, heads[b].silenced) for a, b in tried]
    question = "pairs", tuple(tried)
    joint = ask(trace, question, variants, say("pairs.start", count=len(tried)), key="pairs_start")
    if joint is None:
        return
    found = together(tried, drops(trace.log_probs, joint, row), values)
    st.text(say("pairs.seen", count=len(found), all=len(tried)))
    labels = [f"{head_name(*heads[pair.first])} + {head_name(*heads[pair.second])}" for pair in found[:8]]
    if labels:
        surplus = [pair.joint - pair.alone for pair in found[:8]]
        names = [f"pair.{place}" for place in range(len(labels))]
        drawn = figures.effects(labels, surplus, say("pairs.alt"), names=names, least=figures.FULL, say=say)
        show(drawn, key="pairs")
        st.caption(say("pairs.what"))


def _chosen_row(trace: Trace) -> int | None:
    """The chosen word of the translation, if one is chosen."""
    here = selection()
    inside = here.kind != "encoder" and here.row is not None and here.row < len(trace.target.predicted)
    return here.row if inside else None
