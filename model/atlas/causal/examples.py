"""Single sentences without a head: where its silence breaks most, in the middle, where it breaks nothing."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from model.atlas.causal.gathered import Gathered
from model.decoding.search import greedy
from model.inspect.edits import Edit
from model.inspect.variants import Head
from model.network.hooks import watch
from model.text.spelling import normalise

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
    broken, rest = order[:AMONG], order[AMONG:]
    ranks = dict.fromkeys(broken, "most") | ({rest[len(rest) // 2]: "middle"} if rest else {})
    ranks |= {row: "least" for row in rest[::-1][:LEAST] if row not in ranks}
    told = _told(found, ranks, head, number)
    # Stable: else in the order of what is lost.
    most = sorted(told[: len(broken)], key=lambda each: each.before == each.after)
    return most[:MOST] + told[len(broken) :]


def _told(found: Gathered, ranks: Mapping[int, str], head: Head, number: int) -> list[Example]:
    """Each of these rows in words; all are translated at once."""
    contrasts = [found.decisions[row].contrast for row in ranks]
    before, after = (_translated(found, list(ranks), edits) for edits in ((), (head.silenced,)))
    return [
        Example(
            rank, contrast.sentence, *deciding_words(contrast.right, contrast.wrong),
            float(found.gap[row]), float(found.change[row, number]), one, other,
        )
        for (row, rank), contrast, one, other in zip(ranks.items(), contrasts, before, after, strict=True)
    ]  # fmt: skip


def _translated(found: Gathered, rows: Sequence[int], edits: Sequence[Edit]) -> list[str]:
    """As the model writes it by itself. A silenced head is silent in every row, so they share a batch."""
    translator = found.translator
    with watch(edits=edits):
        written = greedy(translator.model, [found.decisions[row].source for row in rows])
    return [normalise(translator.tokenizer.decode(each.ids)) for each in written]


def deciding_words(right: str, wrong: str) -> tuple[str, str]:
    """The first words by which two translations differ.

    >>> deciding_words("Elle est partie.", "Elle est parti.")
    ('partie.', 'parti.')
    >>> deciding_words("Il dort.", "Il dort ici.")
    ('dort.', 'dort')
    """
    pairs = zip_longest(right.split(), wrong.split(), fillvalue="")
    return next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))


def usable(found: Gathered, name: str, half: int) -> list[int]:
    """The decisions of a phenomenon that count, in one half."""
    return [
        row
        for row, each in enumerate(found.decisions)
        if each.phenomenon == name and each.number % 2 == half and np.isfinite(found.gap[row])
    ]
