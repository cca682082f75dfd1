"""The arithmetic behind one weight: every number from the stream to the stream, for one cell of one head.

Shapes   E width of a head · D width · K positions that could be looked at · H heads
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from model.inspect import metrics
from model.inspect.sublayers import sublayer
from model.network.kinds import stack_of

if TYPE_CHECKING:
    from model import Trace

Row = Sequence[float]


class Parts(NamedTuple):
    """The first number of q: a product with the stream, and a bias."""

    product: float
    bias: float


@dataclass(frozen=True)
class Cell:
    """Row `row` of one head looks at position `column`."""

    row: int
    column: int
    stream: np.ndarray  # (D), what the row reads
    memory: np.ndarray  # (D), what the position looked at holds
    projected: Parts | None  # None where positions turn the query after the projection
    query: np.ndarray  # (E)
    key: np.ndarray  # (E)
    value: np.ndarray  # (E)
    products: np.ndarray  # (K), q·k with every position
    scores: np.ndarray  # (K), the same ÷ √E
    mask: np.ndarray  # (K), True = may look
    weights: np.ndarray  # (K)
    values: np.ndarray  # (K, E)
    mixed: np.ndarray  # (H, E), of every head
    head: int
    written: np.ndarray  # (H, D), what each head adds through W_O
    output_bias: np.ndarray  # (D)
    output: np.ndarray  # (D), what the sublayer adds
    after: np.ndarray  # (D), through the layer norm
    norm_weight: np.ndarray  # (D)
    norm_bias: np.ndarray  # (D)
    epsilon: float

    @property
    def terms(self) -> np.ndarray:  # (E)
        return self.query * self.key

    @property
    def root(self) -> float:
        return math.sqrt(len(self.query))

    @property
    def powers(self) -> np.ndarray:  # (K)
        """e to each score; nothing where nobody may look."""
        return np.where(self.mask, np.exp(self.scores.astype(np.float64)), 0.0)

    @property
    def total(self) -> np.ndarray:  # (D)
        return self.stream + self.output

    @property
    def mean(self) -> float:
        return float(self.total.mean())

    @property
    def spread(self) -> float:
        return math.sqrt(float(self.total.var()) + self.epsilon)


def cell(trace: Trace, kind: str, layer: int, head: int, row: int, column: int) -> Cell:
    """All the numbers, as the run left them; only sums are formed here."""
    stack = stack_of(kind)
    step = sublayer(stack, layer, "cross" if kind == "cross" else "attention")
    streams = trace.stream[stack]
    stream = streams[step.before][row]
    if kind == "cross":
        last = trace.attention["encoder"].shape[0] - 1
        memory = trace.stream["encoder"][f"encoder.layers.{last}.after_feed_forward"][column]
    else:
        memory = streams[step.before][column]
    query, keys = trace.query[kind][layer, head, row], trace.key[kind][layer, head]
    norm = trace.norm(step.after)
    return Cell(
        row=row,
        column=column,
        stream=stream,
        memory=memory,
        projected=_projected(trace, kind, layer, head, stream, query),
        query=query,
        key=keys[column],
        value=trace.value[kind][layer, head, column],
        products=keys @ query,
        scores=trace.scores[kind][layer, head, row],
        mask=trace.mask[kind][layer, head, row],
        weights=trace.attention[kind][layer, head, row],
        values=trace.value[kind][layer, head],
        mixed=trace.mixed[kind][layer, :, row],
        head=head,
        written=trace.head_output[kind][layer, :, row],
        output_bias=trace.output_bias(kind)[layer],
        output=streams[step.output][row],
        after=streams[step.after][row],
        norm_weight=norm.weight,
        norm_bias=norm.bias,
        epsilon=norm.epsilon,
    )


def _projected(
    trace: Trace, kind: str, layer: int, head: int, stream: np.ndarray, query: np.ndarray
) -> Parts | None:
    projections = trace.projections(kind)
    product = float(projections.query_weight[layer, head, 0] @ stream)
    bias = float(projections.query_bias[layer, head, 0])
    return Parts(product, bias) if math.isclose(product + bias, query[0], abs_tol=1e-4) else None


def row_by_hand(
    query: Row, keys: Sequence[Row], values: Sequence[Row], mask: Sequence[bool], root: float
) -> list[float]:
    """One row of attention as one would do it on paper: number by number, no matrices."""
    scores = [sum(q * k for q, k in zip(query, key, strict=True)) / root for key in keys]
    powers = [math.exp(score) if may else 0.0 for score, may in zip(scores, mask, strict=True)]
    weights = [power / sum(powers) for power in powers]
    return [
        sum(weight * number for weight, number in zip(weights, column, strict=True))
        for column in zip(*values, strict=True)
    ]


def all_at_once(
    query: np.ndarray, key: np.ndarray, value: np.ndarray, mask: np.ndarray, root: float
) -> np.ndarray:
    """Every row in three products of matrices: softmax(Q Kᵀ / √d_k) V."""
    scores = np.where(mask, query @ key.T / root, -np.inf)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True) @ value


class Sharpness(NamedTuple):
    """How far a softmax has saturated, the mean over rows."""

    entropy: float  # 1: looks everywhere alike, 0: at one position
    gradient: float  # 0: no score can move any weight


def sharpness(scores: np.ndarray, mask: np.ndarray) -> Sharpness:  # (…, Q, K) both
    weights = metrics.masked_softmax(scores, mask)
    return Sharpness(
        float(np.nanmean(metrics.entropy(weights, mask).rows)),
        float(metrics.softmax_gradient(weights).mean()),
    )


def clearest_row(query: np.ndarray, key: np.ndarray, mask: np.ndarray) -> int:
    """The row whose entropy falls most where its scores are not divided by √E; (Q, E), (K, E), (Q, K)."""
    scores = query @ key.T
    divided, plain = (
        metrics.entropy(metrics.masked_softmax(scores / root, mask), mask).rows
        for root in (math.sqrt(query.shape[-1]), 1.0)
    )
    return int(np.nanargmax(np.nan_to_num(divided - plain)))


def simulated(width: int, scaled: bool, keys: int = 16, draws: int = 200) -> Sharpness:
    """Queries and keys of independent numbers with mean 0 and variance 1 (paper, footnote 4)."""
    rng = np.random.default_rng(width)
    query = rng.standard_normal((draws, 1, width))
    key = rng.standard_normal((draws, keys, width))
    scores = (query @ key.mT)[:, 0] / (math.sqrt(width) if scaled else 1)
    return sharpness(scores, np.ones(scores.shape, bool))


def of_this_head(query: np.ndarray, key: np.ndarray, mask: np.ndarray, width: int, scaled: bool) -> Sharpness:
    """The first `width` numbers of this head's own queries and keys; all of them: as the model did it."""
    scores = query[:, :width] @ key[:, :width].T / (math.sqrt(width) if scaled else 1)
    return sharpness(scores, mask)
