"""Experiments worth showing on one checkpoint, chosen by measuring: a change that one can read.

stories.json, in the folder of a checkpoint, holds the best first, a head's before all others:

    name         unique in this file
    way          head (switched off) · hide (a source word) · order (no positions) · root (no √d_k) ·
                 future (the decoder sees what it has not written yet)
    phenomenon   what the head is known for and what its silence broke here; null: nothing of that kind
    sentence     translated right as long as nothing is changed
    edits        what to change, as links and files write it
    kind, layer, head, row, column   what to select: the part that was changed, and whose word changes
    at           the decoder row that first writes another piece
    before, after   the translation without and with the change
    word, words  the words that change first, and all of them; "" where there is none on one side
    chance       of the first of these words in its place, without and with the change
    hidden       the word that was hidden

`future` acts in the replay only: its translation stays, and `word` says what would be written in the place
that loses most. A way that changes too few sentences of this checkpoint has no story.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from model.atlas.stories.everyday import read_everyday
from model.atlas.stories.told import Told, at_first_sight, phenomenon_of, tell
from model.atlas.stories.tried import (
    Json,
    Tried,
    contrasts_of,
    deciding,
    known,
    with_the_future,
    without_heads,
    without_parts,
    without_words,
)
from model.atlas.stories.words import exchanges
from model.probe.contrasts import Phenomenon
from model.translator import Translator

MOST = {"head": 8, "hide": 4, "order": 2, "root": 1, "future": 1}  # stories of each way
LOOKED_AT = 8  # experiments of each group, the most promising by their texts, that are run again alone
SHARE = 0.1  # of the sentences tried that a way has to change, to be more than an accident
LEAST = 0.25  # how well a change has to show


def stories(
    translator: Translator, everyday: Mapping[str, Sequence[str]] | None = None,
    phenomena: Sequence[Phenomenon] = (), atlas: Json | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:  # fmt: skip
    """All that stories.json holds, for sentences with their right translations (default: those that ship)."""
    given = read_everyday(translator.config) if everyday is None else everyday
    progress("which sentences it translates right")
    usual = known(translator, given)
    contrasts = contrasts_of(phenomena, atlas)
    right = known(translator, {text: wanted for rows in contrasts.values() for text, wanted in rows.items()})
    asked = {name: {text: right[text] for text in rows if text in right} for name, rows in contrasts.items()}
    pairs, found = deciding(phenomena), []
    for way, tried in (
        ("head", lambda: without_heads(translator, usual, asked, atlas)),
        ("hide", lambda: without_words(translator, usual)),
        ("parts", lambda: without_parts(translator, usual | right)),
        ("future", lambda: with_the_future(usual)),
    ):
        progress(way)
        told = [each for each in _tell_all(translator, tried(), pairs) if each.shows >= LEAST]
        found += _distinct(sorted(told, key=lambda each: -each.shows))
    chosen = sorted(found, key=lambda each: each.story["way"] != "head")
    named = [{"name": f"{each.story['way']}-{n}"} | each.story for n, each in enumerate(chosen, 1)]
    return {"checkpoint": translator.name, "stories": named}


def _tell_all(translator: Translator, tried: Iterable[Tried], pairs: Mapping) -> list[Told]:
    """Of each head, sentence or part the experiments that promise most; a way that is an accident is left."""
    found: list[Told] = []
    for _, group in groupby(tried, key=_group):
        some = list(group)
        changed = [each for each in some if each.way == "future" or each.before != each.after]
        if some[0].way != "head" and len(changed) < SHARE * len(some):
            continue
        promising = [each for each in changed if at_first_sight(each) > 0]
        promising.sort(key=lambda each: (_named(each, pairs), at_first_sight(each)), reverse=True)
        found += filter(None, (tell(translator, each, pairs) for each in promising[:LOOKED_AT]))
    return found


def _named(tried: Tried, pairs: Mapping) -> bool:
    """Whether what changed is what the head is known for."""
    return bool(tried.carries and phenomenon_of(tried, exchanges(tried.before, tried.after), pairs))


def _group(tried: Tried) -> tuple:
    return tried.way, tried.head, tried.sentence if tried.way == "hide" else None


def _distinct(told: Sequence[Told]) -> list[Told]:
    """The best of each way, no two alike: another phenomenon, another sentence."""
    found: list[Told] = []
    for each in told:
        story, way = each.story, each.story["way"]
        of_way = [other.story for other in found if other.story["way"] == way]
        alike = (
            other["sentence"] == story["sentence"]
            or (way == "head" and _lesson(other) == _lesson(story))
            or (way == "hide" and other["hidden"] == story["hidden"])
            for other in of_way
        )
        if len(of_way) < MOST[way] and not any(alike):
            found.append(each)
    return found


def _lesson(story: Mapping[str, Any]) -> tuple | str:
    return story["phenomenon"] or (story["kind"], story["layer"], story["head"])
