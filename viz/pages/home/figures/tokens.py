"""The tokens of a stack under its column, each over its own place; many stand in several rows."""

from dataclasses import dataclass
from math import ceil
from typing import Any

from viz.figures.drawing import Mark, rect, text
from viz.figures.numbers import fixed
from viz.figures.svg import fitting
from viz.pages.home.numbers import Run, Say

ROOM, LEAST = 56, 34  # pixels that a label would like to have, and those it needs
MOST_ROWS, ROW = 4, 17
WIDEST = 84  # of a token's place: a short sentence is not torn apart


@dataclass(frozen=True)
class Places:
    """Where each of so many tokens stands between `x` and `x + wide`."""

    x: float
    wide: float
    count: int

    @property
    def slot(self) -> float:
        return min(WIDEST, self.wide / self.count)

    @property
    def left(self) -> float:
        return self.x + (self.wide - self.slot * self.count) / 2

    @property
    def rows(self) -> int:
        return min(MOST_ROWS, self.count, ceil(ROOM / self.slot))

    @property
    def every(self) -> int:
        """Of very many tokens, each so-many-th is written out."""
        return ceil(LEAST / (self.slot * self.rows))

    @property
    def high(self) -> float:
        return self.rows * ROW


def tokens(run: Run, stack: str, places: Places, y: float, say: Say) -> list[Mark]:
    """From `y` down. The decoder's can be picked: the chosen one writes, those before it have been read."""
    labels, marks = run.tokens[stack], []
    told = run.row if stack == "decoder" else -1
    room = places.slot * places.rows * places.every
    for place, label in enumerate(labels):
        if place % places.every and place != told:
            continue
        middle = places.left + (place + 0.5) * places.slot
        down = y + place // places.every % places.rows * ROW
        left = middle - room / 2
        read = stack == "encoder" or place <= run.row
        about: dict[str, Any] = {"name": f"{'read' if stack == 'decoder' else 'token'}.{place}"}
        if stack == "decoder":
            writes, chance = run.writes[place], fixed(float(run.chances[place]))
            said = say("home.told.read", token=label, writes=writes, chance=chance, number=place + 1)
            about |= {"tip": said, "pick": f"read.{place}", "on": place == run.row}
        marks.append(
            rect(left + 1, down + 1, room - 2, ROW - 3, "panel" if read else "none", round=3, **about)
        )
        fill = "ink" if read else "faint"
        words = fitting(label, room - 4, 11)
        marks.append(
            text(words, left + room / 2, down + 12, size=11, anchor="middle", fill=fill, bold=place == told)
        )
    return marks
