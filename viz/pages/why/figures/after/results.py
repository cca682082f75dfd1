"""2017: quality against training cost, each model a point. Up and to the left is better."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from viz.figures.drawing import Drawing, Mark, circle, line, text
from viz.figures.numbers import compact, fixed, power_of_ten
from viz.figures.svg import width
from viz.pages.why.numbers.after.results import Result

Say = Callable[..., str]
POWERS = range(18, 22)  # of ten, along the axis of cost
LAST = 21.3
LETTER, RADIUS, GAP = 12, 6, 5  # of a point and its label, and between them
UNKNOWN = 44  # pixels left of the axis where those stand whose cost nobody listed
FILLS = {"transformer": "mark", "single": "series:1", "ensemble": "paper"}
STROKES = {"transformer": "mark", "single": "series:1", "ensemble": "series:1"}


class Box(NamedTuple):
    """What a label covers."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


class Axes(NamedTuple):
    """The room of the chart, and the range of BLEU."""

    left: float
    right: float
    top: float
    bottom: float
    low: int
    high: int

    def place(self, each: Result) -> tuple[float, float]:
        """Where a result stands; one without a cost to the left of the axis."""
        share = (each.bleu - self.low) / (self.high - self.low)
        y = self.bottom - share * (self.bottom - self.top)
        if each.cost is None:
            return self.left - UNKNOWN, y
        return self.across(math.log10(each.cost)), y

    def across(self, power: float) -> float:
        return self.left + (power - POWERS[0]) / (LAST - POWERS[0]) * (self.right - self.left)


def chart(results: Sequence[Result], say: Say) -> Drawing:
    narrow, wide = (_sheet(results, wide, high, say) for wide, high in ((350, 380), (660, 410)))
    return Drawing(wide.wide, wide.high, wide.title, wide.marks, narrow=narrow)


def _sheet(results: Sequence[Result], wide: float, high: float, say: Say) -> Drawing:
    unknown = any(each.cost is None for each in results)
    low = math.floor(min(each.bleu for each in results))
    top = math.ceil(max(each.bleu for each in results))
    axes = Axes(116.0 if unknown else 36.0, wide - 8, 46.0, high - 44, low, top)
    marks = _axes(axes, unknown, wide, say) + _legend(say)
    taken: list[Box] = []
    for each in results:
        x, y = axes.place(each)
        taken.append(Box(x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS))
    for each in sorted(results, key=_turn):
        marks += _point(each, axes, wide, taken, say)
    return Drawing(wide, high, say("export.why_after_results"), tuple(marks))


def _turn(each: Result) -> tuple[bool, float]:
    """Who chooses a place for its label first: the paper's own, then those that have the edge beside them."""
    return each.kind != "transformer", -(each.cost or 0.0)


def _axes(axes: Axes, unknown: bool, wide: float, say: Say) -> list[Mark]:
    marks: list[Mark] = []
    for bleu in range(axes.low, axes.high + 1):
        y = axes.place(Result("", "", bleu, 10.0 ** POWERS[0]))[1]
        marks.append(line([(30, y), (axes.right, y)], "line", thick=0.5))
        marks.append(text(str(bleu), 24, y + 4, size=11, anchor="end"))
    for power in POWERS:
        x = axes.across(power)
        marks.append(line([(x, axes.top), (x, axes.bottom)], "line", thick=0.5))
        marks.append(text(power_of_ten(power), x, axes.bottom + 15, size=11, anchor="middle"))
    look = {"size": 11, "fill": "faint"}
    marks.append(text(say("why.after.axis.bleu"), 0, 36, **look))
    marks.append(text(say("why.after.axis.cost"), axes.right, axes.bottom + 32, anchor="end", **look))
    if unknown:
        words = say("why.after.axis.unknown")
        marks.append(text(words, axes.left - UNKNOWN, axes.bottom + 15, anchor="middle", **look))
    return marks


def _legend(say: Say) -> list[Mark]:
    marks, x = [], 6.0
    for kind in FILLS:
        words = say(f"why.after.kind.{kind}")
        marks.append(circle(x, 9, RADIUS - 1, FILLS[kind], stroke=STROKES[kind]))
        marks.append(text(words, x + 10, 13, size=11))
        x += width(words, 11, None) + 26
    return marks


def _point(each: Result, axes: Axes, wide: float, taken: list[Box], say: Say) -> list[Mark]:
    x, y = axes.place(each)
    cost = say("why.after.no_cost") if each.cost is None else compact(each.cost)
    kind = say(f"why.after.kind.{each.kind}")
    tip = say("why.after.result", name=each.name, kind=kind, bleu=fixed(each.bleu, 2), cost=cost)
    dot = circle(x, y, RADIUS, FILLS[each.kind], stroke=STROKES[each.kind], tip=tip,
                 name=f"{each.name}.{each.kind}")  # fmt: skip
    words = f"{each.name} {each.bleu:g}"
    box, anchor = _beside(words, (x, y), wide, axes, taken)
    taken.append(box)
    at = {"start": box.left, "middle": (box.left + box.right) / 2, "end": box.right}[anchor]
    bold = each.kind == "transformer"
    label = text(words, at, box.bottom - 3, size=LETTER, bold=bold, anchor=anchor, kin=f"{each.name} label")
    return [dot, label]


def _beside(
    words: str, at: tuple[float, float], wide: float, axes: Axes, taken: Sequence[Box]
) -> tuple[Box, str]:
    """Where a label has room: to the right, to the left, above or below; at worst to the right."""
    (x, y), long, high = at, width(words, LETTER, None) + 4, LETTER + 4
    level, away = y - high / 2, RADIUS + GAP
    offered = [("start", x + away, level), ("end", x - away - long, level)]
    for down in (-RADIUS - 2 - high, RADIUS + 2):
        offered += [
            ("middle", x - long / 2, y + down),
            ("start", x - 2, y + down),
            ("end", x - long + 2, y + down),
        ]
    boxes = [(Box(left, top, left + long, top + high), anchor) for anchor, left, top in offered]
    for box, anchor in boxes:
        inside = box.left >= 28 and box.right <= wide and box.top >= 22 and box.bottom <= axes.bottom + 2
        if inside and not any(box.meets(other) for other in taken):
            return box, anchor
    return boxes[0]
