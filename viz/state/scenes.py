"""Scenes to begin with: a sentence, the page and the head to see it with, and one thing that is true of it.

They are chosen by measuring: a claim that does not hold on the loaded checkpoint is not made. What is said
is a key of text.toml and its values; a head or a phenomenon among them gets its name where it is shown.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
import streamlit as st

from model import Trace
from viz.figures.changes import changes
from viz.figures.labels import SPACE, join
from viz.state import runs
from viz.state.atlas import aligner, evidence
from viz.state.causal import Where, where
from viz.state.examples import EXAMPLES
from viz.state.models import by_its_model

STORIES = {"head": 4, "hide": 1, "order": 1}  # so many of each way to change the model
SURE = 0.5  # of a row's weight: it looks at one place
HABITS = {"previous": -1, "next": 1, "self": 0}  # where the key stands, seen from the token of the row
RARE = 3  # tokens: a word that falls into so many is a rare one
SENTENCE, WORD = EXAMPLES["she"], "watch"


@dataclass(frozen=True)
class Scene:
    """`told` ends a key of text.toml; the picture is two words, or the lines of a head."""

    name: str  # in links
    told: str
    sentence: str
    page: str = "look"
    view: Mapping[str, object] = field(default_factory=dict)
    edits: str = "[]"  # as links carry them
    values: Mapping[str, object] = field(default_factory=dict)
    words: tuple[str, str] | None = None
    weights: np.ndarray | None = None  # (Q, K),
    hue: int = 0  # of this head


def scenes() -> Sequence[Scene]:
    """The same for every visitor of a checkpoint."""
    return _scenes(runs.checkpoint())


def scene(name: str) -> Scene | None:
    return next((each for each in scenes() if each.name == name), None)


@st.cache_resource(show_spinner=False)
@by_its_model
def _scenes(checkpoint: str) -> Sequence[Scene]:
    stories = [*_stories()]  # the best first; the others after all else that there is to see
    return [*stories[:1], *_aligning(), *_ours(), *_habits(), *stories[1:]]


def _stories() -> Iterator[Scene]:
    """A change to the model and the words that it changes; of each head the best."""
    for way, most in STORIES.items():
        best: dict[tuple, Mapping] = {}
        for story in runs.stories():
            if story["way"] == way:
                best.setdefault(where(story), story)
        yield from islice(map(_story, best.values()), most)


def _story(story: Mapping) -> Scene:
    words = story["words"]["before"], story["words"]["after"]
    view = {name: story[name] for name in ("kind", "layer", "row", "column")}
    values = {
        "head": where(story), "phenomenon": story["phenomenon"], "before": words[0], "after": words[1],
        "was": story["chance"]["before"], "now": story["chance"]["after"], "word": story["word"]["before"],
    }  # fmt: skip
    told = story["way"]
    if told == "hide":
        values["hidden"] = story["hidden"]
        told = "hide_becomes" if words[1] else told
    return Scene(
        story["name"], told, story["sentence"], "experiment",
        view | {"head": (story["head"],), "test": "compare"}, json.dumps(story["edits"]), values, words,
    )  # fmt: skip


def _aligning() -> Iterator[Scene]:
    """The head that looks at the word it translates, on the sentence where it is surest."""
    known = runs.atlas("hand")
    if not known or not (place := aligner(known)):
        return
    layer, head = place
    shares = {text: _sure(runs.trace_of(text), layer, head) for text in EXAMPLES.values()}
    text = max(shares, key=lambda each: shares[each].mean())
    role = next(e for e in evidence(known, "cross", layer, head) if e["role"] == "alignment.predicted")
    if shares[text].mean() < SURE:
        return
    yield Scene(
        "aligner", "aligner", text, view=_look("cross", layer, head),
        values={
            "head": ("cross", layer, head), "sure": int(shares[text].sum()), "tokens": len(shares[text]),
            "error": role["value"], "rule": role["baseline"],
        },
        weights=runs.trace_of(text).attention["cross"][layer, head], hue=head,
    )  # fmt: skip


def _sure(trace: Trace, layer: int, head: int) -> np.ndarray:  # (T) of those that begin or go on with words
    """Which tokens give one token more than half of their weight."""
    spoken = np.array(trace.target.predicted_words) >= 0
    seen = np.array(trace.source.words) >= 0
    return trace.attention["cross"][layer, head][spoken][:, seen].max(-1) > SURE


def _habits() -> Iterator[Scene]:
    """A head that looks at the token before, the next, or the token itself: the surest of each."""
    known = runs.atlas("hand")
    for habit, offset in HABITS.items():
        roles = [each for each in (known or {"evidence": ()})["evidence"] if each["role"] == habit]
        for role in sorted(roles, key=lambda each: -each["value"])[:1]:
            head: Where = role["kind"], role["layer"], role["head"]
            weights = runs.trace_of(SENTENCE).attention[head[0]][head[1], head[2]]
            here = float(np.diagonal(weights, offset).mean())
            if head[0] != "cross" and here >= SURE:
                values = {"head": head, "here": here, "usual": role["value"], "chance": role["baseline"]}
                view = {**_look(*head), "reading": "read"}
                yield Scene(habit, habit, SENTENCE, view=view, values=values, weights=weights, hue=head[2])


def _ours() -> Iterator[Scene]:
    """Sentences of ours that differ in little, and what the model makes of it."""
    one, other = (EXAMPLES[name] for name in ("she", "he"))
    here, there = changes(*(runs.translation_of(runs.trace_of(text)).text for text in (one, other)))
    if len(here) == len(there) > 1:  # the noun and its article change together; there is more
        words = tuple(" … ".join(parts) for parts in (here, there))
        nouns = changes(one, other)
        values = {"noun": nouns[0][0], "other": nouns[1][0], "before": words[0], "after": words[1]}
        view = {"compare": "sentence", "other_text": other}
        yield Scene("pair", "pair", one, view=view, values=values, words=(words[0], words[1]))
    yield from _meaning()
    yield from _rare()


def _meaning() -> Iterator[Scene]:
    """One word that is translated by two."""
    place = aligner(runs.atlas("hand") or {"heads": ()})
    if not place:
        return
    first, second = (_translated(runs.trace_of(EXAMPLES[name]), WORD, *place) for name in ("noun", "verb"))
    if first and second and first[1] != second[1]:
        (column, here), (_, there) = first, second
        yield Scene(
            "meaning", "meaning", EXAMPLES["noun"], view={**_look("cross", *place), "column": column},
            values={"word": WORD, "before": here, "after": there, "other": EXAMPLES["verb"]},
            words=(here, there),
        )  # fmt: skip


def _translated(trace: Trace, word: str, layer: int, head: int) -> tuple[int, str] | None:
    """Where a word of one token stands, and the word of the translation that surely looks at it."""
    pieces = [piece.lstrip(SPACE) for piece in trace.source.pieces]
    if word not in pieces:
        return None
    column, weights = pieces.index(word), trace.attention["cross"][layer, head]
    row = int(weights[:, column].argmax())
    number = trace.target.predicted_words[row]
    if weights[row, column] < SURE or number < 0:
        return None
    spelled = zip(trace.target.predicted, trace.target.predicted_words, strict=True)
    return column, join([piece for piece, at in spelled if at == number], str)


def _rare() -> Iterator[Scene]:
    """A word that the vocabulary lacks."""
    source = runs.trace_of(EXAMPLES["rare"]).source
    number, _ = Counter(word for word in source.words if word >= 0).most_common(1)[0]
    places = [
        place
        for place, (word, piece) in enumerate(zip(source.words, source.pieces, strict=True))
        if word == number and any(map(str.isalpha, piece))  # a full stop is no part of it
    ]
    if len(places) >= RARE:
        pieces = [source.pieces[place] for place in places]
        parts = " · ".join(piece.lstrip(SPACE) for piece in pieces)
        values = {"word": join(pieces, str), "parts": parts, "count": len(places)}
        words, view = (str(values["word"]), parts), {"kind": "encoder", "column": places[0]}
        yield Scene("rare", "rare", EXAMPLES["rare"], view=view, values=values, words=words)


def _look(kind: str, layer: int, head: int) -> dict[str, object]:
    return {"kind": kind, "layer": layer, "head": (head,)}
