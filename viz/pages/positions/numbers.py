"""What the model knows about the order of words: the table of waves, and what a run does with it.

Shapes   P positions of a table · D its dimensions · S source positions · K keys
Positions, dimensions and pairs of them are counted from 0, as in the paper (section 3.5).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from model.inspect import metrics
from model.network.config import Config
from model.network.positions import Learned, Rotary, frequencies, sinusoids

if TYPE_CHECKING:
    from model import Trace

DRAWN = 128  # positions of a map from one to another; of more, every second, third, …
TERMS = metrics.ScoreTerms._fields


class Terms(NamedTuple):
    """A first-layer head's scores, taken apart."""

    parts: np.ndarray  # (6, S, S), in the order of TERMS
    scores: np.ndarray  # (S, S), as the model computed them
    mask: np.ndarray  # (S, S), True = may look

    @property
    def difference(self) -> float:
        """How far the parts' sum is from the model's own score, at most."""
        return float(abs(self.parts.sum(0) - self.scores).max())

    @property
    def sizes(self) -> np.ndarray:  # (6)
        """The mean size of each part where the head may look."""
        return abs(self.parts[:, self.mask]).mean(-1)

    def strongest(self, words: Sequence[bool]) -> int:
        """The row whose score owes most to positions alone, a word's row if there is one."""
        position = abs(self.parts[TERMS.index("position_position")])
        most = np.where(self.mask, position, -1).max(-1)
        return int(np.where(words, most, -1).argmax() if any(words) else most.argmax())


class Moved(NamedTuple):
    """What became of each word's vector when the words were shuffled; in the original order."""

    distance: np.ndarray  # (S)
    largest: float  # difference of any one number


def table(places: int, width: int, base: float) -> np.ndarray:  # (P, D)
    """The model's own formula, for as many positions as one likes."""
    return sinusoids(torch.arange(places), width, base).numpy()


def turns(width: int, base: float) -> np.ndarray:  # (D / 2)
    """How far each pair of dimensions turns from one position to the next, in radians."""
    return frequencies(width, base).numpy()


def wavelengths(width: int, base: float) -> np.ndarray:  # (D / 2)
    """After how many positions each pair is back where it was: 2π · base^(2i / D)."""
    return 2 * math.pi / turns(width, base)


def products(vectors: np.ndarray) -> np.ndarray:  # (P, D) -> (P, P)
    """How alike any two positions look."""
    exact = vectors.astype(np.float64)
    return exact @ exact.T


def rotation(by: int, width: int, base: float) -> np.ndarray:  # (D / 2, 2, 2)
    """What moves every position on by `by`: each (sine, cosine) turns, wherever it stood.

    sin(a + b) = cos b sin a + sin b cos a, cos(a + b) = -sin b sin a + cos b cos a.
    """
    angle = by * turns(width, base)
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.stack([np.stack([cosine, sine], -1), np.stack([-sine, cosine], -1)], -2)


def shift_error(vectors: np.ndarray, by: int, base: float) -> float:
    """How far turning is from the table at most, over all its pairs and positions."""
    places, width = vectors.shape
    pairs = vectors.astype(np.float64).reshape(places, -1, 2)
    turned = np.einsum("iab,pib->pia", rotation(by, width, base), pairs)
    left, right = max(0, -by), places - max(0, by)
    return float(abs(turned[left:right] - pairs[left + by : right + by]).max(initial=0))


def sampled(count: int, most: int = DRAWN) -> np.ndarray:
    """Every position, or as many as a map has room for, evenly spaced.

    >>> sampled(4, 4), sampled(10, 4)
    (array([0, 1, 2, 3]), array([0, 3, 6, 9]))
    """
    return np.arange(0, count, -(-count // most))


def learned(config: Config, width: int, own: torch.Tensor | None = None) -> np.ndarray:  # (length, D)
    """A checkpoint's own learned positions; else those that training would begin with."""
    if own is not None:
        return own.detach().cpu().numpy()
    with torch.random.fork_rng(devices=[]):  # the global generator stays as it is
        torch.manual_seed(0)
        return Learned(replace(config, width=width, heads=1, positions="learned")).table.detach().numpy()


def turned(config: Config, places: int, width: int) -> np.ndarray:  # (P, D)
    """One vector of ones at every position, turned as rotary positions turn queries and keys."""
    rotary = Rotary(replace(config, width=width, heads=1, positions="rotary", length=places))
    ones = torch.ones(1, 1, places, width)
    return rotary.rotate(ones, torch.arange(places))[0, 0].numpy()


def spread(alike: np.ndarray) -> float:  # (P, P)
    """How much pairs at one and the same offset differ at most: 0 where only the offset counts."""
    return max(float(np.ptp(np.diagonal(alike, offset))) for offset in range(len(alike)))


def terms(trace: Trace, kind: str, head: int) -> Terms | None:
    """The scores of a first-layer head of self-attention; None where no positions are added."""
    stream = trace.stream[kind]
    positions = stream[f"{kind}.embedding.positions"]
    if positions is None:
        return None
    weights = (array[0, head] for array in trace.projections(kind))
    parts = metrics.score_terms(stream[f"{kind}.embedding.tokens"], positions, *weights)
    return Terms(np.stack(parts), trace.scores[kind][0, head], trace.mask[kind][0, head])


def moved(before: np.ndarray, after: np.ndarray, order: Sequence[int]) -> Moved:  # (S, D) both
    """Compare each word with itself: the word now at place j stood at place order[j]."""
    back = np.argsort(order)
    change = after[back] - before
    return Moved(np.linalg.norm(change, axis=-1), float(abs(change).max()))
