"""What a narrow screen folds away: the pages behind one button on top, the controls in a sheet below.

Nothing here knows how wide the screen is. Both switches are always on the page, where a wide screen shows
neither; phone.css folds what belongs to them. A switch is a checkbox of its own, apart from its label:
the label says what is chosen and changes with every choice, and the sheet must stay open meanwhile. It
names the page, because on another page both begin folded.
"""

from html import escape

import streamlit as st

from viz.state.language import say
from viz.state.page import Page
from viz.state.session import selection
from viz.widgets.names import heads_label


def menu(page: Page) -> None:
    """The button that unfolds the pages, the language and the tools."""
    _switch("menu", page, say(f"{page.name}.short"))


def drawer(page: Page) -> None:
    """The handle of the sheet with the controls; what is chosen is written on it."""
    _switch("drawer", page, chosen_words(page))


def chosen_words(page: Page) -> str:
    """Which head, where the page looks at one, and which panel."""
    here = selection()
    parts = [heads_label(here.kind, here.layer, here.head)] if page.names_head else []
    if page.steps in page.choices.names() and page.choices.options(page.steps):
        parts.append(say(f"{page.steps}.{st.session_state[page.steps]}"))
    return " · ".join(parts)


def _switch(name: str, page: Page, label: str) -> None:
    with st.container(key=name, gap=None, width="content"):
        st.html(f'<input type="checkbox" id="{name}_switch" data-page="{page.name}">')
        st.html(f'<label for="{name}_switch">{escape(label)}</label>')
