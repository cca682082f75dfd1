"""Atlas: what does each head do? Measured over a corpus, beside chance and an untrained twin."""

import streamlit as st

from viz.export import dialog as export
from viz.export.handout import Section
from viz.frame.presenter import presenting
from viz.pages.atlas.panels import heads as parts
from viz.pages.atlas.panels.corpus import own_corpus
from viz.pages.atlas.panels.film import chart_film
from viz.state import atlas as atlases
from viz.state.session import atlas, current_trace, say, selection
from viz.widgets.controls import choose
from viz.widgets.names import corpus_name

own = st.session_state.get("own_atlas")
known = own or atlas()
with st.container(horizontal=True, vertical_alignment="bottom", key="question"):
    st.title(say("atlas.title"), anchor=False, width="content")
    if known:
        tried = known["hypotheses"]
        count = known["sentences"]["measured"]
        corpus = corpus_name(known["corpus"])
        st.caption(say("atlas.what", corpus=corpus, count=count, tested=tried["tested"], held=tried["held"]))
with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="controls"):
    chart = choose("chart")
    if chart in ("map", "scatter", "table") and not own:
        choose("over")
    if known and chart in ("map", "scatter", "table"):
        parts.choose_measure(atlases.names(known), "by")
        if chart == "scatter":
            parts.choose_measure(atlases.names(known), "against")
        parts.choose_role(known)
    if chart == "detector":
        choose("rule")
        if selection().rule == "painted":
            choose("kind")

chosen = selection()
drawings, arrays = {}, {}
with st.container(key="panel"):
    if chart == "corpus":
        own_corpus()
    elif chart == "film":
        drawings, arrays = chart_film(known, chosen)
    elif chart == "detector":
        drawings, arrays = parts.chart_detector(chosen)
    elif not known:
        st.info(say("atlas.none"))
    else:
        drawings, arrays = getattr(parts, f"chart_{chart}")(known, chosen)
        if not presenting():
            drawings |= parts.card(known, chosen)

what = say(f"chart.{chart}.what")
sections = [Section(drawing.title, drawing.svg(), what) for drawing in drawings.values()]
export.export_button(
    lambda: export.panel_files(
        "atlas", current_trace(), chosen, {name: drawing.svg() for name, drawing in drawings.items()}, arrays,
        sections, say("atlas.title"),
    )
)  # fmt: skip
