"""Experiments that might make a story: what to change, on which sentences, and what is written then.

A sentence is tried only where the model translates it right: a story begins with something that works.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from model.atlas.causal.examples import deciding_words
from model.decoding.scoring import in_batches
from model.decoding.search import greedy
from model.inspect.edits import Edit, Hide, LiftMask, PositionsOff, Unscale
from model.inspect.variants import Head, all_heads, each_variant, log_probs_of
from model.network.hooks import watch
from model.network.kinds import KINDS
from model.probe.contrasts import Phenomenon
from model.text.spelling import normalise
from model.text.tokenizer import Tokens
from model.translator import Translator

ROWS = 24  # of each phenomenon, beside those that its atlas shows
UNASKED = 8  # sentences on which every head is tried where no atlas names any
BATCH = 32
GONE, FEW = 0.3, 4  # a word that lost so much of its probability counts as gone; as many may be gone
HIDDEN = 6  # words of a sentence that are hidden in earnest
LETTERS = 2  # at least, of a piece that is hidden alone: the n't of didn't can be told, the s of reads hardly
Json = Mapping[str, Any]
Known = Mapping[str, str]  # sentences that the model translates right, and how
Pairs = frozenset[tuple[str, str]]  # words between which a phenomenon decides


class Tried(NamedTuple):
    """One sentence under one change, and both translations."""

    way: str  # head | hide | order | root | future
    sentence: str
    edits: tuple[Edit, ...]
    before: str
    after: str
    head: Head | None = None
    carries: Mapping[str, float] = {}  # of the head's phenomena, the share of the lead that goes with it
    asks: str | None = None  # the phenomenon whose contrast the sentence is
    hidden: tuple[int, ...] = ()  # positions


def known(translator: Translator, given: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Of sentences with their right translations, those that the model has right."""
    written = translated(translator, list(given))
    return {text: found for text, found in zip(given, written, strict=True) if found in given[text]}


def translated(translator: Translator, texts: Sequence[str], edits: Sequence[Edit] = ()) -> list[str]:
    """Many sentences at once, under edits that mean the same for each of them."""
    sources = [translator.read(text).ids for text in texts]
    found: dict[int, str] = {}
    for rows in in_batches(sources, BATCH):
        with watch(edits=edits):
            written = greedy(translator.model, [sources[row] for row in rows])
        spelled = (normalise(translator.tokenizer.decode(each.ids)) for each in written)
        found.update(zip(rows, spelled, strict=True))
    return [found[row] for row in range(len(texts))]


def contrasts_of(phenomena: Iterable[Phenomenon], atlas: Json | None) -> dict[str, dict[str, list[str]]]:
    """By phenomenon, sentences with what is right: those that the atlas shows, and some from all over."""
    told = (atlas or {}).get("causal") or {}
    found = {}
    for each in phenomena:
        heads = told.get(each.name, {"heads": []})["heads"]
        shown = {example["sentence"] for entry in heads if entry["role"] for example in entry["examples"]}
        every = max(1, len(each.contrasts) // ROWS)
        found[each.name] = {
            row.sentence: [row.right]
            for place, row in enumerate(each.contrasts)
            if place % every == 0 or row.sentence in shown
        }
    return found


def deciding(phenomena: Iterable[Phenomenon]) -> dict[str, Pairs]:
    """By phenomenon the words it decides between."""
    return {
        each.name: frozenset(
            (bare(right), bare(wrong))
            for right, wrong in (deciding_words(row.right, row.wrong) for row in each.contrasts)
        )
        for each in phenomena
    }


def bare(word: str) -> str:
    """
    >>> bare("qu'elle."), bare("est-il")
    ('elle', 'il')
    """
    return word.rpartition("'")[2].rpartition("-")[2].strip(".,;:!? ")


def carriers(atlas: Json | None) -> dict[Head, dict[str, float]]:
    """Heads with a role, and the share of each phenomenon's lead that goes with them."""
    found: dict[Head, dict[str, float]] = {}
    for name, told in ((atlas or {}).get("causal") or {}).items():
        for entry in told["heads"]:
            if entry["role"]:
                head = Head(entry["kind"], entry["layer"], entry["head"])
                found.setdefault(head, {})[name] = min(1.0, -entry["silenced"]["value"] / told["gap"])
    return found


def without_heads(
    translator: Translator, everyday: Known, asked: Mapping[str, Known], atlas: Json | None
) -> Iterator[Tried]:
    """Each head that carries something, silenced where that shows; where no atlas names any, every head."""
    named = carriers(atlas)
    if not named:
        first = dict(list(everyday.items())[:UNASKED])
        for head in all_heads(translator.config):
            yield from _everywhere("head", translator, first, (head.silenced,), head)
    for head, carries in named.items():
        asks = {text: name for name in carries for text in asked.get(name, {})}
        texts = {**everyday, **{text: asked[name][text] for text, name in asks.items()}}
        for each in _everywhere("head", translator, texts, (head.silenced,), head):
            yield each._replace(carries=carries, asks=asks.get(each.sentence))


def without_words(translator: Translator, everyday: Known) -> Iterator[Tried]:
    """Each word hidden, and each piece of a word that stands for itself: the n't of didn't.

    All are tried in a replay of the translation; written anew are those that take little of it away.
    """
    for text, before in everyday.items():
        tokens = translator.read(text)
        groups = _groups(tokens)
        variants: list[tuple[Edit, ...]] = [(), *(tuple(map(Hide, group)) for group in groups)]
        ids = translator.translate(text).ids
        read = log_probs_of(ids)
        found = each_variant(translator.model, tokens.ids, ids, variants, read)
        chances = np.exp(np.concatenate(list(found)))
        lost = chances[0] - chances[1:]  # (groups, T)
        gone = (lost > GONE).sum(-1)
        order = [place for place in np.argsort(-gone, kind="stable") if 1 <= gone[place] <= FEW]
        for place in order[:HIDDEN]:
            after = translator.translate(text, variants[1 + place]).text
            yield Tried("hide", text, variants[1 + place], before, after, hidden=groups[place])


def _groups(tokens: Tokens) -> list[tuple[int, ...]]:
    """Positions to hide together: every word, and each piece of one that can be told by itself."""
    letters = [sum(map(str.isalpha, piece)) for piece in tokens.pieces]
    places = [place for place, word in enumerate(tokens.words) if word >= 0 and letters[place]]
    words = {tokens.words[place] for place in places}
    whole = [tuple(place for place in places if tokens.words[place] == word) for word in words]
    groups = sorted({*((place,) for place in places if letters[place] >= LETTERS), *whole})
    # Without its first word a sentence has no beginning: that hides what else is missing.
    return [group for group in groups if 0 not in group and len(group) < len(places)]


def without_parts(translator: Translator, texts: Known) -> Iterator[Tried]:
    """No order of words, no √d_k; and the future, which changes no translation: there is none yet."""
    yield from _everywhere("order", translator, texts, (PositionsOff("encoder"),))
    yield from _everywhere(
        "root", translator, texts, tuple(Unscale(path.format("*")) for path in KINDS.values())
    )


def with_the_future(everyday: Known) -> Iterator[Tried]:
    for text, before in everyday.items():
        yield Tried("future", text, (LiftMask(),), before, before)


def _everywhere(
    way: str, translator: Translator, texts: Known, edits: tuple[Edit, ...], head: Head | None = None
) -> Iterator[Tried]:
    after = translated(translator, list(texts), edits)
    for (text, before), now in zip(texts.items(), after, strict=True):
        yield Tried(way, text, edits, before, now, head)
