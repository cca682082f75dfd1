"""A path from one word to another, hop by hop, in each kind of layer; and who could get there at all."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import cos, pi, sin
from typing import Any, NamedTuple

from viz.figures.drawing import Drawing, Mark, circle, line, rect, text
from viz.figures.svg import fitting
from viz.pages.why.figures.reach import COLOURS, LEANS, NARROW, WIDE, Say, slanting
from viz.pages.why.numbers.reach import LANES, Sizes, hops, span, window

MOST, MOST_NARROW = 40, 13  # positions of a sheet, unless the path is longer
ARC, PIECES = 40, 20  # pixels of the highest arc, and the straight lines that it is drawn with
TOP, LANE, NAME = 4, 84, 18  # pixels above the first kind, from one to the next, and of a name above its lane
WORDS = 20, 74  # pixels below the last lane: for words that stand level, and for slanting ones


class Path(NamedTuple):
    """From position `source` to position `target`; `taken` hops are over, None: all."""

    source: int
    target: int
    taken: int | None
    layers: int  # after which it is shown who can have changed the target
    played: int  # how often somebody wanted to see it again


class Sheet(NamedTuple):
    wide: float
    left: float  # where the first position begins
    most: int
    beside: bool  # whether names stand to the left of the lanes, or above them


def drawn_hops(words: Sequence[str], path: Path, sizes: Sizes, say: Say) -> Drawing:
    """Lights run along all paths at once, hop by hop, when the path is another or asked for again."""
    wide, narrow = (
        _sheet(sheet, words, path, sizes, say)
        for sheet in (Sheet(WIDE, 250, MOST, True), Sheet(NARROW, 8, MOST_NARROW, False))
    )
    moment = f"{path} {sizes} {' '.join(words)}"
    return Drawing(wide.wide, wide.high, wide.title, wide.marks, narrow=narrow, moments={"path": moment})


def _sheet(sheet: Sheet, words: Sequence[str], path: Path, sizes: Sizes, say: Say) -> Drawing:
    distance = abs(path.target - path.source)
    shown = window(len(words), (path.source + path.target) // 2, max(sheet.most, distance + 1))
    column = min(60.0, (sheet.wide - sheet.left - 8) / len(shown))
    marks, y = list[Mark](), float(TOP)
    for lane in LANES:
        room = Lane(lane, sheet, shown, column, y + ARC + (8 if sheet.beside else NAME + 6))
        marks += _named(room, hops(lane, distance, sizes), path, y, say)
        marks += _positions(room, words, path, sizes, say)
        marks += _arcs(room, path, sizes)
        y += LANE + (0 if sheet.beside else NAME)
    marks += _words(sheet, words, path, shown, column, y - 14)
    high = y + WORDS[column < LEANS]
    if len(shown) < len(words):
        part = say("why.reach.part", first=shown[0] + 1, last=shown[-1] + 1, count=len(words))
        marks.append(text(part, 0, high - 2, size=11, fill="faint"))
        high += 8
    return Drawing(sheet.wide, high, say("why.reach.hops.title"), tuple(marks))


class Lane(NamedTuple):
    """One kind of layer on a sheet: its positions lie on a line at `y`."""

    name: str
    sheet: Sheet
    shown: range
    column: float
    y: float

    def x(self, place: int) -> float:
        return self.sheet.left + (place - self.shown[0] + 0.5) * self.column


def _named(lane: Lane, made: Sequence[int], path: Path, y: float, say: Say) -> list[Mark]:
    """The kind, and of how many hops so many are over."""
    over = len(made) if path.taken is None else min(path.taken, len(made))
    count = say("why.reach.hops.count" if len(made) != 1 else "why.reach.hops.count.one", count=len(made))
    if over < len(made):
        count = say("why.reach.hops.over", taken=over, count=len(made))
    kind, under = say(f"why.cost.{lane.name}"), {"size": 12.5, "name": f"{lane.name}.count"}
    if lane.sheet.beside:
        return [
            text(fitting(kind, lane.sheet.left - 20, 13), 0, lane.y - 12, size=13, bold=True),
            text(count, 0, lane.y + 7, **under),
        ]
    wide = lane.sheet.wide
    return [text(kind, 0, y + 13, size=12.5, bold=True), text(count, wide, y + 13, anchor="end", **under)]


def _positions(lane: Lane, words: Sequence[str], path: Path, sizes: Sizes, say: Say) -> list[Mark]:
    """A dot a position, full where what stands there can have reached the target after so many layers."""
    field = span(lane.name, path.layers, path.target, len(words), sizes)
    first, last = max(field[0], lane.shown[0]), min(field[-1], lane.shown[-1])
    tip = say("why.reach.hops.field", kind=say(f"why.cost.{lane.name}"), layers=path.layers,
              count=len(field), all=len(words), word=words[path.target])  # fmt: skip
    half = lane.column / 2
    marks = [
        rect(lane.x(first) - half + 1, lane.y + 7, lane.x(last) - lane.x(first) + 2 * half - 2, 5,
             COLOURS[lane.name], round=2, tip=tip, name=f"{lane.name}.field")
    ]  # fmt: skip
    for place in lane.shown:
        end, near = place in (path.source, path.target), place in field
        fill = "ink" if end else COLOURS[lane.name] if near else "line"
        marks.append(circle(lane.x(place), lane.y, 5 if end else 3, fill, name=f"{lane.name}.at.{place}"))
        marks.append(
            rect(lane.x(place) - half, lane.y - 12, lane.column, 26, pick=place, tip=words[place], round=3,
                 name=f"{lane.name}.{place}")
        )  # fmt: skip
    return marks


def _arcs(lane: Lane, path: Path, sizes: Sizes) -> list[Mark]:
    """Each hop an arc, the longer the higher; those to come are dashed. A small loop stays in place."""
    sign = 1 if path.target >= path.source else -1
    made = hops(lane.name, abs(path.target - path.source), sizes)
    stops = [path.source + sign * gone for gone in accumulate(made, initial=0)]
    marks = []
    for turn, (start, end) in enumerate(pairwise(stops)):
        over = path.taken is None or turn < path.taken
        look: dict[str, Any] = {"thick": 2.0} if over else {"thick": 1.2, "dash": True}
        if path.taken is None or turn == path.taken - 1:
            look["flow"] = ("path", turn)
        points = _arc(lane.x(start), lane.x(end), lane.y - 4)
        marks.append(
            line(points, COLOURS[lane.name] if over else "faint", arrow=start != end,
                 name=f"{lane.name}.hop.{turn}", **look)
        )  # fmt: skip
    return marks


def _arc(start: float, end: float, y: float) -> list[tuple[float, float]]:
    """Half an ellipse; a small loop where both ends are the same."""
    high = min(float(ARC), 9 + abs(end - start) / 5)
    if start == end:
        turns = [2 * pi * place / PIECES for place in range(PIECES + 1)]
        return [(start + 4 * sin(turn), y - 6 + 6 * cos(turn)) for turn in turns]
    turns = [pi * place / PIECES for place in range(PIECES + 1)]
    middle, half = (start + end) / 2, (end - start) / 2
    return [(middle - half * cos(turn), y - high * sin(turn)) for turn in turns]


def _words(
    sheet: Sheet, words: Sequence[str], path: Path, shown: range, column: float, y: float
) -> list[Mark]:
    """Under the last lane, slanting where columns are narrow; there, the two ends at least."""
    marks, ends = list[Mark](), (path.source, path.target)
    for place in shown:
        x, end = sheet.left + (place - shown[0] + 0.5) * column, place in ends
        look: dict[str, Any] = {"size": 11.5, "bold": end, "fill": "ink" if end else "faint"}
        if column >= LEANS:
            marks.append(text(fitting(words[place], column, 11.5), x, y + 12, anchor="middle", **look))
        elif column >= 12 or end:
            marks.append(
                text(fitting(words[place], slanting(x), 11), x + 4, y + 10, turn=-50, anchor="end", **look)
            )
    return marks
