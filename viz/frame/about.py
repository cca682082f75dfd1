"""About this model: its card as it ships, and what it was made from."""

import re

import streamlit as st

from model.checkpoint import SHIPPED, find
from viz.state import models, runs, taking
from viz.state.language import say
from viz.text import language_name

MARKERS = re.compile("<!-- .*? -->")  # of the card's measured parts


def about() -> None:
    @st.dialog(say("about.title"), width="large")
    def dialog() -> None:
        _choose()
        config = runs.translator().config
        st.markdown(
            say(
                "about.shape",
                source=language_name(config.source, say),
                target=language_name(config.target, say),
                layers=config.layers,
                decoder_layers=config.depth("decoder"),
                heads=config.heads,
                width=config.width,
                pieces=config.vocabulary,
            )
        )
        folder = find(runs.checkpoint())
        st.markdown(say("about.limits" if folder.parent == SHIPPED else "about.limits.other"))
        card = folder / "card.md"
        if card.exists():
            st.caption(say("about.card"))
            with st.container(height=380):
                st.markdown(MARKERS.sub("", card.read_text("utf-8")))
        else:
            st.caption(say("about.no_card"))

    dialog()


def _choose() -> None:
    """Another model, where there is one; then the page behind begins again with it."""
    names, now = models.names(), models.chosen()
    if len(names) == 1:
        return
    labels = {name: _described(name) for name in names}
    picked = st.selectbox(
        say("model.choose"), names, names.index(now), format_func=labels.__getitem__, key="model_pick"
    )
    if picked != now:
        taking.take(picked)
        st.rerun()


def _described(name: str) -> str:
    """Its name, its languages and its size."""
    config = models.shape_of(name)
    if config is None:
        return name
    languages = (language_name(each, say) for each in (config.source, config.target))
    return say("model.described", name=name, languages=" → ".join(languages), layers=config.layers)
