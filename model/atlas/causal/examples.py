"""Single sentences without a head: where its silence breaks most, in the middle, where it breaks nothing."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from model.atlas.causal.decisions import Decision
from model.atlas.causal.gathered import Gathered
from model.inspect.variants import Head

MOST, LEAST = 3, 2  # sentences from either end of the order; one from its middle
AMONG = 8  # of these that break most, those whose translation changes are shown first


class Example(NamedTuple):
    """One decision with and without the head; `rank` says where it stands among the others."""

    rank: str  # most | middle | least
    sentence: str
    right: str  # the words that decide
    wrong: str
    gap: float
    change: float
    before: str  # the whole translation as the model writes it,
    after: str  # and without the head


def examples(found: Gathered, rows: Sequence[int], head: Head, number: int) -> list[Example]:
    """Of these decisions, in the order of what the head's silence takes from the gap."""
    order = sorted(rows, key=lambda row: (found.change[row, number], found.decisions[row].contrast.sentence))
    broken = [_example(found, row, "most", head, number) for row in order[:AMONG]]
    broken.sort(key=lambda each: each.before == each.after)  # stable: else in the order of what is lost
    rest = order[AMONG:]
    others = {rest[len(rest) // 2]: "middle"} if rest else {}
    others |= {row: "least" for row in rest[::-1][:LEAST] if row not in others}
    return broken[:MOST] + [_example(found, row, rank, head, number) for row, rank in others.items()]


def deciding_words(right: str, wrong: str) -> tuple[str, str]:
    """The first words by which two translations differ.

    >>> deciding_words("Elle est partie.", "Elle est parti.")
    ('partie.', 'parti.')
    >>> deciding_words("Il dort.", "Il dort ici.")
    ('dort.', 'dort')
    """
    pairs = zip_longest(right.split(), wrong.split(), fillvalue="")
    return next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))


def _example(found: Gathered, row: int, rank: str, head: Head, number: int) -> Example:
    decision: Decision = found.decisions[row]
    contrast = decision.contrast
    before = found.translator.translate(contrast.sentence).text
    after = found.translator.translate(contrast.sentence, [head.silenced]).text
    return Example(
        rank, contrast.sentence, *deciding_words(contrast.right, contrast.wrong),
        float(found.gap[row]), float(found.change[row, number]), before, after,
    )  # fmt: skip


def usable(found: Gathered, name: str, half: int) -> list[int]:
    """The decisions of a phenomenon that count, in one half."""
    return [
        row
        for row, each in enumerate(found.decisions)
        if each.phenomenon == name and each.number % 2 == half and np.isfinite(found.gap[row])
    ]
