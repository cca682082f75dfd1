"""Texts longer than any sentence that was learned from: sentences of a corpus put after each other.

What they say and how is then what shorter ones say; only the length is another. Sentences of novels that are
as long would be harder for more than one reason.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from model.training.data import Pair


def joined(pairs: Sequence[Pair], lengths: Sequence[int], seed: int = 0) -> list[Pair]:
    """Of each two lengths that follow each other, texts of more source words than one and at most the other.

    Each pair goes into at most one text of a length; which ones come after each other is drawn by lot.

    >>> joined([("one two", "un deux")] * 5, [3, 4])
    [('one two one two', 'un deux un deux'), ('one two one two', 'un deux un deux')]
    """
    made: list[Pair] = []
    for place, (shortest, longest) in enumerate(pairwise(lengths)):
        parts: list[Pair] = []
        for row in np.random.default_rng((seed, place)).permutation(len(pairs)):
            parts.append(pairs[row])
            words = sum(len(source.split()) for source, _ in parts)
            if words > shortest:
                made += [_one(parts)] if words <= longest else []
                parts = []
    return made


def _one(parts: Sequence[Pair]) -> Pair:
    sources, targets = zip(*parts, strict=True)
    return " ".join(sources), " ".join(targets)
