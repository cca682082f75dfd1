"""Quality by length, as it was measured: who is ahead where, and by how much.

Scores are [value, low, high], one for each bucket of lengths and one for all sentences, which stands last.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

MEASURES = ("bleu", "log_prob")
FIXED, LOOKING, OURS = "recurrent", "additive", "transformer"  # FIXED and LOOKING differ in attention alone


class Bucket(NamedTuple):
    """Sentences of so many words."""

    first: int
    last: int
    sentences: int

    @property
    def label(self) -> str:
        return f"{self.first}–{self.last}" if self.last > self.first else str(self.first)


class Lead(NamedTuple):
    """One ahead of another: the buckets where the interval of the difference is clear of zero."""

    one: str
    other: str
    where: tuple[int, ...]


@dataclass(frozen=True)
class Measured:
    """All scores of all five."""

    buckets: tuple[Bucket, ...]
    models: tuple[str, ...]
    scores: Mapping[tuple[str, str], np.ndarray]  # by model and measure: (buckets + 1, 3)
    apart: Mapping[tuple[str, str, str], np.ndarray]  # by two models and measure, the same

    def difference(self, one: str, other: str, measure: str) -> np.ndarray:  # (buckets + 1, 3)
        """How much more `one` scores; its interval is that of the same sentences drawn for both."""
        if (one, other, measure) in self.apart:
            return self.apart[one, other, measure]
        return -self.apart[other, one, measure][:, [0, 2, 1]]

    def ahead(self, one: str, other: str, measure: str) -> tuple[int, ...]:
        """The buckets in which it is clearly better."""
        return tuple(np.flatnonzero(self.difference(one, other, measure)[:-1, 1] > 0).tolist())

    def best(self, measure: str) -> list[str]:
        """Of each bucket, and of all sentences."""
        values = np.array([self.scores[name, measure][:, 0] for name in self.models])
        return [self.models[place] for place in values.argmax(0)]

    def leads(self, measure: str) -> list[Lead]:
        """Where the Transformer and another one are clearly apart: its own leads first, then the others'."""
        others = [name for name in self.models if name != OURS]
        pairs = [(OURS, name) for name in others] + [(name, OURS) for name in others]
        return [Lead(*pair, where) for pair in pairs if (where := self.ahead(*pair, measure))]


def read(found: Mapping[str, Any]) -> Measured:
    """What lengths.json holds."""
    return Measured(
        tuple(Bucket(each["first"], each["last"], each["sentences"]) for each in found["buckets"]),
        tuple(found["models"]),
        {
            (name, measure): np.array(each[measure])
            for name, each in found["models"].items()
            for measure in MEASURES
        },
        {
            (each["one"], each["other"], measure): np.array(each[measure])
            for each in found["beside"]
            for measure in MEASURES
        },
    )


def runs(places: Sequence[int]) -> list[tuple[int, int]]:
    """Places that follow each other, as the first and the last of each row.

    >>> runs([0, 1, 2, 4])
    [(0, 2), (4, 4)]
    """
    found: list[tuple[int, int]] = []
    for place in places:
        if found and found[-1][1] == place - 1:
            found[-1] = (found[-1][0], place)
        else:
            found.append((place, place))
    return found


def words_in(buckets: Sequence[Bucket], places: Sequence[int]) -> str:
    """The lengths of these buckets, as one reads them.

    >>> words_in([Bucket(1, 5, 9), Bucket(6, 10, 9), Bucket(11, 15, 9), Bucket(16, 30, 9)], [0, 1, 3])
    '1–10, 16–30'
    """
    spans = [Bucket(buckets[first].first, buckets[last].last, 0) for first, last in runs(places)]
    return ", ".join(span.label for span in spans)


def place_of(words: float, buckets: Sequence[Bucket]) -> float | None:
    """Where a length stands on an axis on which bucket number i is at i; None: beyond all of them.

    >>> place_of(5, [Bucket(1, 5, 9), Bucket(6, 10, 9)]), place_of(30, [Bucket(1, 5, 9)])
    (0.5, None)
    """
    for place, each in enumerate(buckets):
        if words <= each.last:
            return place - 0.5 + (words - each.first + 1) / (each.last - each.first + 1)
    return None
