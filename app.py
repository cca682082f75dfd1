"""The frame of every page: where one is, the sentence and its translation, then the page itself."""

from pathlib import Path

import streamlit as st

from viz.frame import presenter
from viz.frame import top as frame
from viz.frame.style import style
from viz.state import session
from viz.state.session import say

session.choose_language()
st.set_page_config(page_title=say("app.title"), page_icon="🔦", layout="wide")
st.html(style())

PAGES = {
    name: st.Page(
        f"viz/pages/{name}/page.py", title=say(f"{name}.short"), url_path=name, default=name == "look"
    )
    for name in ("look", "all_heads", "inside", "positions", "layers", "atlas", "experiment")
}
page = st.navigation(list(PAGES.values()), position="hidden")

try:
    with st.spinner(say("checkpoint.loading")):
        session.begin(PAGES)
        session.remember()
except ValueError as error:
    frame.brand([])
    st.error(say("checkpoint.unusable"))
    st.text(error)
    st.stop()

name = Path(page.url_path).name or None
presenter.follow_keys(name or "look")
presenter.step_keys(name or "look")  # above all else: what moves on the page must not make it start anew
if presenter.presenting():
    st.html(presenter.style())
    presenter.leave()
frame.brand(list(PAGES.values()))
frame.sentence_box()
with st.spinner(say("translation.working")):
    trace = session.current_trace()
frame.translation(trace)
page.run()
session.write_link(name)
presenter.rest(name or "look")
session.rest()
