"""The strip of all steps, and each of them at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from viz.figures.drawing import Drawing, Mark, cells, line, moved, rect, text
from viz.figures.numbers import fixed
from viz.pages.inside.figures.vectors import BLOCK, block

if TYPE_CHECKING:
    from viz.pages.inside.numbers import Cell


def strip(
    steps: Sequence[tuple[str, str, Sequence[Mark]]],
    questions: Sequence[tuple[str, str]],
    on: str,
    title: str,
) -> Drawing:
    """All steps from left to right, each (name, label, small picture), then questions about them.

    The active one is framed.
    """
    wide, high, marks = 112, 74, []
    for place, (name, label, picture) in enumerate(steps):
        x = place * (wide + 8)
        if place:
            marks.append(line([(x - 8, high / 2), (x, high / 2)], "faint", arrow=True))
        marks.append(rect(x, 0, wide - 2, high, "panel", round=6))
        marks.append(text(label, x + 7, 16, size=12, bold=name == on))
        marks += moved(picture, x + 7, 24)
        marks.append(_button(x, 0, wide - 2, high, name, label, on))
    x, each = len(steps) * (wide + 8), high / max(1, len(questions))
    for place, (name, label) in enumerate(questions):
        y = place * each
        marks.append(rect(x, y, wide - 2, each - 4, "panel", round=6))
        marks.append(text(label, x + 7, y + 21, size=12, bold=name == on))
        marks.append(_button(x, y, wide - 2, each - 4, name, label, on))
    return Drawing(x + wide, high + 2, title, tuple(marks))


def _button(x: float, y: float, wide: float, high: float, name: str, label: str, on: str) -> Mark:
    """Over the picture, so that a click on any part of it counts."""
    return rect(x, y, wide, high, round=6, pick=name, on=name == on, label=label, name=name)


def small(step: str, cell: Cell, hidden: bool) -> list[Mark]:
    """What a step looks like at a glance, 96 × 40."""
    if hidden:
        return [text("?", 42, 28, size=22, bold=True)]
    width = 96 / len(cell.query)
    match step:
        case "input":
            return [block("x", cell.stream, 0, 0, 96 / BLOCK, 32)]
        case "project":
            rows = ("q", cell.query), ("k", cell.key), ("v", cell.value)
            return [cells(row, 0, n * 12, width, name=name, high=10) for n, (name, row) in enumerate(rows)]
        case "product":
            return [
                cells(cell.terms, 0, 0, width, name="q·k", high=14),
                text(f"Σ = {fixed(cell.terms.sum(), 2)}", 0, 34, size=13),
            ]
        case "scale":
            return [text(fixed(cell.scores[cell.column], 2), 0, 28, size=18)]
        case "mask":
            return _little_bars(np.where(cell.mask, 1.0, 0.0), cell.column)
        case "softmax":
            return _little_bars(cell.weights, cell.column)
        case "mix":
            return [cells(cell.mixed[cell.head], 0, 8, width, name="z", high=16)]
        case "output":
            return [block("o", cell.output, 0, 0, 96 / BLOCK, 32)]
    return [block("y", cell.after, 0, 0, 96 / BLOCK, 32)]


def _little_bars(values: np.ndarray, column: int) -> list[Mark]:
    """The row as thin columns, the chosen one in the colour of what was chosen."""
    wide = 96 / len(values)
    return [
        rect(
            j * wide, 36 - 36 * float(value), max(wide - 1, 0.6), max(36 * float(value), 0.8),
            "mark" if j == column else "faint",
        )
        for j, value in enumerate(values)
    ]  # fmt: skip
