"""Pairs of several pairs in a row: practice for texts of more than one sentence.

A model that has read short sentences alone knows nothing of later positions, and whatever is longer falls
apart (Kondo et al. 2021, "Sentence concatenation approach to data augmentation").
"""

from collections.abc import Sequence

import numpy as np

from model.training.data import Pair

MOST, SELDOM, RARE = 4, 16, 0.1  # pairs in a row: up to 4, and in one case of ten up to 16


def join_pairs(pairs: Sequence[Pair], count: int, rng: np.random.Generator) -> list[Pair]:
    """Each of two to four pairs in a row, one in ten of up to sixteen."""
    joined = []
    for _ in range(count):
        most = SELDOM if rng.random() < RARE else MOST
        rows = rng.integers(len(pairs), size=rng.integers(2, most + 1))
        sources, targets = zip(*(pairs[row] for row in rows), strict=True)
        joined.append((" ".join(sources), " ".join(targets)))
    return joined
