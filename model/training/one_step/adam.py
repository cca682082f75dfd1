"""Adam for one weight, from moments that are zero: every number of the first step.

The matrices of the shipped checkpoint were trained with Muon and have no moments of Adam's, so the paper's
Adam starts here as it does in a new training.
"""

import math
from typing import NamedTuple

from model.training.one_step import BETAS, EPSILON
from model.training.settings import learning_rate

WARMUP = 4_000  # steps, as in the paper, section 5.3


class First(NamedTuple):
    """m and v are running means of g and g²; from zero they are too small, and the hats correct that."""

    gradient: float
    rate: float
    mean: float  # m
    square: float  # v
    corrected_mean: float  # m / (1 - β₁)
    corrected_square: float  # v / (1 - β₂)
    step: float  # what is added to the weight
    uncorrected: float  # what would be added without the correction


def first_step(gradient: float, rate: float) -> First:
    """
    >>> round(first_step(0.002, 1e-3).step, 9), round(first_step(0.002, 1e-3).uncorrected, 6)
    (-0.001, -0.000707)
    """
    kept, kept_square = BETAS
    mean, square = (1 - kept) * gradient, (1 - kept_square) * gradient**2
    corrected, corrected_square = mean / (1 - kept), square / (1 - kept_square)
    return First(
        gradient, rate, mean, square, corrected, corrected_square,
        -rate * corrected / (math.sqrt(corrected_square) + EPSILON),
        -rate * mean / (math.sqrt(square) + EPSILON),
    )  # fmt: skip


def scheduled(step: float, width: int, warmup: int = WARMUP) -> float:
    """The paper's equation 3: d_model^-0.5 · min(step^-0.5, step · warmup^-1.5).

    >>> f"{scheduled(4000, 512):.2e}"
    '6.99e-04'
    """
    return learning_rate(step, peak=(width * warmup) ** -0.5, warmup=warmup)
