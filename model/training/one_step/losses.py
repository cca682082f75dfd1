"""What the loss asks of every row: how likely the right piece is, and how far from what is wanted.

With label smoothing the wanted distribution q gives the right piece 1 - ε + ε/V and every other one ε/V, as
PyTorch has it. The loss is then the cross-entropy of q and p, and cannot fall below the entropy of q.
Shapes   T target rows · V vocabulary
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from model.training.one_step import SMOOTHING


class Losses(NamedTuple):
    """Of every row, in nats: (T)."""

    plain: np.ndarray  # -log p of the right piece
    smoothed: np.ndarray
    floor: float  # what no row can fall below


def losses(log_probs: np.ndarray, target: Sequence[int], smoothing: float = SMOOTHING) -> Losses:
    """`log_probs` (T, V): what the model says at each row of the target."""
    plain = -log_probs[np.arange(len(target)), list(target)].astype(float)
    written = np.isfinite(log_probs[0])  # a vocabulary may have pieces that are read only
    spread = -log_probs[:, written].astype(float).mean(-1)  # what is wanted of all pieces alike
    smoothed = (1 - smoothing) * plain + smoothing * spread
    return Losses(plain, smoothed, floor(int(written.sum()), smoothing))


def floor(vocabulary: int, smoothing: float = SMOOTHING) -> float:
    """The entropy of what is wanted: the smoothed loss where p = q.

    >>> round(floor(8000), 3)
    1.224
    """
    right, other = wanted(vocabulary, smoothing)
    rest = (vocabulary - 1) * other * math.log(other) if other else 0.0
    return -right * math.log(right) - rest


def wanted(vocabulary: int, smoothing: float = SMOOTHING) -> tuple[float, float]:
    """q of the right piece, and of every other one."""
    other = smoothing / vocabulary
    return 1 - smoothing + other, other


def pull(log_probs: np.ndarray, right: int, smoothing: float = SMOOTHING) -> np.ndarray:  # (V) -> (V)
    """∂loss/∂logits of one row: p - q. Above zero a logit is pushed down, below zero up."""
    written = np.isfinite(log_probs)
    reached, other = wanted(int(written.sum()), smoothing)
    pulled = np.exp(log_probs.astype(float)) - other * written
    pulled[right] += other - reached
    return pulled
