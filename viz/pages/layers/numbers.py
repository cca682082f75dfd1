"""A token's way up through the layers, in numbers. Pure: a run's arrays in, named tuples of numbers out.

Shapes   N positions of a stack · D width · F feed-forward width · P sublayers · L layers
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from model.inspect.sublayers import PARTS, Sublayer

if TYPE_CHECKING:
    from model.inspect.trace import LayerNorm

Stream = Mapping[str, np.ndarray]  # {hook path: (N, D)}
STRONGEST = 10  # feed-forward units that are named


class Added(NamedTuple):
    """Lengths at each sublayer, and the direction of what it added beside the stream's; (P) each."""

    before: np.ndarray
    added: np.ndarray
    after: np.ndarray
    cosine: np.ndarray  # 1: the same way as the stream, -1: against it


class Spreads(NamedTuple):
    """Mean and standard deviation over the width, before and after each layer norm; (P) each."""

    mean_before: np.ndarray
    spread_before: np.ndarray
    mean_after: np.ndarray
    spread_after: np.ndarray


class OneNorm(NamedTuple):
    """One dimension through a layer norm: weight · (x - mean) / spread + bias = result."""

    x: float
    mean: float
    spread: float  # √(variance + ε)
    weight: float
    bias: float
    result: float


class Norms(NamedTuple):
    """One token, normalised in its sentence alone and in a batch with another sentence; (D) each."""

    layer_alone: np.ndarray
    layer_together: np.ndarray
    batch_alone: np.ndarray
    batch_together: np.ndarray


class Plane(NamedTuple):
    """A flat map of the width: the two directions along which its points differ most."""

    centre: np.ndarray  # (D)
    axes: np.ndarray  # (2, D), of length one and at a right angle

    def place(self, points: np.ndarray) -> np.ndarray:  # (…, D) -> (…, 2)
        return (points - self.centre) @ self.axes.T

    def share(self, points: np.ndarray) -> float:
        """How much of what makes these points differ from each other the map shows, from 0 to 1."""
        apart = points.reshape(-1, points.shape[-1]) - points.reshape(-1, points.shape[-1]).mean(0)
        return float(((apart @ self.axes.T) ** 2).sum() / max((apart**2).sum(), 1e-12))


def usual_row(pieces: Sequence[str], words: Sequence[int]) -> int:
    """The token to begin with: the last that has a letter and is not special; else the first.

    >>> usual_row(("▁a", "▁dog", ".", "</s>"), (0, 1, 1, -1))
    1
    """
    spoken = [
        place
        for place, (piece, word) in enumerate(zip(pieces, words, strict=True))
        if word >= 0 and not piece.startswith("<") and any(letter.isalpha() for letter in piece)
    ]
    return spoken[-1] if spoken else 0


def part_of(stack: str, part: str) -> str:
    """The sublayer that is meant where a stack has no such part.

    >>> part_of("encoder", "cross"), part_of("decoder", "cross")
    ('attention', 'cross')
    """
    return part if part in PARTS[stack] else "attention"


def parameters(part: str, width: int, hidden: int) -> int:
    """How many numbers training could turn in one sublayer; its layer norm has 2 · width more."""
    if part == "feed_forward":
        return 2 * width * hidden + hidden + width
    return 4 * (width * width + width)


def heights(stream: Stream, steps: Sequence[Sublayer]) -> np.ndarray:
    """The stream from the embedding to the top: (P + 1, N, D)."""
    return np.stack([stream[steps[0].before], *(stream[step.after] for step in steps)])


def added(stream: Stream, steps: Sequence[Sublayer], row: int) -> Added:
    before, output, after = (
        np.stack([stream[getattr(step, name)][row] for step in steps]).astype(np.float64)
        for name in ("before", "output", "after")
    )
    stream_length, output_length, length = (np.linalg.norm(each, axis=-1) for each in (before, output, after))
    cosine = (before * output).sum(-1) / np.maximum(stream_length * output_length, 1e-12)
    return Added(stream_length, output_length, length, cosine)


def totals(stream: Stream, step: Sublayer) -> np.ndarray:
    """What a sublayer's layer norm gets: (N, D)."""
    return stream[step.before].astype(np.float64) + stream[step.output]


def spreads(stream: Stream, steps: Sequence[Sublayer], row: int) -> Spreads:
    before = np.stack([totals(stream, step)[row] for step in steps])
    after = np.stack([stream[step.after][row] for step in steps]).astype(np.float64)
    return Spreads(before.mean(-1), before.std(-1), after.mean(-1), after.std(-1))


def one_norm(total: np.ndarray, norm: LayerNorm, dimension: int = 0) -> OneNorm:
    """The arithmetic of one number of one token; `total` (D)."""
    mean, spread = float(total.mean()), float(np.sqrt(total.var() + norm.epsilon))
    x, weight, bias = (float(array[dimension]) for array in (total, norm.weight, norm.bias))
    return OneNorm(x, mean, spread, weight, bias, weight * (x - mean) / spread + bias)


def both_norms(here: np.ndarray, there: np.ndarray, row: int, epsilon: float) -> Norms:
    """Layer norm asks one token only; batch norm asks every position of the batch. (N, D), (M, D)."""

    def scaled(values: np.ndarray, axis: int) -> np.ndarray:
        mean, variance = values.mean(axis, keepdims=True), values.var(axis, keepdims=True)
        return ((values - mean) / np.sqrt(variance + epsilon))[row]

    together = np.concatenate([here, there])
    return Norms(scaled(here, 1), scaled(together, 1), scaled(here, 0), scaled(together, 0))


def fit_plane(points: np.ndarray) -> Plane:
    """Principal components of points (…, D); each axis points to where its largest entry is positive."""
    flat = points.reshape(-1, points.shape[-1]).astype(np.float64)
    centre = flat.mean(0)
    axes = np.linalg.svd(flat - centre, full_matrices=False)[2][:2]
    largest = np.take_along_axis(axes, abs(axes).argmax(-1, keepdims=True), -1)
    return Plane(centre, axes * np.where(largest < 0, -1, 1))


def strongest(hidden: np.ndarray) -> np.ndarray:
    """The units that fire most, best first; (F) -> at most ten numbers."""
    return np.argsort(-hidden, kind="stable")[:STRONGEST]


def beside_top(lengths: np.ndarray) -> np.ndarray:  # (P + 1) -> (P + 1)
    """Lengths beside the one at the top, where the gradient begins its way down; 0 if nothing begins it.

    >>> beside_top(np.array([1.0, 2.0, 4.0])), beside_top(np.zeros(2))
    (array([0.25, 0.5 , 1.  ]), array([0., 0.]))
    """
    return lengths / lengths[-1] if lengths[-1] > 0 else np.zeros_like(lengths)


def ranks(ids: np.ndarray, piece: int) -> list[int | None]:
    """The place of a piece in each layer's list, from 1; None where it is not in it. `ids` (L, 20).

    >>> ranks(np.array([[5, 7], [7, 5], [3, 4]]), 7)
    [2, 1, None]
    """
    return [int(np.argmax(row == piece)) + 1 if (row == piece).any() else None for row in ids]
