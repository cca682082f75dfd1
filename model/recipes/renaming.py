"""Pairs in which somebody else has the name: so that a model learns to copy a name it has never read.

In a corpus where nearly everybody is called Tom, a name is a word like any other, and a new one comes out
as something of the same shape. Here the name of a pair is replaced by one glued together from two names of
the corpus, the beginning of one and the end of the other: what it means cannot be known, only copied.
"""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from model.text.french import UNCERTAIN, VOWELS
from model.training.data import Pair

CAPITALISED = re.compile(r"(?<![\w'-])[A-Z][a-z]{2,}(?![\w-])")
# From this share of lower case on, a word is not a name ("Will", "Silence").
COMMON = 0.02


def rename_pairs(pairs: Sequence[Pair], count: int, rng: np.random.Generator) -> list[Pair]:
    """Each an old pair with another name on both sides; none if the corpus has no names."""
    names = find_names(pairs)
    known = frozenset(names)
    rows = [(row, found) for row, pair in enumerate(pairs) if (found := _only_name(pair, known))]
    if not rows:
        return []
    renamed = []
    for _ in range(count):
        row, name = rows[rng.integers(len(rows))]
        first, second = (names[place] for place in rng.integers(len(names), size=2))
        other = glue(first, second)
        source, target = (re.sub(rf"\b{name}\b", other, text) for text in pairs[row])
        renamed.append((source, target))
    return renamed


def find_names(pairs: Sequence[Pair]) -> list[str]:
    """Words that are capitalised and the same on both sides, and hardly ever in lower case."""
    shared = Counter(name for pair in pairs for name in _shared(pair))
    small = Counter(word for pair in pairs for text in pair for word in re.findall(r"[a-z]+", text))
    return sorted(
        name for name, count in shared.items()
        # Before a vowel French would elide: "de Tom", but "d'Alice".
        if name[0].lower() not in VOWELS + UNCERTAIN and small[name.lower()] <= COMMON * count
    )  # fmt: skip


def glue(first: str, second: str) -> str:
    """The beginning of one name and the end of another.

    >>> glue("Boston", "Mary")
    'Bosry'
    """
    return first[: (len(first) + 1) // 2] + second[len(second) // 2 :]


def _shared(pair: Pair) -> set[str]:
    return set.intersection(*(set(CAPITALISED.findall(text)) for text in pair))


def _only_name(pair: Pair, known: frozenset[str]) -> str | None:
    """The one name of a pair that has the same one on both sides and no other."""
    found = _shared(pair) & known
    return found.pop() if len(found) == 1 else None
