"""Long pairs once again: a corpus has few of them."""

from collections.abc import Sequence

import numpy as np

from model.training.data import Pair

LONG = 10  # words in the source; one Tatoeba sentence in eleven is as long


def repeat_long(pairs: Sequence[Pair], count: int, rng: np.random.Generator) -> list[Pair]:
    """Pairs drawn from those that are long; none if no pair is."""
    long = [pair for pair in pairs if len(pair[0].split()) >= LONG]
    return [long[row] for row in rng.integers(len(long), size=count)] if long else []
