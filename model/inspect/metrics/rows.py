"""What single rows of a pattern tell: how widely, how far and where they look.

Shapes   … any leading axes · Q queries · K keys · S both, in self-attention
"""

from typing import NamedTuple

import numpy as np


class Entropy(NamedTuple):
    """How widely rows look: 0 at one position, 1 at all allowed positions equally."""

    rows: np.ndarray  # (…, Q), NaN where there was nothing to choose
    mean: np.ndarray  # (…), over the rows that counted; NaN if none did
    n: np.ndarray  # (…), how many rows counted


def entropy(attention: np.ndarray, mask: np.ndarray) -> Entropy:  # both (…, Q, K)
    """-Σ α log α of each row, over the log of the number of positions it may look at.

    A row that may look at only one position has no choice: it is NaN and does not count.

    >>> entropy(np.array([[1.0, 0.0], [0.5, 0.5]]), np.tri(2, dtype=bool))
    Entropy(rows=array([nan,  1.]), mean=array(1.), n=np.int64(1))
    """
    allowed = np.broadcast_to(mask, attention.shape).sum(-1, dtype=attention.dtype)  # (…, Q)
    if not allowed.all():
        raise ValueError("a row of the mask allows no position; every row must allow at least one")
    terms = attention * np.log(np.where(attention > 0, attention, 1))  # none above 0; 0 log 0 is 0
    counted, n = allowed > 1, (allowed > 1).sum(-1)
    rows = np.where(counted, abs(terms.sum(-1)) / np.log(np.maximum(allowed, 2)), np.nan)
    mean = rows.sum(-1, where=counted) / np.maximum(n, 1, dtype=rows.dtype)
    return Entropy(rows, np.where(n > 0, mean, np.nan), n)


def masked_softmax(scores: np.ndarray, mask: np.ndarray) -> np.ndarray:  # (…, K) both
    """Weights from scores, as the model forms them; nothing where the mask is False.

    >>> masked_softmax(np.array([0.0, 0.0, 9.0]), np.array([True, True, False]))
    array([0.5, 0.5, 0. ])
    """
    allowed = np.where(mask, scores, -np.inf)
    powers = np.exp(allowed - allowed.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def softmax_gradient(attention: np.ndarray) -> np.ndarray:  # (…, K) -> (…)
    """‖diag(α) - α αᵀ‖: how much any weight of a row answers to any score; 0 when it has saturated.

    >>> softmax_gradient(np.array([[0.5, 0.5], [1.0, 0.0]]))
    array([0.5, 0. ])
    """
    squares, cubes = (attention**2).sum(-1), (attention**3).sum(-1)
    return np.sqrt(np.maximum(squares - 2 * cubes + squares**2, 0))


def mean_distance(attention: np.ndarray) -> np.ndarray:  # (…, S, S) -> (…, S)
    """How many positions away each row looks on average: Σ_j α_ij |i - j|; for self-attention.

    >>> mean_distance(np.array([[0.5, 0.0, 0.5], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]))
    array([1., 0., 2.])
    """
    position = np.arange(positions_of(attention), dtype=attention.dtype)
    return (attention * abs(position[:, None] - position)).sum(-1)


def offset_mass(attention: np.ndarray, offset: int) -> np.ndarray:  # (…, S, S) -> (…)
    """The mean weight on the position `offset` away: -1 the one before, 0 itself, 1 the one after.

    Rows without such a position are left out; NaN if none has one. For self-attention.

    >>> offset_mass(np.array([[0.5, 0.0, 0.5], [1.0, 0.0, 0.0], [0.0, 0.5, 0.5]]), -1)
    array(0.75)
    """
    if abs(offset) >= positions_of(attention):
        return np.full(attention.shape[:-2], np.nan, attention.dtype)
    return np.asarray(np.diagonal(attention, offset, -2, -1).mean(-1))


def positions_of(attention: np.ndarray) -> int:
    """How many positions look at each other; refused where two different sides meet."""
    queries, keys = attention.shape[-2:]
    if queries != keys:
        raise ValueError(f"{queries} queries and {keys} keys: this is for self-attention only")
    return keys
