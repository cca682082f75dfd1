"""One word in two sentences: how alike its vectors are, layer by layer, and where they part more."""

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st

from model import Trace
from viz.figures.numbers import fixed
from viz.pages.look.comparison import Comparison
from viz.pages.look.figures import cosine_by_layer, cosines
from viz.pages.look.numbers import common_words
from viz.state import runs
from viz.state.examples import EXAMPLES
from viz.state.language import say
from viz.state.runs import trace_of
from viz.state.session import chosen, select
from viz.text import verbatim

LITTLE = 0.05  # of a cosine: two vectors that differ less point the same way
Vectors = tuple[np.ndarray, np.ndarray]  # of one word in two sentences, (L + 1, D) each


class Parting(NamedTuple):
    """A word of this sentence whose vectors part in another one."""

    fall: float
    text: str
    word: str
    alike: np.ndarray  # (L + 1)


def same_word() -> tuple[str, Vectors] | None:
    """The chosen word of both sentences, and its vectors in each on their way up; None: there is none."""
    found = vectors(runs.current_trace(), trace_of(chosen(Comparison).other_text))
    word = st.session_state["cosine_word"]
    return (word, found[word]) if word in found else None


def show_same_word(trace: Trace, other: Trace) -> None:
    """One word of both sentences: how alike its vectors are, layer by layer."""
    options = list(common_words(trace.source, other.source))
    if not options:
        st.caption(say("cosine.none"))
        return
    if st.session_state["cosine_word"] not in options:
        last = {word: float(cosines(*both)[-1]) for word, both in vectors(trace, other).items()}
        st.session_state["cosine_word"] = min(options, key=lambda word: last.get(word, 0))
    st.selectbox(say("cosine.label"), options, key="cosine_word", width=260)
    found = same_word()
    if found is None:
        st.caption(say("cosine.too_long"))
        return
    word, heights = found
    st.plotly_chart(cosine_by_layer(*heights, say), key="cosine", alt=say("cosine.alt", word=word))
    alike = cosines(*heights)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(verbatim(told(word, alike)))
        if alike[0] - alike[-1] < LITTLE and (more := parting(trace)):
            label = say("cosine.elsewhere", word=more.word, first=fixed(more.alike[0], 2),
                        last=fixed(more.alike[-1], 2))  # fmt: skip
            where = partial(select, other_text=more.text, cosine_word=more.word)
            st.button(verbatim(label), key="cosine_go", help=verbatim(more.text), on_click=where)


def told(word: str, alike: np.ndarray) -> str:
    """What becomes of a word on its way up, in this pair's own numbers."""
    falls = alike[:-1] - alike[1:]
    numbers = {"first": fixed(alike[0], 2), "last": fixed(alike[-1], 2), "word": word}
    if alike[0] - alike[-1] < LITTLE:
        return say("cosine.same", **numbers)
    most = int(falls.argmax())
    fall = {"layer": most + 1, "before": fixed(alike[most], 2), "after": fixed(alike[most + 1], 2)}
    return say("cosine.apart", **numbers, **fall)


def parting(trace: Trace) -> Parting | None:
    """Of our examples, the one in which a word of this sentence parts most from its use here."""
    found = []
    for text in EXAMPLES.values():
        if text == st.session_state.shown:
            continue
        for word, both in vectors(trace, trace_of(text)).items():
            alike = cosines(*both)
            found.append(Parting(float(alike[0] - alike[-1]), text, word, alike))
    best = max(found, key=lambda each: each.fall, default=None)
    return best if best and best.fall >= LITTLE else None


def vectors(first: Trace, other: Trace) -> dict[str, Vectors]:
    """Every word of both sentences with its vectors in each; none where a run was too long to keep them."""
    streams = [each.stream["encoder"] for each in (first, other)]
    if not all(streams):
        return {}
    return {
        word: (_heights(streams[0], places[0]), _heights(streams[1], places[1]))
        for word, places in common_words(first.source, other.source).items()
    }


def _heights(stream: Mapping[str, np.ndarray], places: tuple[int, ...]) -> np.ndarray:
    """The word's vector on its way up: what goes in, then after each layer. (L + 1, D)"""
    paths = ["encoder.embedding.sum", *(path for path in stream if path.endswith("after_feed_forward"))]
    return np.stack([stream[path][list(places)].mean(0) for path in paths])
