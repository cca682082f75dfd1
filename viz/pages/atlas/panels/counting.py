"""A bar that tells how far a long measurement is, and a button that stops it."""

import streamlit as st

from viz.pages.atlas.numbers.measuring import Progress
from viz.state.language import say


def counting_bar(count: int, key: str) -> Progress:
    """Draw it, and give the function that moves it on."""
    with st.container(horizontal=True, vertical_alignment="center"):
        bar = st.progress(0.0, text=say("corpus.working"))
        st.button(say("busy.stop"), key=key)  # a click ends this run of the page, and so the work

    def progress(done: int | None) -> None:
        if done is None:
            bar.progress(0.0, text=say("corpus.waiting"))
        elif done < count:
            bar.progress(done / count, text=say("busy.far", done=done, all=count))
        else:
            bar.progress(1.0, text=say("corpus.last", all=count))

    return progress
