"""The first line of every page: the name, the pages, the language."""

from collections.abc import Mapping
from types import MappingProxyType

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from viz.frame import here
from viz.frame.drawer import menu
from viz.state.language import say
from viz.state.page import Page
from viz.text import LANGUAGES

NOTHING: Mapping[str, str] = MappingProxyType({})


def brand(
    pages: Mapping[str, StreamlitPage], page: Page | None = None, link: Mapping[str, str] = NOTHING
) -> None:
    """The name, the pages, each with the link to what is on screen, and the language."""
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="brand"
    ):
        with st.container(horizontal=True, vertical_alignment="center", width="content", key="pages"):
            if page:
                here.name(pages["home"], page, link)
                menu(page)
            else:
                st.markdown(f"**{say('app.title')}**", width="content")
            for name, each in pages.items():
                st.page_link(each, query_params={"page": name, **link})
        st.segmented_control(
            say("language.label"),
            LANGUAGES,
            required=True,
            format_func={language: say(f"language.{language}") for language in LANGUAGES}.__getitem__,
            key="language",
            label_visibility="collapsed",
        )
