"""Everything that is known of the chosen head: roles, measures, sentences, neighbours, ways on."""

from collections.abc import Mapping

import streamlit as st

from model.network.kinds import KINDS
from viz.components.drawing import show
from viz.figures.drawing import Drawing
from viz.pages.atlas.figures import heads as figures
from viz.pages.atlas.numbers import exemplars
from viz.pages.atlas.panels.causal_card import evidence
from viz.pages.atlas.panels.probes import corpus_of_probes, sentence
from viz.state import atlas as atlases
from viz.state import runs, session
from viz.state.language import say
from viz.state.selection import Selection
from viz.state.session import selection
from viz.widgets.names import head_name, name_of

TAUGHT = "cross"  # where Marian trains a head to align words


def card(atlas: Mapping, by: str) -> dict[str, Drawing]:
    """Everything that is known of the chosen head: roles, measures, sentences, neighbours, ways on."""
    here, link = selection(), session.link()
    where = here.kind, here.layer, here.head[0]
    entry = atlases.card(atlas, *where)
    st.subheader(head_name(*where), anchor=False)
    config = runs.translator().config
    if config.taught and where == (TAUGHT, config.depth(TAUGHT) - 1, 0):
        st.caption(say("card.taught"))
    for role in atlases.evidence(atlas, *where):
        st.caption(evidence(role))
    if not entry["roles"]:
        missing = atlases.untested(atlas)
        st.caption(say(f"card.untested.{missing}" if missing else "card.no_role"))
    found = atlases.measures(entry)
    everyone = {name: [atlases.values(atlas, name, kind) for kind in KINDS] for name in found}
    plain = [name for name in found if not name.startswith("relation.")]
    rows = [(name_of(name), found[name], atlases.most_of(name, everyone[name])) for name in plain]
    left, right = st.columns(2, gap="medium")
    with left:
        drawn = figures.card(rows, say("card.alt", head=head_name(*where)), say)
        show(drawn, key="atlas_card")
    with right:
        near = ", ".join(
            f"{head_name(where[0], layer, head)} ({distance:.2f})"
            for layer, head, distance in atlases.alike(atlas, *where)
        )
        st.caption(say("card.alike", heads=near))
        _exemplars(atlas, here, by)
        with st.container(horizontal=True, gap="small"):
            for page in ("look", "inside", "experiment"):
                seen = {"page": page, **link}
                st.page_link(session.address(page), label=say(f"{page}.short"), query_params=seen)
    return {"atlas_card": drawn}


def _exemplars(atlas: Mapping, here: Selection, by: str) -> None:
    """Sentences in which the head does this most, ordinary ones, and where it does not."""
    corpus = corpus_of_probes()
    if corpus is None:
        return
    head = here.layer * runs.translator().config.heads + here.head[0]
    offset = atlas["offsets"][here.kind][here.layer][here.head[0]]  # the one that is this head's own
    measure = f"offset.{offset}" if by == "offset" else by
    order = exemplars.ranked(corpus.found[here.kind], measure, head)
    if not order:
        st.caption(say("card.no_sentences", measure=name_of(by)))
        return
    st.caption(say("card.sentences", measure=name_of(measure)))
    for rank, number, value in exemplars.quartiles(order):
        probe = corpus.probes[number]
        st.caption(say(f"card.example.{rank}", value=f"{value:.3f}"))
        show(sentence(probe, here.kind, head, here.head[0]), key=f"exemplar_{rank}")
