"""What one step of decoding says: the likeliest next tokens, and where every head looks."""

from typing import NamedTuple

import numpy as np

OFFERED = 10  # tokens that are drawn


class Next(NamedTuple):
    """The likeliest next tokens, best first, the one that was written among them; and all others at once."""

    ids: tuple[int, ...]
    probabilities: tuple[float, ...]
    written: int  # the place of the one that was written
    rank: int  # its rank in the whole vocabulary, from 1
    others: int
    rest: float  # the probability that all others have together


def likeliest(log_probs: np.ndarray, written: int, count: int = OFFERED) -> Next:  # (V)
    """The `count` best; where the written one is none of them, it stands last in their place.

    >>> likeliest(np.log([0.1, 0.6, 0.25, 0.05]), written=3, count=2)[:4]
    ((1, 3), (0.6, 0.05), 1, 4)
    """
    order = np.argsort(-log_probs, kind="stable")
    rank = int(np.flatnonzero(order == written)[0])
    ids = [int(id) for id in order[:count]]
    if written not in ids:
        ids[-1] = written
    probabilities = [round(float(np.exp(log_probs[id])), 9) for id in ids]
    finite = int(np.isfinite(log_probs).sum())
    rest = max(0.0, 1 - sum(probabilities))
    return Next(tuple(ids), tuple(probabilities), ids.index(written), rank + 1, finite - len(ids), rest)


def looks(attention: np.ndarray, row: int, keys: int) -> np.ndarray:  # (L, H, Q, K)
    """Where each head looks in one row, layer by layer and head by head: (L · H, keys)."""
    return attention[:, :, row, :keys].reshape(-1, keys)
