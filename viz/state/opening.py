"""The story that the opening tells: one head with a name, and a translation that changes without it.

It is found by measuring, so it is true of whatever checkpoint is loaded: the best of its stories, on the
sentence that the app opens on if it holds there, else on its own. Where nobody has found a story there is
none.
"""

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from model.inspect.edits import Edit
from model.inspect.variants import Head
from viz.state import causal, runs
from viz.state.examples import EXAMPLES
from viz.state.models import by_its_model

SENTENCE = EXAMPLES["she"]
LEAST = 0.2  # of a row's weight: less is no look at anything


class Story(NamedTuple):
    """A sentence, and the head without which it is translated differently from `row` on."""

    sentence: str
    kind: str
    layer: int
    head: int
    phenomenon: str  # what the head has its name from
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
@by_its_model
def _story(checkpoint: str) -> Story | None:
    stories = [each for each in runs.stories() if each["way"] == "head"]
    for each in stories[:1]:  # on the sentence that everybody sees first, only what the best one tells
        if found := _told(SENTENCE, each):
            return found
    return next((found for each in stories if (found := _told(each["sentence"], each))), None)


def _told(sentence: str, story: Mapping) -> Story | None:
    """What the head of a story does in this sentence.

    None where the translation stays as it is, or where the head looks at nothing in particular.
    """
    trace, (kind, layer, number) = runs.trace_of(sentence), causal.where(story)
    before = trace.target.predicted_ids
    after = runs.translator().translate(sentence, [Head(kind, layer, number).silenced]).ids
    row = next((at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), None)
    if row is None or kind == "encoder":
        return None
    weights = trace.attention[kind][layer, number, row]
    column = int(weights.argmax())
    words = trace.source.words if kind == "cross" else trace.target.read_words
    if weights[column] < LEAST or words[column] < 0:
        return None
    return Story(sentence, kind, layer, number, story["phenomenon"], row, column)
