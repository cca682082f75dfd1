"""The loss row by row: what a row reads, what it must predict, how likely that was, and what it costs."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from model.training.one_step.losses import Losses
from viz.figures.charts import bars
from viz.figures.drawing import Drawing, Mark, line, rect, text
from viz.figures.numbers import compact, fixed
from viz.figures.svg import LETTER, fitting
from viz.pages.training.numbers.step import Pulls

Say = Callable[..., str]
WIDE, NARROW = 760, 360
TOP, ROW, DENSE = 36, 20, 17  # pixels: above the rows, of a row, of a row among many
MANY = 18  # rows
PULLS, PULL_HIGH = 400, 24
SMALL = 11


class Row(NamedTuple):
    """One row of the decoder."""

    reads: str
    must: str
    chance: float
    plain: float
    smoothed: float


class Columns(NamedTuple):
    """Where the columns of the table begin, and how wide the last one is."""

    reads: float
    must: float
    chance: float  # the number; a bar to its right where there is room
    bar: float
    plain: float
    loss: float
    room: float


WHOLE = Columns(24, 150, 318, 70, 446, 500, 200)
SHORT = Columns(20, 92, 212, 0, 0, 230, 80)


def rows(found: Losses, reads: Sequence[str], must: Sequence[str], at: int, say: Say) -> Drawing:
    """All rows of the decoder; a click looks at one. The floor is a line that no bar can end before."""
    chances = np.exp(-found.plain)
    made = [
        Row(*each) for each in zip(reads, must, chances, found.plain, found.smoothed, strict=True)
    ]  # fmt: skip
    whole, short = (_table(made, found.floor, at, place, say) for place in (WHOLE, SHORT))
    high = TOP + len(made) * _row(made) + 20
    title = say("training.step.rows")
    return Drawing(WIDE, high, title, tuple(whole), narrow=Drawing(NARROW, high, title, tuple(short)))


def _row(made: Sequence[Row]) -> int:
    return ROW if len(made) <= MANY else DENSE


def _table(made: Sequence[Row], floor: float, at: int, place: Columns, say: Say) -> list[Mark]:
    most, high = max(2 * floor, *(row.smoothed for row in made)), _row(made)
    marks = _head(place, say)
    for number, row in enumerate(made):
        marks += _line(row, number, len(made), number == at, TOP + number * high, most, place, say)
    x, end = place.loss + floor / most * place.room, TOP + len(made) * high
    marks.append(line([(x, TOP - 4), (x, end + 4)], "mark", thick=1.5, dash=True, name="floor"))
    said = say("training.step.floor", floor=fixed(floor, 3))
    marks.append(text(said, x, end + 16, size=SMALL, anchor="middle", fill="mark", name="floor.said"))
    return marks


def _head(place: Columns, say: Say) -> list[Mark]:
    names = [("reads", place.reads), ("must", place.must), ("loss", place.loss)]
    if place.bar:
        names += [("chance", place.chance - 38), ("plain", place.plain - 30)]
    marks = [
        text(say(f"training.step.column.{name}"), x, TOP - 12, size=SMALL, fill="faint") for name, x in names
    ]
    if not place.bar:
        marks.append(text("p", place.chance, TOP - 12, size=SMALL, fill="faint", anchor="end"))
    return marks


def _line(
    row: Row, number: int, count: int, on: bool, y: float, most: float, place: Columns, say: Say
) -> list[Mark]:
    high = ROW if count <= MANY else DENSE
    base, loss = y + high * 0.7, place.room * row.smoothed / most
    tip = say(
        "training.step.row.tip", row=number + 1, reads=row.reads, must=row.must,
        chance=_said(row.chance), plain=fixed(row.plain, 4), smoothed=fixed(row.smoothed, 4),
    )  # fmt: skip
    moves = ({"ArrowUp": number - 1} if number else {}) | (
        {"ArrowDown": number + 1} if number + 1 < count else {}
    )
    marks = [
        rect(
            0, y, place.loss + place.room + 48, high, "panel" if on else "paper", round=4, tip=tip,
            pick=number, on=on, moves=moves, name=f"row.{number}",
        ),
        text(str(number + 1), place.reads - 8, base, size=10, anchor="end", fill="faint"),
        text(fitting(row.reads, place.must - place.reads - 14, LETTER), place.reads, base, fill="faint"),
        text("→", place.must - 12, base, size=10, fill="faint"),
        text(fitting(row.must, place.chance - place.must - 36, LETTER), place.must + 4, base, bold=on),
        text(_short(row.chance), place.chance, base, size=SMALL, anchor="end", name=f"chance.{number}"),
        rect(place.loss, y + 4, max(1.0, loss), high - 8, "faint", name=f"loss.{number}"),
        text(fixed(row.smoothed, 2), place.loss + loss + 5, base, size=SMALL, name=f"smoothed.{number}"),
    ]  # fmt: skip
    if place.bar:
        marks.append(rect(place.chance + 6, y + 5, max(1.0, place.bar * row.chance), high - 10, "ink"))
        marks.append(text(fixed(row.plain, 3), place.plain, base, size=SMALL, anchor="end"))
    return marks


def _said(chance: float) -> str:
    return fixed(chance, 4) if chance >= 0.001 else compact(chance)


def _short(chance: float) -> str:
    return fixed(chance, 2) if chance >= 0.005 else "<0.01"


def pulled(found: Pulls, labels: Sequence[str], say: Say) -> Drawing:
    """p − q of one row as bars: below zero a piece is pushed up, above zero down."""
    rest = say("training.step.rest", count=f"{found.others:,}")
    names = [f"✓ {labels[0]}", *labels[1:], rest]
    largest = max(map(abs, (*found.values, found.rest)))
    marks = bars(
        [*found.values, found.rest], [fitting(name, 132, LETTER) for name in names], wide=PULLS,
        high=PULL_HIGH, y=4, written="{:+.3f}", most=0.05 if largest < 0.05 else None,
        names=[*(f"pull.{id}" for id in found.ids), "pull.rest"],
    )  # fmt: skip
    return Drawing(PULLS, 10 + PULL_HIGH * len(names), say("training.step.pulls"), tuple(marks))
