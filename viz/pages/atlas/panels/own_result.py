"""What was measured of one's own rows: who carries them, with intervals, and sentences."""

from collections.abc import Mapping

import streamlit as st

from model.atlas.causal.roles import LEAST
from viz.figures.drawing import Drawing
from viz.figures.numbers import fixed
from viz.pages.atlas.panels.causal_card import show_examples
from viz.pages.atlas.panels.ranking import show_ranking
from viz.state import causal
from viz.state.language import say
from viz.text import verbatim
from viz.widgets.names import head_name


def show_result(name: str, told: Mapping) -> dict[str, Drawing]:
    """Rows that count, the gap, the heads that take most of it, which of them hold, and sentences."""
    numbers = {key: fixed(told[key], 1) for key in ("gap", "low", "high")}
    counts = {"used": told["rows"], "given": told["given"], "n": told["reported"]}
    known = {"causal": {name: told}}
    having = list(causal.carriers(known))
    with st.container(key="own_told"):
        st.markdown(say("own.used", name=verbatim(name), **counts, **numbers))
        st.markdown(verbatim(_roles(told, having)))
    drawn = show_ranking(name, told, say("own.alt", name=name), "own_heads")
    st.caption(say("own.alone"))
    if having:
        best = next(head for head, _ in causal.effects_of(known, name) if head in having)
        show_examples(known, best, name)
    return {"own_heads": drawn}


def _roles(told: Mapping, having: list[causal.Where]) -> str:
    """Which heads hold on both halves; or why none can, or does."""
    chosen, reported = told["rows"] - told["reported"], told["reported"]
    if having:
        return say("own.role", heads=", ".join(head_name(*head) for head in having))
    if min(chosen, reported) < LEAST:
        return say("own.few", least=LEAST, chosen=chosen, reported=reported)
    return say("own.nobody")
