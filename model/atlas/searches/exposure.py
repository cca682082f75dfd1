"""Exposure bias in one number: what one mistake of its own costs the rest of the translation.

A model learns with the right words before it (teacher forcing) and writes with its own. For every sentence
whose greedy translation departs from the right one, take the first piece that differs and compare

    mistake   the translation itself, which goes on from the model's own piece
    right     greedy going on from the right translation up to and with the right piece there

each by the share of the right translation's remaining words that it goes on to write: those that begin after
the word of the differing piece, counted as often as they stand, in any order. `difference` is the mean of
right − mistake, with a bootstrap 95 % interval over sentences. It counts what a wrong word costs later and
not the wrong word itself; but a right word can also simply tell which of two good translations is wanted.
Sentences with nothing left to write are not counted.

`chance` is the mean probability of the right next piece, given the right ones before it; `before` and `after`
are mean log-probabilities of the right pieces before and after the first difference, read the same way. Those
before are high of necessity: there the model's first choice is the right piece.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from model.atlas.searches.beams import nearness
from model.translator import Translator

RESAMPLES = 10_000
WORD = re.compile(r"\w+")


class Parted(NamedTuple):
    """A translation that departs from the right one at a piece."""

    sentence: str
    right: tuple[int, ...]
    written: tuple[int, ...]
    at: int  # both have the same pieces before it


def exposure(
    translator: Translator, pairs: Mapping[str, Sequence[str]], progress: Callable[[str], None]
) -> dict[str, Any] | None:
    """None where no translation departs with words left to write."""
    found = [
        (each, shares)
        for each in _parted(translator, pairs)
        if (shares := _shares(translator, each)) is not None
    ]
    if not found:
        return None
    progress(f"{len(found)} of {len(pairs)} translations depart from the right one")
    mistake, right = np.array([shares for _, shares in found]).T
    return {
        "sentences": len(pairs),
        "departed": len(found),
        "mistake": round(float(mistake.mean()), 4),
        "right": round(float(right.mean()), 4),
        "difference": round(float((right - mistake).mean()), 4),
        "interval": [round(edge, 4) for edge in interval(right - mistake)],
        "forced": _forced(translator, pairs, [each for each, _ in found]),
    }


def first_difference(one: Sequence[int], other: Sequence[int]) -> int | None:
    """The first place at which they differ; None if they are the same.

    >>> first_difference([5, 6, 2], [5, 7, 2]), first_difference([5, 2], [5, 2])
    (1, None)
    """
    if tuple(one) == tuple(other):
        return None
    agree = (a == b for a, b in zip(one, other, strict=False))
    return next((place for place, same in enumerate(agree) if not same), min(len(one), len(other)))


def share(wanted: Sequence[str], written: Sequence[str]) -> float:
    """How many of the wanted words were written, each as often as it is wanted.

    >>> share(["la", "rue", "la"], ["la", "grande", "rue"])
    0.6666666666666666
    """
    return (Counter(wanted) & Counter(written)).total() / len(wanted)


def interval(differences: np.ndarray, seed: int = 0) -> tuple[float, float]:
    """The middle 95 % of means over sentences drawn again, with replacement."""
    drawn = np.random.default_rng(seed).integers(len(differences), size=(RESAMPLES, len(differences)))
    low, high = np.quantile(differences[drawn].mean(1), (0.025, 0.975))
    return float(low), float(high)


def _parted(translator: Translator, pairs: Mapping[str, Sequence[str]]) -> list[Parted]:
    """Against the nearest right translation; what equals any of them does not depart."""
    found = []
    for sentence, written in zip(pairs, translator.translate_many(list(pairs)), strict=True):
        nearest = max(pairs[sentence], key=lambda each: nearness(written.text, [each]))
        right = translator.read_target(nearest).ids
        at = first_difference(right, written.ids)
        if at is not None and at < min(len(right), len(written.ids)) and written.text not in pairs[sentence]:
            found.append(Parted(sentence, right, written.ids, at))
    return found


def _shares(translator: Translator, parted: Parted) -> tuple[float, float] | None:
    """Of its own mistake and of the right piece; None where no word is left to write."""
    wanted = _rest(translator, parted.right, parted.at)
    if not wanted:
        return None
    helped = translator.translate(parted.sentence, prefix=parted.right[: parted.at + 1])
    own, given = (_rest(translator, ids, parted.at) for ids in (parted.written, helped.ids))
    return share(wanted, own), share(wanted, given)


def _rest(translator: Translator, ids: Sequence[int], at: int) -> list[str]:
    """The words that begin after the word that the piece at this place belongs to."""
    words = translator.tokenizer.tokens(ids).words
    begin = next((n for n in range(at + 1, len(ids)) if words[n] > words[at]), len(ids))
    return WORD.findall(translator.tokenizer.decode(ids[begin:]).casefold())


def _forced(
    translator: Translator, pairs: Mapping[str, Sequence[str]], parted: Sequence[Parted]
) -> dict[str, Any]:
    """How likely the right pieces are, each given the right ones before it."""
    chances = [
        np.exp(_log_probs(translator, sentence, translator.read_target(right[0]).ids))
        for sentence, right in pairs.items()
    ]
    before, after = [], []
    for each in parted:
        log_probs = _log_probs(translator, each.sentence, each.right)
        before.append(log_probs[: each.at])
        after.append(log_probs[each.at + 1 :])
    return {
        "tokens": sum(map(len, chances)),
        "chance": round(float(np.concatenate(chances).mean()), 4),
        "before": _mean(before),
        "after": _mean(after),
    }


def _mean(rows: Sequence[np.ndarray]) -> float | None:
    together = np.concatenate(rows)
    return round(float(together.mean()), 4) if together.size else None


def _log_probs(translator: Translator, sentence: str, ids: Sequence[int]) -> np.ndarray:
    found = translator.distributions(sentence, ids)
    return found[np.arange(len(ids)), list(ids)]
