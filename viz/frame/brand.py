"""The first line of every page: the name, the pages, the language."""

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from viz.state.language import say
from viz.text import LANGUAGES


def brand(pages: Sequence[StreamlitPage], link: Mapping[str, str] | None = None) -> None:
    """The name, the pages, each with the link to what is on screen, and the language."""
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="brand"
    ):
        with st.container(horizontal=True, vertical_alignment="center", width="content", key="pages"):
            st.markdown(f"**{say('app.title')}**", width="content")
            for page in pages:
                st.page_link(page, query_params=link)
        st.segmented_control(
            say("language.label"),
            LANGUAGES,
            required=True,
            format_func={language: say(f"language.{language}") for language in LANGUAGES}.__getitem__,
            key="language",
            label_visibility="collapsed",
        )
