"""The story that the opening tells: one head with a name, and a translation that changes without it.

It is found by measuring, so it is true of whatever checkpoint is loaded: first on the sentence that the app
opens on, else on one of those that the atlas was measured on. Where no silence changes anything, there is
no story.
"""

from collections.abc import Iterator
from typing import NamedTuple

import streamlit as st

from model.inspect.edits import Edit
from model.inspect.variants import Head
from viz.state import causal, runs
from viz.state.examples import EXAMPLES

SENTENCE = EXAMPLES["she"]
LEAST = 0.2  # of a row's weight: less is no look at anything


class Story(NamedTuple):
    """A sentence, and the head without which it is translated differently from `row` on."""

    sentence: str
    kind: str
    layer: int
    head: int
    phenomena: tuple[str, ...]  # what the head has its name from
    row: int  # the position that writes, or for the encoder reads, what changes,
    column: int  # and where the head looks most from there

    @property
    def where(self) -> causal.Where:
        return self.kind, self.layer, self.head

    @property
    def edits(self) -> tuple[Edit, ...]:
        return (Head(*self.where).silenced,)


def story() -> Story | None:
    """The same for every visitor of a checkpoint."""
    return _story(runs.checkpoint())


@st.cache_resource(show_spinner=False)
def _story(checkpoint: str) -> Story | None:
    known = runs.atlas("hand")
    return next((each for each in _candidates(known) if each), None) if known else None


def _candidates(known: dict) -> Iterator[Story | None]:
    named = causal.carriers(known)
    for head, phenomena in named.items():
        yield _told(SENTENCE, head, tuple(phenomena))
    for head, phenomena in named.items():
        for name in phenomena:
            for example in causal.entry_of(causal.phenomena(known)[name], head).get("examples", ()):
                if example["before"] != example["after"]:
                    yield _told(example["sentence"], head, (name,))


def _told(sentence: str, head: causal.Where, phenomena: tuple[str, ...]) -> Story | None:
    """None where the translation stays as it is, or where the head looks at nothing in particular."""
    trace, (kind, layer, number) = runs.trace_of(sentence), head
    before = trace.target.predicted_ids
    after = runs.translator().translate(sentence, [Head(*head).silenced]).ids
    row = next((at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), None)
    if row is None or kind == "encoder":
        return None
    weights = trace.attention[kind][layer, number, row]
    column = int(weights.argmax())
    words = trace.source.words if kind == "cross" else trace.target.read_words
    if weights[column] < LEAST or words[column] < 0:
        return None
    return Story(sentence, kind, layer, number, phenomena, row, column)
