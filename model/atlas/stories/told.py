"""One experiment as a story: the words that change, how sure the model was of them, and how well it shows.

How well a change shows is a number from 0 to 1, a product of shares, each measured on the checkpoint:

    drop     how much of the first changed word's probability is gone
    readable how likely the intact model finds what follows, given what was changed (geometric mean); of a
             hidden word: how likely it finds all of it where the sentence lacks that word
    few      1 for two changed words, less for more; where the order is lost: words kept and turned round
    carried  for a head: how much of the phenomenon's lead goes with it over all its contrasts; counted half,
             for a head that others stand in for may still break this one sentence
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, SupportsInt

import numpy as np

from model.atlas.stories.tried import Pairs, Tried, bare
from model.atlas.stories.words import Exchange, exchanges, joined, kept, size, split, turned
from model.decoding.search import Hypothesis
from model.inspect.edits_json import as_data
from model.inspect.trace import Trace
from model.network.kinds import KINDS
from model.translator import Translator

FEW = {1: 0.9, 2: 1.0, 3: 0.7, 4: 0.5}  # by how many words change: two show that the rest follows
FEW_HIDDEN = {1: 0.5, 2: 1.0, 3: 0.95, 4: 0.8}  # that a hidden word is missing is no surprise; more is
KEEP = ("attention", "mask", "top")
AFFECTED = {"order": ("encoder",), "root": tuple(KINDS), "future": ("decoder",)}
UNNAMED = -0.4  # stands for `carried` where a head's change is none of what it is known for


class Told(NamedTuple):
    shows: float
    story: dict[str, Any]


def at_first_sight(tried: Tried) -> float:
    """What can be told from both texts alone, before anything else is run."""
    if tried.way == "future":
        return 1.0
    found = exchanges(tried.before, tried.after)
    changed, (was, now) = size(found), joined(found) if found else ("", "")
    if was == now or not split(tried.after) or tried.after[0].islower() > tried.before[0].islower():
        return 0.0  # nothing to see or only to find elsewhere, nothing left to read, or no beginning
    if tried.way == "order":
        # A sentence turned round says more than one in which words are missing.
        return kept(tried.before, tried.after) ** 4 * turned(tried.before, tried.after)
    return (FEW_HIDDEN if tried.way == "hide" else FEW).get(changed, 0.0)


def tell(translator: Translator, tried: Tried, pairs: Mapping[str, Pairs]) -> Told | None:
    """The story, or None where it does not hold: run alone, the sentence is translated otherwise."""
    before = translator.trace(tried.sentence, keep=KEEP)
    decoding = [edit for edit in tried.edits if edit.decodes]
    after = translator.translate(tried.sentence, decoding)
    if (before.translation and before.translation.text, after.text) != (tried.before, tried.after):
        return None
    again = translator.trace(tried.sentence, before.target.predicted_ids, tried.edits, KEEP)
    row = _first_change(before, after, again)
    changed = exchanges(tried.before, tried.after)
    if tried.way == "future":
        now, would = ([before.target.predicted_ids[row]], [int(again.top.ids[-1, row, 0])])
        changed = [Exchange(*map(translator.tokenizer.decode, (now, would)))]
    chance = {name: _chance(each, row) for name, each in (("before", before), ("after", again))}
    phenomenon = phenomenon_of(tried, changed, pairs)
    carried = 1.0 if tried.head is None else (1 + tried.carries.get(phenomenon or "", UNNAMED)) / 2
    story = {
        "way": tried.way, "phenomenon": phenomenon, "sentence": tried.sentence, "edits": as_data(tried.edits),
        **_selected(tried, before, again, row), "at": row,
        "before": tried.before, "after": tried.after,
        "word": changed[0]._asdict(), "words": joined(changed)._asdict(),
        "chance": {name: round(value, 6) for name, value in chance.items()},
    }  # fmt: skip
    if tried.hidden:
        story["hidden"] = _spelled(translator, before, tried.hidden)
    drop = max(0.0, chance["before"] - chance["after"])
    return Told(at_first_sight(tried) * drop * _readable(translator, tried, after, row) * carried, story)


def _first_change(before: Trace, after: Hypothesis, again: Trace) -> int:
    """The row that first writes another piece; where none does, the one that would lose most."""
    pieces = zip(before.target.predicted_ids, after.ids, strict=False)
    differ = [row for row, (one, other) in enumerate(pieces) if one != other]
    return differ[0] if differ else int((np.exp(before.log_probs) - np.exp(again.log_probs)).argmax())


def _chance(trace: Trace, row: int) -> float:
    """Of what is left of the word from this row on."""
    target, end = trace.target, row + 1
    while end < len(target.predicted) and target.predicted_words[end] == target.predicted_words[row] >= 0:
        if not any(map(str.isalnum, target.predicted[end])):
            break
        end += 1
    return float(np.exp(trace.log_probs[row:end].sum()))


def _readable(translator: Translator, tried: Tried, after: Hypothesis, row: int) -> float:
    """Would the intact model, brought to say this much, have gone on like this?"""
    if tried.way == "future":
        return 1.0
    text, first = tried.sentence, row + 1
    if tried.hidden:
        left = [id for place, id in enumerate(translator.read(text).ids) if place not in tried.hidden]
        text, first = translator.tokenizer.decode(left), 0
    rest = translator.trace(text, after.ids, keep=KEEP).log_probs[first:]
    return float(np.exp(rest.mean())) if len(rest) else 1.0


def phenomenon_of(tried: Tried, changed: Sequence[Exchange], pairs: Mapping[str, Pairs]) -> str | None:
    """What the sentence asks, if its deciding word is gone; else what decides between these words."""
    was, now = map(bare, changed[0])
    if tried.asks and was in {right for right, _ in pairs.get(tried.asks, ())}:
        return tried.asks
    found = [name for name in tried.carries if (was, now) in pairs.get(name, ())]
    return max(found, key=tried.carries.__getitem__, default=None)


def _selected(tried: Tried, before: Trace, again: Trace, row: int) -> dict[str, Any]:
    """What was changed, as a page selects it: of a whole stack, the head whose map changed most."""
    if tried.head:
        return _place(*tried.head, row)
    if tried.way == "hide":
        looks = before.attention["cross"][:, :, row, list(tried.hidden)].sum(-1)  # (L, H)
        layer, head = np.unravel_index(int(looks.argmax()), looks.shape)
        return _place("cross", layer, head, row, tried.hidden[0])
    moved = {
        kind: abs(again.attention[kind] - before.attention[kind]).mean((-1, -2))  # (L, H)
        for kind in AFFECTED[tried.way]
    }
    kind = max(moved, key=lambda each: float(moved[each].max()))
    layer, head = np.unravel_index(int(moved[kind].argmax()), moved[kind].shape)
    return _place(kind, layer, head, row)


def _place(
    kind: str, layer: SupportsInt, head: SupportsInt, row: int, column: int | None = None
) -> dict[str, Any]:
    """Rows of the encoder are source positions: no word of the translation stands there."""
    where = None if kind == "encoder" else row
    return {"kind": kind, "layer": int(layer), "head": int(head), "row": where, "column": column}


def _spelled(translator: Translator, trace: Trace, places: tuple[int, ...]) -> str:
    return translator.tokenizer.decode([trace.source.ids[place] for place in places]).strip()
