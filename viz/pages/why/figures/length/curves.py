"""Quality by length: a curve for each of the five, with the interval of every point."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from viz.figures.charts import legend
from viz.figures.drawing import Drawing, Mark, circle, line, text
from viz.figures.numbers import rounded, signed
from viz.figures.svg import fitting, width
from viz.pages.why.figures.length import STROKES
from viz.pages.why.numbers.length import MEASURES, Measured

Say = Callable[..., str]
DIGITS = {"bleu": 1, "log_prob": 2}
APART, LINE = 7, 14  # pixels: between the points of one bucket, and between names at the end of curves


class Shown(NamedTuple):
    """What both charts show, however they are laid out."""

    measured: Measured
    chosen: str  # its curve is thicker
    longest: tuple[float, str] | None  # where on the axis training ended, and what is said of it
    names: Mapping[str, str]
    say: Say


class Sheet(NamedTuple):
    """How the picture is laid out: both measures beside each other, or one below the other."""

    wide: float
    chart: float  # how wide one of them is
    high: float
    beside: bool  # then curves have their names where they end; else there is a legend


SCREEN = Sheet(1120, 548, 286, True)
TELEPHONE = Sheet(360, 360, 236, False)


class Frame(NamedTuple):
    """Where the axes of one chart are."""

    left: float
    right: float
    top: float
    bottom: float
    low: float
    high: float
    buckets: int

    @property
    def column(self) -> float:
        return (self.right - self.left) / self.buckets

    def x(self, place: float) -> float:
        return self.left + (place + 0.5) * self.column

    def y(self, value: float) -> float:
        return self.bottom - (value - self.low) / (self.high - self.low) * (self.bottom - self.top)


def curves(measured: Measured, chosen: str, longest: tuple[float, str] | None, say: Say) -> Drawing:
    """Both measures; names of curves can be picked."""
    names = {name: say(f"network.{name}.short") for name in measured.models}
    shown = Shown(measured, chosen, longest, names, say)
    wide, narrow = _beside(SCREEN, shown), _below(TELEPHONE, shown)
    return Drawing(wide.wide, wide.high, wide.title, wide.marks, narrow=narrow)


def _beside(sheet: Sheet, shown: Shown) -> Drawing:
    marks: list[Mark] = []
    for measure, x in zip(MEASURES, (0.0, sheet.wide - sheet.chart), strict=True):
        marks += _chart(sheet, shown, measure, (x, 0.0))
    return Drawing(sheet.wide, sheet.high, shown.say("why.length.title"), tuple(marks))


def _below(sheet: Sheet, shown: Shown) -> Drawing:
    lines = [(words, STROKES[name], False) for name, words in shown.names.items()]
    marks, y = legend(lines, 0, 0, sheet.wide)
    for measure in MEASURES:
        marks += _chart(sheet, shown, measure, (0.0, y + 10))
        y += sheet.high + 10
    return Drawing(sheet.wide, y, shown.say("why.length.title"), tuple(marks))


def _chart(sheet: Sheet, shown: Shown, measure: str, corner: tuple[float, float]) -> list[Mark]:
    (x, y), ticks = corner, _ticks(shown.measured, measure)
    room = max(width(name, 11, None) for name in shown.names.values()) + 14 if sheet.beside else 4
    low, high, count = ticks[0], ticks[-1], len(shown.measured.buckets)
    frame = Frame(x + 40, x + sheet.chart - room, y + 30, y + sheet.high - 48, low, high, count)
    marks = _axes(frame, shown, measure, ticks, corner)
    if shown.longest is not None:
        marks += _end_of_training(frame, *shown.longest, shown.say)
    for name in sorted(shown.names, key=lambda name: name == shown.chosen):  # the chosen one on the others
        marks += _curve(frame, shown, measure, name)
    return marks + (_ends(frame, shown, measure, room) if sheet.beside else [])


def _axes(
    frame: Frame, shown: Shown, measure: str, ticks: Sequence[float], corner: tuple[float, float]
) -> list[Mark]:
    title = shown.say(f"why.length.{measure}")
    marks: list[Mark] = [text(title, corner[0], corner[1] + 12, size=12, bold=True)]
    for tick in ticks:
        height = frame.y(tick)
        marks.append(line([(frame.left, height), (frame.right, height)], "line", thick=0.5))
        written = rounded(tick, 3).replace("-", "−")
        marks.append(text(written, frame.left - 6, height + 4, size=11, anchor="end"))
    for place, bucket in enumerate(shown.measured.buckets):
        at, count = frame.x(place), f"n = {bucket.sentences}"
        if width(count, 10.5, None) > frame.column:
            count = str(bucket.sentences)
        marks.append(text(bucket.label, at, frame.bottom + 15, size=11, anchor="middle"))
        marks.append(text(count, at, frame.bottom + 29, size=10.5, anchor="middle", fill="faint"))
    middle, words = (frame.left + frame.right) / 2, shown.say("why.length.words")
    marks.append(text(words, middle, frame.bottom + 44, size=11, anchor="middle", fill="faint"))
    return marks


def _end_of_training(frame: Frame, place: float, told: str, say: Say) -> list[Mark]:
    """A line across the chart, and what lies beyond it."""
    at, words = frame.x(place), say("why.length.longest.short")
    look = {"size": 10.5, "fill": "faint", "tip": told, "name": "longest"}
    if at + 5 + width(words, 10.5, None) > frame.right:
        look["anchor"] = "end"
    x = at - 5 if "anchor" in look else at + 5
    return [
        line([(at, frame.top), (at, frame.bottom)], "faint", dash=True, tip=told),
        text(words, x, frame.top - 5, **look),
    ]


def _curve(frame: Frame, shown: Shown, measure: str, name: str) -> list[Mark]:
    """Points stand a little beside each other, so that their intervals can be told apart."""
    scores, on = shown.measured.scores[name, measure][:-1], name == shown.chosen
    order = [*shown.names].index(name) - (len(shown.names) - 1) / 2
    aside, stroke = order * min(APART, frame.column / 7), STROKES[name]
    dots = [(frame.x(place) + aside, frame.y(value)) for place, (value, _, _) in enumerate(scores)]
    marks: list[Mark] = [line(dots, stroke, thick=3 if on else 1.5, name=f"{measure}.{name}")]
    for (x, y), score, bucket in zip(dots, scores, shown.measured.buckets, strict=True):
        value, low, high = (signed(each, DIGITS[measure]) for each in score)
        tip = shown.say(
            "why.length.point", name=shown.names[name], words=bucket.label, score=value, low=low, high=high,
            count=bucket.sentences,
        )  # fmt: skip
        ends = [(x, frame.y(score[1])), (x, frame.y(score[2]))]
        marks.append(line(ends, stroke, thick=2 if on else 1))
        point = {"tip": tip, "name": f"{measure}.{name}.{bucket.first}"}
        marks.append(circle(x, y, 4 if on else 3, stroke, **point))
    return marks


def _ends(frame: Frame, shown: Shown, measure: str, room: float) -> list[Mark]:
    """The name of each curve where it ends, and no two on each other."""
    heights = {name: frame.y(shown.measured.scores[name, measure][-2, 0]) for name in shown.names}
    order = sorted(heights, key=heights.__getitem__)
    marks: list[Mark] = []
    for name, y in zip(
        order, _spread([heights[name] for name in order], frame.top, frame.bottom), strict=True
    ):
        x, on = frame.right + 2, name == shown.chosen
        marks.append(line([(x - 6, heights[name]), (x + 4, y)], STROKES[name], thick=1))
        look = {"size": 11, "bold": on, "name": f"{measure}.{name}.name", "label": shown.names[name]}
        words = fitting(shown.names[name], room - 10, 11)
        marks.append(text(words, x + 7, y + 4, pick=name, on=on, **look))
    return marks


def _spread(heights: Sequence[float], top: float, bottom: float) -> list[float]:
    """Heights from the top down, moved until each has a line of its own.

    >>> _spread([10, 11, 50], 0, 100)
    [3.5, 17.5, 50.0]
    """
    placed = np.array(heights, float)
    for _ in range(200):
        near = np.flatnonzero(np.diff(placed) < LINE - 1e-6)
        if not len(near):
            break
        for place in near:
            middle = placed[place : place + 2].mean()
            placed[place], placed[place + 1] = middle - LINE / 2, middle + LINE / 2
    placed += max(0.0, top - placed[0])
    placed -= max(0.0, placed[-1] - bottom)
    return placed.tolist()


def _ticks(measured: Measured, measure: str) -> list[float]:
    """Round numbers that hold every interval; BLEU begins at zero, a logarithm where it may."""
    every = np.concatenate([measured.scores[name, measure][:-1] for name in measured.models])
    low, high = 0.0 if measure == "bleu" else every.min(), every.max()
    step = next(
        each for each in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50) if (high - low) / each <= 5 or each == 50
    )
    first, last = np.floor(low / step), np.ceil(high / step)
    return [float(tick * step) for tick in np.arange(first, max(last, first + 1) + 1)]
