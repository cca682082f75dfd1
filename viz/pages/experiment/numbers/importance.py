"""What silencing says: which heads matter, alone and in pairs, for a word, and how few are enough.

Arrays of log-probabilities are (variants, T); a drop is how much less likely the translation became.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

PAIRED = 20  # the strongest heads, among which pairs are tried
RANDOM = 3  # random orders that pruning is compared with


class Pair(NamedTuple):
    first: int  # places in the list of heads
    second: int
    joint: float  # the drop when both are silent
    alone: float  # the sum of their drops


def drops(base: np.ndarray, silenced: np.ndarray, row: int | None = None) -> np.ndarray:  # (T), (N, T) -> (N)
    """How much each variant costs: the whole translation, or one of its pieces.

    >>> drops(np.array([-1.0, -2.0]), np.array([[-1.5, -2.0], [-1.0, -1.0]]))
    array([ 0.5, -1. ])
    """
    lost = base - silenced
    return lost.sum(-1) if row is None else lost[:, row]


def ranked(values: np.ndarray) -> np.ndarray:
    """Places from the largest effect to the smallest, whatever its sign."""
    return np.argsort(-abs(values), kind="stable")


def candidates(values: np.ndarray) -> list[tuple[int, int]]:
    """Pairs among those heads that cost most."""
    strongest = np.argsort(-values, kind="stable")[:PAIRED].tolist()
    return [(a, b) for place, a in enumerate(strongest) for b in strongest[place + 1 :]]


def together(pairs: Sequence[tuple[int, int]], joint: np.ndarray, alone: np.ndarray) -> list[Pair]:
    """Pairs whose joint loss exceeds the sum of their own, the most surprising first."""
    found = [
        Pair(a, b, float(both), float(alone[a] + alone[b])) for (a, b), both in zip(pairs, joint, strict=True)
    ]
    return sorted(
        (pair for pair in found if pair.joint > pair.alone), key=lambda pair: pair.alone - pair.joint
    )


def keeping(order: Sequence[int], count: int) -> list[int]:
    """The places that fall silent when only the first `count` of `order` are kept."""
    return sorted(order[count:])


def steps(count: int, most: int = 24) -> list[int]:
    """How many heads to keep, from all to none, in about `most` steps.

    >>> steps(6, 3)
    [6, 4, 2, 0]
    """
    every = max(1, -(-count // most))
    return [*range(count, 0, -every), 0]


def rank_correlation(first: np.ndarray, second: np.ndarray) -> float:
    """Spearman's: do both order the same things alike? Ties share their rank; NaN where one is constant.

    >>> rank_correlation(np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 40.0]))
    1.0
    """
    here, there = _ranks(first), _ranks(second)
    if min(here.std(), there.std()) == 0:
        return float("nan")
    return round(float(np.corrcoef(here, there)[0, 1]), 12)


def _ranks(values: np.ndarray) -> np.ndarray:
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(count)
    return (ends - (count - 1) / 2)[place]
