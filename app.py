"""The frame of every page: where one is, the sentence and its translation, then the page itself."""

from functools import partial, update_wrapper

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from viz import pages
from viz.components.address import address
from viz.components.library import library
from viz.frame import opening, presenter
from viz.frame.brand import brand
from viz.frame.drawer import drawer
from viz.frame.sentence import sentence_box
from viz.frame.style import style
from viz.frame.translation import tools, translation
from viz.state import narration, runs, session
from viz.state.language import choose_language, say

PAGES = pages.load(
    "home",
    "look",
    "all_heads",
    "inside",
    "positions",
    "layers",
    "decoding",
    "training",
    "why",
    "atlas",
    "experiment",
)

OPENS = "look"  # where one begins

choose_language()
st.set_page_config(page_title=say("app.title"), page_icon="🔦", layout="wide")
st.html(style())
library()


def declared(name: str, path: str, default: bool = False) -> StreamlitPage:
    shown = update_wrapper(partial(pages.show, PAGES[name]), pages.show)
    return st.Page(shown, title=say(f"{name}.short"), url_path=path, default=default)


# The address without a path shows the page that a link names: a page that moved on to its own address would
# leave a step in the browser's history that shows nothing.
asked = st.query_params.get("page")
front = asked if asked in PAGES else OPENS
opened = {name: declared(name, name) for name in PAGES}
current = st.navigation([declared(front, "front", default=True), *opened.values()], position="hidden")
page = PAGES[current.url_path or front]

try:
    with st.spinner(say("checkpoint.loading")):
        session.begin(PAGES, opened, page.name)
except ValueError as error:
    brand({})
    st.error(say("checkpoint.unusable"))
    st.text(error)
    st.stop()
if destination := session.destination():
    st.switch_page(opened[destination], query_params=session.link_to(destination))

opening.arrive(page.name)
presenter.follow_keys(page)
here = narration.settled(page.name, session.link())
session.remember(here)
listening = st.container(key="listening")
presenter.step_keys(page)  # above all else: what moves on the page must not make it start anew
if presenter.presenting():
    st.html(presenter.style())
    presenter.leave()
brand({**opened, page.name: current}, page, here)
sentence_box()
with st.spinner(say("translation.working")):
    trace = runs.current_trace()
place = translation(trace)
if presenter.presenting():
    presenter.headline(page, trace)
opening.stage(trace)
drawer(page)
current.run()
tools(place, trace)
with listening:
    address(session.write_link())
presenter.rest(page)
session.rest()
