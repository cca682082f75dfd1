"""Attention tile by tile: the softmax that FlashAttention takes piecemeal, with every number on its way.

Plain attention writes a table of Q × K scores before it can take their softmax. Here only one tile of that
table exists at a time. Of all tiles before, a row remembers three things: its largest score m, the sum ℓ of
e^(score − m), and the output O, summed with the same weights. Where a tile brings a larger score, ℓ and O are
rescaled by e^(m before − m now): then they are what they would have been with the larger m from the start.

The softmax is Milakov and Gimelshein's (2018, arXiv:1805.02867), the tiles are Dao's and others' (2022,
arXiv:2205.14135), and one block of rows is finished before the next begins (Dao 2023, arXiv:2307.08691).
It is here to be looked at: translations are computed by PyTorch's fused kernel (model/network/attention.py).

Shapes   Q queries · K keys · E width of a head · R rows and C columns of one tile
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Running:
    """What a block of rows remembers of the tiles that it has seen."""

    most: np.ndarray  # (R) m, the largest score so far; −∞ as long as nothing was seen
    total: np.ndarray  # (R) ℓ = Σ e^(score − m)
    mixed: np.ndarray  # (R, E) O = Σ e^(score − m) · value, not divided by ℓ yet


@dataclass(frozen=True)
class Tile:
    """One tile while it existed: what it held, and what it made of the memory."""

    columns: range
    scores: np.ndarray  # (R, C), −∞ where the mask forbids to look
    weights: np.ndarray  # (R, C) e^(score − m), with the m that is known by now
    rescale: np.ndarray  # (R) e^(m before − m now); 0 where there was nothing before
    before: Running
    after: Running


@dataclass(frozen=True)
class Block:
    """Some rows, finished: the tiles they went through, and those that the mask spares them."""

    rows: range
    tiles: tuple[Tile, ...]
    skipped: tuple[range, ...]  # the columns of tiles in which none of these rows may look

    @property
    def mixed(self) -> np.ndarray:  # (R, E)
        """What the head passes on. Only here, at the very end, is anything divided."""
        end = self.tiles[-1].after
        return end.mixed / end.total[:, None]


def blocks(
    query: np.ndarray,  # (Q, E)
    key: np.ndarray,  # (K, E)
    value: np.ndarray,  # (K, E)
    mask: np.ndarray,  # (Q, K), True where a query may look
    high: int,
    wide: int,
) -> Iterator[Block]:
    """All rows, some at a time, over tiles of at most `high` × `wide` scores."""
    if min(high, wide) < 1:
        raise ValueError(f"a tile has at least one row and one column, not {high} × {wide}")
    if not mask.any(-1).all():
        raise ValueError(f"row {int(mask.any(-1).argmin())} may look nowhere: it has no softmax")
    for rows in parts(len(query), high):
        yield _block(query[rows], key, value, mask[rows], rows, wide)


def parts(count: int, size: int) -> list[range]:
    """So many positions in pieces of `size`; the last may be smaller.

    >>> parts(5, 2)
    [range(0, 2), range(2, 4), range(4, 5)]
    """
    return [range(first, min(first + size, count)) for first in range(0, count, size)]


def _block(
    query: np.ndarray, key: np.ndarray, value: np.ndarray, mask: np.ndarray, rows: range, wide: int
) -> Block:
    running = Running(
        np.full(len(rows), -np.inf, query.dtype),
        np.zeros(len(rows), query.dtype),
        np.zeros((len(rows), value.shape[-1]), value.dtype),
    )
    tiles, skipped = [], []
    for columns in parts(len(key), wide):
        allowed = mask[:, columns]
        if not allowed.any():
            skipped.append(columns)
            continue
        scores = query @ key[columns].T / math.sqrt(query.shape[-1])  # (R, C)
        tile = take(running, np.where(allowed, scores, -np.inf), value[columns], columns)
        running = tile.after
        tiles.append(tile)
    return Block(rows, tuple(tiles), tuple(skipped))


def take(running: Running, scores: np.ndarray, value: np.ndarray, columns: range) -> Tile:
    """Let a block of rows go through one tile; what it held may be forgotten afterwards."""
    most = np.maximum(running.most, scores.max(-1))
    level = np.where(np.isneginf(most), 0, most)  # a row that has seen nothing has nothing to subtract
    rescale = np.exp(running.most - level)
    weights = np.exp(scores - level[:, None])
    total = rescale * running.total + weights.sum(-1)
    mixed = rescale[:, None] * running.mixed + weights @ value
    return Tile(columns, scores, weights, rescale, running, Running(most, total, mixed))
