"""Atlas: what does each head do? Measured over a corpus, beside chance and an untrained twin."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from model.atlas.roles import LEAST
from viz.frame.presenter import presenting
from viz.pages.atlas import Atlas
from viz.pages.atlas.panels import heads
from viz.pages.atlas.panels.ask import show_ask
from viz.pages.atlas.panels.card import card
from viz.pages.atlas.panels.corpus import own_corpus
from viz.pages.atlas.panels.detector import show_detector
from viz.pages.atlas.panels.film import show_film
from viz.pages.atlas.panels.matrix import choose_sort, show_matrix
from viz.pages.atlas.panels.named import choose_named, show_named
from viz.state import atlas as atlases
from viz.state import causal, models, runs
from viz.state.language import say
from viz.state.session import atlas, chosen
from viz.widgets.controls import choose
from viz.widgets.names import corpus_name, head_name
from viz.widgets.panel import Panel

CAUSAL = {"named": show_named, "matrix": show_matrix}
MEASURED = {"map": heads.show_map, "scatter": heads.show_scatter, "table": heads.show_table}


def show() -> Panel:
    own = st.session_state.get(models.own("own_atlas"))
    known = own or atlas()
    with st.container(horizontal=True, vertical_alignment="bottom", key="question"):
        st.title(say("atlas.title"), anchor=False, width="content")
        if chosen(Atlas).chart == "named" and causal.carriers(_asked()):
            choose_named(_asked())
        if known and chosen(Atlas).chart in MEASURED:
            tried, count = known["hypotheses"], known["sentences"]["measured"]
            about = {"corpus": corpus_name(known["corpus"]), "count": count}
            st.caption(_tested(atlases.untested(known), **about, tested=tried["tested"], held=tried["held"]))
        if (config := runs.translator().config).taught:
            head = head_name("cross", config.depth("cross") - 1, 0)
            st.caption(say("atlas.taught", head=head))
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="controls"):
        _controls(known, is_own=bool(own))
    asked = chosen(Atlas)
    with st.container(key="panel"):
        panel = _panel(known, asked)
    return replace(panel, explained=say(f"chart.{asked.chart}.what"))


def _tested(missing: str, **about: object) -> str:
    """What was measured and tested, and what this corpus could not be asked."""
    if missing == "all":
        return say("atlas.what.short", **about, least=LEAST)
    said = say("atlas.what", **about)
    return f"{said} {say(f'atlas.untested.{missing}')}" if missing else said


def _controls(known: Mapping | None, is_own: bool) -> None:
    chart = choose("chart")
    if chart == "matrix":
        choose_sort(_asked())
    if chart in MEASURED and not is_own:
        choose("over")
    if known and chart in MEASURED:
        heads.choose_measure(atlases.names(known), "by")
        if chart == "scatter":
            heads.choose_measure(atlases.names(known), "against")
        heads.choose_role(known)
    if chart == "detector":
        choose("rule")
        if chosen(Atlas).rule == "painted":
            choose("kind")


def _panel(known: Mapping | None, asked: Atlas) -> Panel:
    if asked.chart == "corpus":
        own_corpus()
        return Panel()
    if asked.chart == "ask":
        return show_ask()
    if asked.chart == "film":
        return show_film(known, asked)
    if asked.chart == "detector":
        return show_detector(asked)
    if not known:
        st.info(say("atlas.none"))
        return Panel()
    if asked.chart in CAUSAL:
        return CAUSAL[asked.chart](_asked(), asked)
    panel = MEASURED[asked.chart](known, asked)
    if not presenting():
        panel = replace(panel, pictures={**panel.pictures, **card(known, asked.by)})
    return panel


def _asked() -> Mapping:
    """What breaks without each head: of the contrasts that ship, and of this visitor's own."""
    known = runs.atlas("hand") or {}
    own = st.session_state.get(models.own("own_causal")) or {}
    return {**known, "causal": {**known.get("causal", {}), **own}}
