"""Vectors of the stream as blocks of cells, and the positions of a row that are worth drawing."""

from typing import Any

import numpy as np

from viz.figures.drawing import Mark, cells, rect, text

WIDE = 400  # every picture: legible on a telephone, twice as large on a wall
BLOCK = 32  # numbers a row, where a whole vector of the stream is drawn
SHOWN = 24  # positions of a long sentence: those looked at most
THIN = 6  # the height of a row, where several vectors of the stream stand in one picture


def block(name: str, vector: np.ndarray, x: float, y: float, size: float, high: float, **more: Any) -> Mark:
    """A vector of the stream as rows of 32, each `high`; above 12 it is the height of them all."""
    each = high if high <= 12 else high / rows(vector)
    return cells(vector, x, y, size, name=name, columns=BLOCK, high=each, **more)


def rows(vector: np.ndarray) -> int:
    return -(-len(vector) // BLOCK)


def covered(name: str, vector: np.ndarray, y: float, hidden: bool) -> list[Mark]:
    """A vector of the stream; the first number is covered while it is asked for."""
    if not hidden:
        return [block(name, vector, 0, y, WIDE / BLOCK, THIN)]
    others = np.concatenate([[0.0], vector[1:]])  # the rest stays where it is
    return [
        block(name, others, 0, y, WIDE / BLOCK, THIN),
        rect(0, y, WIDE / BLOCK, THIN, "paper"),
        text("?", 6, y + THIN, size=10, anchor="middle", bold=True),
    ]


def shown(weights: np.ndarray, column: int | None = None) -> list[int]:
    """Where to look: all positions, or of many those with the largest weights, in their order."""
    if len(weights) <= SHOWN:
        return list(range(len(weights)))
    largest = np.argsort(-weights, kind="stable")[:SHOWN].tolist()
    if column is not None and column not in largest:
        largest[-1] = column
    return sorted(largest)
