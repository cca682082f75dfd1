"""The table of scores in tiles: the one that exists now, those that are forgotten, to come, or skipped."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from viz.figures.drawing import Drawing, Mark, line, rect, text
from viz.figures.numbers import count, fixed, signed
from viz.figures.svg import LETTER, fitting, width
from viz.pages.why.numbers.tiles import Walk

Say = Callable[..., str]
LARGEST, TALLEST = 30, 330  # pixels of a cell, and of all rows,
TALLER = 420  # which may be more where nothing stands above them
LEANING, ANGLE = 10.5, 60  # pixels of a column under which it has no name, and how far names lean
LABEL = 84  # pixels for the name of a row
FILLS = {"now": "none", "done": "panel", "later": "none", "skipped": "none"}
AXIS = 16  # pixels for the name of an axis


@dataclass(frozen=True)
class Shown:
    """A walk with the words along both sides."""

    walk: Walk
    queries: Sequence[str]
    keys: Sequence[str]
    axes: tuple[str, str]  # what rows and columns are
    title: str


def table(shown: Shown, say: Say, tallest: int = TALLEST) -> Drawing:
    """Each tile can be picked as "block.tile", each row by its name as "row.3"."""
    narrow, wide = (_sheet(shown, room, tallest, say) for room in (350, 540))
    return Drawing(wide.wide, wide.high, wide.title, wide.marks, narrow=narrow)


@dataclass(frozen=True)
class _Place:
    """Where the table lies on the sheet."""

    left: float
    top: float
    cell: float

    def box(self, rows: range, columns: range) -> tuple[float, float, float, float]:
        return (
            self.left + columns.start * self.cell, self.top + rows.start * self.cell,
            len(columns) * self.cell, len(rows) * self.cell,
        )  # fmt: skip


def _sheet(shown: Shown, wide: float, tallest: int, say: Say) -> Drawing:
    left = AXIS + min(LABEL, max(width(word, LETTER) for word in shown.queries) + 10)
    cell = min(LARGEST, (wide - left - 4) / len(shown.keys), tallest / len(shown.queries))
    named = cell >= LEANING
    top = AXIS + (_lean(shown.keys) + 4 if named else 4.0)
    place = _Place(left, top, cell)
    marks = _axes(shown, place, wide) + _rows(shown, place)
    if named:
        marks += _columns(shown, place)
    for number, block in enumerate(shown.walk.blocks):
        marks += _skipped(block.rows, block.skipped, place, say)
        for at, tile in enumerate(block.tiles):
            marks += _tile(shown, place, number, at, block.rows, tile.columns, say)
    marks += _cells(shown, place, say)
    row = range(shown.walk.row, shown.walk.row + 1)
    x, y, long, high = place.box(row, range(len(shown.keys)))
    marks.append(rect(x, y, long, high, "none", stroke="mark", name="row"))
    bottom = top + max(cell * len(shown.queries), width(shown.axes[0], 11, None) - top)
    legend, bottom = _legend(shown, wide, bottom + 10, say)
    return Drawing(wide, bottom, shown.title, tuple(marks + legend))


def _axes(shown: Shown, place: _Place, wide: float) -> list[Mark]:
    rows, columns = shown.axes
    middle = place.top + place.cell * len(shown.queries) / 2
    middle = max(middle, width(rows, 11, None) / 2)  # a short table is not as long as its name
    across = place.left + place.cell * len(shown.keys) / 2
    half = min(width(columns, 11, None) / 2, wide / 2)
    across = max(half, min(wide - half, across))
    look = {"size": 11, "anchor": "middle", "fill": "faint"}
    return [text(rows, 11, middle, turn=-90, **look), text(columns, across, 11, **look)]


def _lean(keys: Sequence[str]) -> float:
    longest = max(width(fitting(key, LABEL, 11), 12) for key in keys)  # those that are bold are wider
    return longest * math.sin(math.radians(ANGLE)) + 6


def _rows(shown: Shown, place: _Place) -> list[Mark]:
    """Names of rows; where rows are too thin for all of them, that of the chosen one."""
    marks: list[Mark] = []
    for row, word in enumerate(shown.queries):
        chosen = row == shown.walk.row
        y = place.top + (row + 0.5) * place.cell
        if place.cell < LEANING and not chosen:
            continue
        name = fitting(word, place.left - AXIS - 8, LETTER)
        marks.append(text(name, place.left - 6, y + 4, anchor="end", bold=chosen, name=f"query.{row}"))
        if place.cell >= LEANING:
            box = AXIS, y - place.cell / 2, place.left - AXIS - 2, place.cell
            marks.append(rect(*box, "none", pick=f"row.{row}", tip=word, name=f"row.{row}"))
    return marks


def _columns(shown: Shown, place: _Place) -> list[Mark]:
    now = shown.walk.tile.columns if shown.walk.tile else range(0)
    return [
        text(fitting(word, LABEL, 11), place.left + (column + 0.6) * place.cell, place.top - 5, size=11,
             turn=-ANGLE, bold=column in now, fill="ink" if column in now else "faint", name=f"key.{column}")
        for column, word in enumerate(shown.keys)
    ]  # fmt: skip


def _state(walk: Walk, number: int, at: int) -> str:
    if (number, at) == (walk.number, walk.at):
        return "now"
    return "done" if (number, at) < (walk.number, walk.at) else "later"


def _tile(
    shown: Shown, place: _Place, number: int, at: int, rows: range, columns: range, say: Say
) -> list[Mark]:
    walk, state = shown.walk, _state(shown.walk, number, at)
    told = {"rows": span(rows), "columns": span(columns)}
    x, y, long, high = place.box(rows, columns)
    moves = _moves(walk, number, at)
    more = {"pick": f"{number}.{at}", "name": f"tile.{number}.{at}", "moves": moves, "on": state == "now"}
    tip = say(f"why.tiles.{state}", **told)
    return [rect(x + 0.5, y + 0.5, long - 1, high - 1, FILLS[state], stroke="line", round=2, tip=tip, **more)]


def _moves(walk: Walk, number: int, at: int) -> dict[str, str]:
    """Where arrow keys lead: to tiles that are computed."""
    beside = {
        "ArrowLeft": (number, at - 1), "ArrowRight": (number, at + 1),
        "ArrowUp": (number - 1, at), "ArrowDown": (number + 1, at),
    }  # fmt: skip
    return {
        way: f"{other}.{tile}"
        for way, (other, tile) in beside.items()
        if 0 <= other < len(walk.blocks) and 0 <= tile < len(walk.blocks[other].tiles)
    }


def _skipped(rows: range, skipped: Sequence[range], place: _Place, say: Say) -> list[Mark]:
    marks = []
    for columns in skipped:
        x, y, long, high = place.box(rows, columns)
        tip = say("why.tiles.skipped", rows=span(rows), columns=span(columns))
        marks.append(line([(x + 2, y + high - 2), (x + long - 2, y + 2)], "line"))
        marks.append(rect(x, y, long, high, "none", tip=tip, name=f"skipped.{rows.start}.{columns.start}"))
    return marks


def _cells(shown: Shown, place: _Place, say: Say) -> list[Mark]:
    """What the tile holds while it exists: e^(score − m) of each of its cells."""
    walk, marks = shown.walk, []
    if walk.tile is None:
        return []
    for inside, row in enumerate(walk.block.rows):
        for across, column in enumerate(walk.tile.columns):
            score, weight = (float(each[inside, across]) for each in (walk.tile.scores, walk.tile.weights))
            seen = math.isfinite(score)
            told = {"looking": shown.queries[row], "seen": shown.keys[column]}
            tip = (
                say("why.tiles.cell", score=signed(score, 3), weight=fixed(weight, 4), **told)
                if seen
                else say("why.tiles.masked", **told)
            )
            x, y, *_ = place.box(range(row, row + 1), range(column, column + 1))
            fill = f"scale:{weight:.3f}" if seen else "paper"
            size = place.cell - 1
            marks.append(rect(x + 0.5, y + 0.5, size, size, fill, tip=tip, name=f"cell.{row}.{column}"))
    x, y, long, high = place.box(walk.block.rows, walk.tile.columns)
    return [*marks, rect(x, y, long, high, "none", on=True)]


def _legend(shown: Shown, wide: float, y: float, say: Say) -> tuple[list[Mark], float]:
    """What the four looks of a tile mean; only those that there are."""
    marks: list[Mark] = []
    x = 0.0
    for state in ("now", "done", "later", *(["skipped"] if shown.walk.held.skipped else [])):
        words = say(f"why.tiles.legend.{state}")
        room = width(words, 11, None) + 32
        if x and x + room > wide:
            x, y = 0.0, y + 18
        fill = "scale:0.6" if state == "now" else FILLS[state]
        if state == "skipped":
            marks.append(line([(x + 1, y + 12), (x + 13, y + 1)], "line"))
        else:
            marks.append(rect(x, y, 13, 13, fill, stroke="line", round=2, on=state == "now"))
        marks.append(text(words, x + 19, y + 11, size=11))
        x += room
    return marks, y + 20


def span(places: range) -> str:
    """Positions as people count them.

    >>> span(range(4, 8)), span(range(8, 9))
    ('5–8', '9')
    """
    first, last = count(places.start + 1), count(places.stop)
    return first if len(places) == 1 else f"{first}–{last}"
