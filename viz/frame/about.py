"""About this model: its card as it ships, and what it was made from."""

import re

import streamlit as st

from model.checkpoint import find
from viz.state import runs
from viz.state.language import say
from viz.text import language_name

MARKERS = re.compile("<!-- .*? -->")  # of the card's measured parts


def about() -> None:
    @st.dialog(say("about.title"), width="large")
    def dialog() -> None:
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
        st.markdown(say("about.limits"))
        card = find(runs.checkpoint()) / "card.md"
        if card.exists():
            st.caption(say("about.card"))
            with st.container(height=380):
                st.markdown(MARKERS.sub("", card.read_text("utf-8")))
        else:
            st.caption(say("about.no_card"))

    dialog()
