"""Where each of the five looks while it reads one translation: their maps, and one row of all of them."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from viz.figures.drawing import Drawing, Mark, cells, line, rect, small_map, text
from viz.figures.numbers import fixed
from viz.figures.svg import fitting, width
from viz.pages.why.figures.length import STROKES

Say = Callable[..., str]
LABEL = 10  # pixels of a row from which on it has a label
NAMELESS, LEANING, WIDEST = 12.5, 44, 90.0  # pixels of a column: its name is left out, or leans; and the most


@dataclass(frozen=True)
class Looks:
    """Attention while the same translation is read, (T, S), by name; the one without any has its vector."""

    maps: Mapping[str, np.ndarray]
    which: Mapping[str, str]  # layer and head of each map, in words
    fixed: str  # the one with a single vector
    vector: np.ndarray  # what it knows of the sentence, (H)
    held: np.ndarray  # how much of that comes from each source piece, (S), together 1
    source: Sequence[str]
    target: Sequence[str]

    @property
    def names(self) -> tuple[str, ...]:
        return (self.fixed, *self.maps)

    def row_of(self, name: str, row: int) -> np.ndarray:
        """What it takes from each source piece while it writes this one."""
        return self.held if name == self.fixed else self.maps[name][row]


class Grid(NamedTuple):
    """How the maps are laid out."""

    wide: float
    left: float  # room for the labels of the rows
    columns: int
    gap: float
    high: float  # of a map, at most


SCREEN, TELEPHONE = Grid(1120, 104, 5, 14, 250), Grid(360, 0, 2, 12, 150)


def maps(looks: Looks, row: int, say: Say) -> Drawing:
    """Rows are what is written, and can be picked, each as its map's name and its number."""
    wide, narrow = (_maps(grid, looks, row, say) for grid in (SCREEN, TELEPHONE))
    return Drawing(wide.wide, wide.high, wide.title, wide.marks, narrow=narrow)


def _maps(grid: Grid, looks: Looks, row: int, say: Say) -> Drawing:
    tile = (grid.wide - grid.left - grid.gap * (grid.columns - 1)) / grid.columns
    step = min(16.0, grid.high / len(looks.target))
    high, head = step * len(looks.target), 36.0
    marks: list[Mark] = []
    for place, name in enumerate(looks.names):
        x = grid.left + place % grid.columns * (tile + grid.gap)
        y = place // grid.columns * (head + grid.high + 12)
        marks += _heading(looks, name, x, y, tile, say)
        if name == looks.fixed:
            marks += _vector(looks, x, y + head, tile, min(grid.high, max(high, 90.0)), say)
        else:
            marks += _map(looks, name, x, y + head, tile, step, row, say)
        if place % grid.columns == 0 and grid.left:
            marks += _labels(looks, grid.left, y + head, step, row)
    rows = math.ceil(len(looks.names) / grid.columns)
    total = head + max(high, 90.0) + 4 if rows == 1 else rows * (head + grid.high + 12)
    return Drawing(grid.wide, total, say("why.length.maps"), tuple(marks))


def _heading(looks: Looks, name: str, x: float, y: float, wide: float, say: Say) -> list[Mark]:
    which = say("why.length.vector", count=len(looks.vector)) if name == looks.fixed else looks.which[name]
    called = fitting(say(f"network.{name}.short"), wide - 10, 11)
    return [
        rect(x, y + 3, 5, 11, STROKES[name], round=1),
        text(called, x + 10, y + 13, bold=True, name=f"map.{name}"),
        text(fitting(which, wide / 0.9, 10.5), x, y + 28, size=10.5, fill="faint"),
    ]


def _map(
    looks: Looks, name: str, x: float, y: float, wide: float, step: float, row: int, say: Say
) -> list[Mark]:
    weights = looks.maps[name]
    marks: list[Mark] = [small_map(weights, x, y, wide, step * len(weights))]
    marks.append(rect(x, y, wide, step * len(weights), "none", stroke="line"))
    for place, each in enumerate(weights):
        best = int(each.argmax())
        tip = say(
            "why.length.looks", name=say(f"network.{name}"), target=looks.target[place],
            source=looks.source[best], weight=fixed(float(each[best]), 2),
        )  # fmt: skip
        up, down = max(0, place - 1), min(len(weights) - 1, place + 1)
        moves = {"ArrowUp": f"{name}.{up}", "ArrowDown": f"{name}.{down}"}
        look = {"on": place == row, "tip": tip, "name": f"{name}.row.{place}"}
        marks.append(
            rect(x, y + step * place, wide, step, "none", pick=f"{name}.{place}", moves=moves, **look)
        )
    return marks


def _labels(looks: Looks, right: float, y: float, step: float, row: int) -> list[Mark]:
    """What is written in each row; where rows are thin, in the chosen one."""
    shown = range(len(looks.target)) if step >= LABEL else [row]
    return [
        text(
            fitting(looks.target[place], right - 12, 11), right - 8, y + step * (place + 0.5) + 4, size=11,
            anchor="end", bold=place == row, name=f"target.{place}",
        )
        for place in shown
    ]  # fmt: skip


def _vector(looks: Looks, x: float, y: float, wide: float, high: float, say: Say) -> list[Mark]:
    """All that it knows of the sentence, as a block of numbers."""
    columns = 16
    rows = math.ceil(len(looks.vector) / columns)
    size = min(wide / columns, high / rows)
    return [cells(looks.vector, x, y, size, name=say("why.length.number"), columns=columns)]


def one_row(looks: Looks, row: int, say: Say) -> Drawing:
    """What all of them take from the source while they write one piece."""
    wide = _strip(Strip(1120, 214, 30, True), looks, row, say)
    narrow = _strip(Strip(360, 4, 20, False), looks, row, say)
    return Drawing(wide.wide, wide.high, wide.title, wide.marks, narrow=narrow)


class Strip(NamedTuple):
    wide: float
    left: float
    high: float
    beside: bool  # names stand left of their rows, not above them


def _strip(sheet: Strip, looks: Looks, row: int, say: Say) -> Drawing:
    column = min(WIDEST, (sheet.wide - sheet.left) / len(looks.source))
    marks, y = _source(sheet, looks, column)
    for name in looks.names:
        weights = looks.row_of(name, row)
        best = int(weights.argmax())
        key = "held" if name == looks.fixed else "most"
        said = say(f"why.length.{key}", source=looks.source[best], weight=fixed(float(weights[best]), 2))
        called = say(f"network.{name}.short")
        if sheet.beside:
            marks.append(text(called, sheet.left - 10, y + 12, size=12, anchor="end", bold=True))
            marks.append(
                text(fitting(said, sheet.left / 0.85, 10.5), sheet.left - 10, y + 25, size=10.5, anchor="end",
                     fill="faint", name=f"{name}.said")
            )  # fmt: skip
        else:
            marks.append(text(f"{called} · {said}", 0, y + 12, size=11, name=f"{name}.said"))
            y += 17
        marks += _cells(sheet, looks, name, weights, column, y, say)
        y += sheet.high + 6
    return Drawing(sheet.wide, y, say("why.length.row_title", target=looks.target[row]), tuple(marks))


def _cells(
    sheet: Strip, looks: Looks, name: str, weights: np.ndarray, column: float, y: float, say: Say
) -> list[Mark]:
    gap = 1.5 if column > 10 else 0.0
    marks: list[Mark] = []
    for place, weight in enumerate(weights):
        x = sheet.left + place * column
        tip = f"{say(f'network.{name}')}, {looks.source[place]}: {fixed(float(weight), 3)}"
        fill = f"scale:{round(float(weight), 3)}"
        marks.append(rect(x, y, column - gap, sheet.high, fill, tip=tip, name=f"{name}.{place}"))
    end = sheet.left + column * len(weights)
    marks.append(line([(sheet.left, y + sheet.high), (end, y + sheet.high)], "line", thick=0.5))
    return marks


def _source(sheet: Strip, looks: Looks, column: float) -> tuple[list[Mark], float]:
    """Over each column its piece; where columns are thin, it leans or is left out."""
    if column < NAMELESS:
        return [], 4
    leans = column < LEANING
    longest = max(width(word, 11) for word in looks.source)
    tall = 0.72 * longest if leans else 6
    marks = []
    for place, word in enumerate(looks.source):
        x = sheet.left + (place + 0.5) * column
        look = {"size": 11, "name": f"source.{place}"}
        if leans:
            marks.append(text(word, x, tall + 6, turn=-45, **look))
        else:
            marks.append(text(fitting(word, column, 11), x, 12, anchor="middle", **look))
    return marks, tall + 14
