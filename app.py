"""The frame of every page: language and sentence, then the page itself."""

from pathlib import Path

import streamlit as st

from viz import session
from viz.session import say
from viz.text import LANGUAGES, language_name

session.choose_language()
st.set_page_config(page_title=say("app.title"), page_icon="🔦", layout="wide")
st.html(Path(__file__).parent / "viz/style.css")

with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
    st.markdown(f"**{say('app.title')}** · {say('app.tagline')}", width="content")
    st.segmented_control(
        say("language.label"),
        LANGUAGES,
        required=True,
        format_func={language: say(f"language.{language}") for language in LANGUAGES}.get,
        key="language",
        label_visibility="collapsed",
    )

try:
    with st.spinner(say("checkpoint.loading")):
        config = session.translator().config
except ValueError as error:
    st.error(say("checkpoint.unusable"))
    st.text(error)
    st.stop()

st.session_state.setdefault("sentence", session.EXAMPLE)
sentence = st.text_input(
    say("sentence.label", source=language_name(config.source, say)),
    placeholder=say("sentence.placeholder"),
    key="sentence",
)
notice = st.container()  # always there, so that a warning does not make the picture below start anew
if problem := session.refusal(sentence):
    notice.warning(problem)

# Plain text throughout: Markdown would read a sentence's stars and dollars as its own.
with st.container(key="translation", gap=None):
    st.caption(say("translation.label", target=language_name(config.target, say)))
    with st.spinner(say("translation.working")):
        trace = session.current_trace()
    st.text(trace.translation.text or say("translation.empty"))

look = st.Page("viz/pages/look.py", title=say("look.title"), default=True)
st.navigation([look], position="hidden").run()
