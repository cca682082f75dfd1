"""Where one is: figure 1 in miniature beside the name, with the part lit that this page shows."""

from collections.abc import Mapping

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from viz.figures.miniature import PARTS, key, lit, outline
from viz.figures.palette import DARK, LIGHT
from viz.state.language import say
from viz.state.page import Page
from viz.state.session import selection


def name(home: StreamlitPage, page: Page, link: Mapping[str, str]) -> None:
    """The app's name; it leads to the whole picture, and says which part of it this is."""
    part = page.shows() if page.shows else selection().kind
    said = say("here.label", part=say(f"here.{key(part)}"))
    with st.container(key=f"here_{key(part)}", width="content"):
        st.page_link(home, label=f"**{say('app.title')}** *{said}*", query_params={"page": "home", **link})


def style() -> str:
    """The miniature as a mask over the page's own colours: it follows the theme, and travels once."""
    link = '[class*="st-key-here_"] a'
    rules = [
        f"{link}::before{{mask-image:{outline()};}}",
        f"{link}::after{{background:light-dark({LIGHT.mark},{DARK.mark});}}",
    ]
    rules += [f".st-key-here_{key(part)} a::after{{mask-image:{lit(part)};}}" for part in PARTS]
    return "\n".join(rules)
