"""Which map of a network to show, and which row of it to begin with.

Shapes   L layers · H heads · T target positions · S source positions
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

SHORT = 3  # letters of a piece that says too little to begin with


def shown_map(
    attention: np.ndarray, aligned: Mapping[str, Any] | None
) -> np.ndarray:  # (L, H, T, S) -> (T, S)
    """The head that points from word to word best; where that was not measured, the mean over all."""
    if aligned is None:
        return attention.mean((0, 1))
    return attention[aligned["layer"], aligned["head"]]


def first_row(maps: Sequence[np.ndarray], pieces: Sequence[str]) -> int:
    """The written piece for which they are surest where to look: one that begins a word and is not short."""
    sure = np.mean([each.max(-1) for each in maps], axis=0)
    telling = np.array([each.isalpha() and len(each) > SHORT for each in pieces])  # a joint is no letter
    return int(np.where(telling, sure, sure - telling.any()).argmax())


def shares(amounts: np.ndarray) -> np.ndarray:
    """As parts of their sum."""
    return amounts / max(float(amounts.sum()), 1e-12)
