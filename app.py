"""The frame of every page: where one is, the sentence and its translation, then the page itself."""

from functools import partial, update_wrapper

import streamlit as st

from viz import pages
from viz.components.library import library
from viz.frame import presenter
from viz.frame.brand import brand
from viz.frame.sentence import sentence_box
from viz.frame.style import style
from viz.frame.translation import translation
from viz.state import runs, session
from viz.state.language import choose_language, say

PAGES = pages.load(
    "look",
    "all_heads",
    "inside",
    "positions",
    "layers",
    "atlas",
    "experiment",
)

choose_language()
st.set_page_config(page_title=say("app.title"), page_icon="🔦", layout="wide")
st.html(style())
library()

opened = {
    name: st.Page(
        update_wrapper(partial(pages.show, page), pages.show),
        title=say(f"{name}.short"),
        url_path=name,
        default=name == next(iter(PAGES)),
    )
    for name, page in PAGES.items()
}
current = st.navigation(list(opened.values()), position="hidden")

try:
    with st.spinner(say("checkpoint.loading")):
        session.begin(PAGES, opened)
except ValueError as error:
    brand([])
    st.error(say("checkpoint.unusable"))
    st.text(error)
    st.stop()
if destination := session.destination():
    st.switch_page(opened[destination])

page = PAGES[current.url_path or next(iter(PAGES))]
presenter.follow_keys(page)
here = session.link()
session.remember(here)
presenter.step_keys(page)  # above all else: what moves on the page must not make it start anew
if presenter.presenting():
    st.html(presenter.style())
    presenter.leave()
brand(list(opened.values()), here)
sentence_box()
with st.spinner(say("translation.working")):
    trace = runs.current_trace()
translation(trace)
current.run()
session.write_link(current.url_path or None)
presenter.rest(page)
session.rest()
