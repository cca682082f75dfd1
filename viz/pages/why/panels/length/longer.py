"""Ways to make the sentence longer: one of our own that grows clause by clause, and one's own once more."""

import streamlit as st

from viz.state import session
from viz.state.language import say

GROWING = (
    "The woman bought some bread",
    " and some cheese for her children",
    " because they were hungry after school,",
    " but when she came home the house was empty",
    " and nobody had left a message on the kitchen table",
)
MOST = 60  # words from which on a sentence is not offered once more


def grown(clauses: int) -> str:
    """Our sentence with so many of its clauses.

    >>> grown(3)
    'The woman bought some bread and some cheese for her children because they were hungry after school.'
    """
    return "".join(GROWING[:clauses]).rstrip(",") + "."


def offer_longer(text: str) -> None:
    """A row of buttons; each puts another sentence into the box."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="longer"):
        st.caption(say("why.length.longer"), width="content")
        for clauses in range(1, len(GROWING) + 1):
            sentence = grown(clauses)
            st.button(
                say("why.length.grown", words=len(sentence.split())), key=f"grown_{clauses}",
                on_click=session.write, args=(sentence,), disabled=sentence == text, help=sentence,
            )  # fmt: skip
        if len(text.split()) <= MOST:
            st.button(
                say("why.length.again"), key="sentence_again", on_click=session.write,
                args=(f"{text} {text}",), help=say("why.length.again.help"),
            )  # fmt: skip
