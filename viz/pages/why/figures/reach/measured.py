"""What was measured: who changes the chosen token, in each network, and how that fades with distance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor
from typing import NamedTuple

import numpy as np

from viz.figures.charts import Series, curves, legend
from viz.figures.drawing import Drawing, Mark, line, moved, rect, small_map, text
from viz.figures.numbers import compact, rounded
from viz.figures.svg import fitting, width
from viz.pages.why.figures.reach import COLOURS, LEANS, NARROW, WIDE, Say, slanting
from viz.pages.why.numbers.reach import by_distance, window

TALL, TITLE, FIELD = 58, 22, 10  # pixels: the longest bar, the words above a strip, and what lies below it
MAP, CHART = 92, 340  # the side of a whole map, the width of the chart
MOST, MOST_NARROW = 40, 16  # tokens of a strip
FLOOR = 1e-3  # of what a neighbour is changed: the chart ends there


@dataclass(frozen=True)
class Measured:
    """One network on this sentence: the reach in one of its layers, and what could reach the chosen token."""

    name: str
    reach: np.ndarray  # (S, S): row j, column i
    layer: int
    layers: int
    field: range


class Sheet(NamedTuple):
    wide: float
    strip: float  # the width of a strip
    most: int


SCREEN = Sheet(WIDE, WIDE - MAP - CHART - 60, MOST)
TELEPHONE = Sheet(NARROW, NARROW - MAP - 12, MOST_NARROW)


def measured(found: Sequence[Measured], words: Sequence[str], at: int, say: Say) -> Drawing:
    """A strip and a map a network, and one chart of all; a token can be picked in every strip."""
    sheets = [_strips(sheet, found, words, at, say) for sheet in (SCREEN, TELEPHONE)]
    (wide, high), (narrow, down) = sheets
    chart = _chart(found, CHART, max(220.0, high - 40), say)
    wide += moved(chart, WIDE - CHART, 0)
    below = _chart(found, NARROW, 240, say)
    narrow += moved(below, 0, down + 8)
    title = say("why.reach.measured.title")
    return Drawing(
        WIDE, max(high, 262), title, tuple(wide), narrow=Drawing(NARROW, down + 290, title, tuple(narrow))
    )


def _strips(
    sheet: Sheet, found: Sequence[Measured], words: Sequence[str], at: int, say: Say
) -> tuple[list[Mark], float]:
    shown, marks, y = window(len(words), at, sheet.most), list[Mark](), 0.0
    column = min(64.0, sheet.strip / len(shown))
    for each in found:
        marks += _strip(each, words, at, shown, column, y, say)
        marks += _map(each, at, sheet.strip + 16, y + TITLE - 4, say)
        y += TITLE + max(TALL, MAP - TITLE) + FIELD + 14
    marks += _words(words, at, shown, column, y, say)
    return marks, y + (70 if column < LEANS else 22)


def _strip(
    each: Measured, words: Sequence[str], at: int, shown: range, column: float, y: float, say: Say
) -> list[Mark]:
    """Bars as high as the change, beside the largest among the others; its own change is hollow."""
    row, bottom = each.reach[at], y + TITLE + TALL
    others = np.delete(row, at)
    most = float(others.max()) if others.size and others.max() > 0 else 1.0
    name = say(f"why.cost.{each.name}")
    layer = say("why.reach.layer", layer=each.layer + 1, layers=each.layers)
    marks = [
        text(name, 0, y + 13, size=13, bold=True),
        text(layer, 12 + width(name, 13), y + 13, size=11.5, fill="faint"),
    ]
    for place in shown:
        x, value = (place - shown[0]) * column, float(row[place])
        high = TALL * min(1.0, value / most)
        tip = say("why.reach.tip", seen=words[place], word=words[at], value=compact(value),
                  share=rounded(value / most, 2))  # fmt: skip
        own = place == at
        marks.append(
            rect(x + 1, bottom - high, column - 2, high, "none" if own else COLOURS[each.name],
                 stroke="faint" if own else "none", name=f"{each.name}.bar.{place}")
        )  # fmt: skip
        marks.append(rect(x, y + TITLE, column, TALL + FIELD, pick=place, on=own, tip=tip, round=3,
                          name=f"{each.name}.{place}"))  # fmt: skip
    reached = [place for place in shown if place in each.field]
    start, end = (reached[0] - shown[0]) * column, (reached[-1] - shown[0] + 1) * column
    tip = say("why.reach.field.tip", count=len(each.field), all=len(words))
    marks.append(line([(start + 1, bottom + 6), (end - 1, bottom + 6)], "ink", thick=2.5, tip=tip,
                      name=f"{each.name}.field"))  # fmt: skip
    marks.append(line([(0, bottom), (len(shown) * column, bottom)], "line"))
    return marks


def _map(each: Measured, at: int, x: float, y: float, say: Say) -> list[Mark]:
    """The whole sentence: a row is a token that is changed, a column one that changes it."""
    count = len(each.reach)
    others = each.reach[~np.eye(count, dtype=bool)]
    most = float(others.max()) if others.size and others.max() > 0 else 1.0
    cell = MAP / count
    tip = say("why.reach.map.tip", name=say(f"why.cost.{each.name}"))
    return [
        rect(x, y, MAP, MAP, "panel", tip=tip),
        small_map(each.reach, x, y, MAP, MAP, seen=~np.eye(count, dtype=bool), most=most,
                  name=f"{each.name}.map"),
        rect(x - 1, y + at * cell, MAP + 2, cell, stroke="mark", name=f"{each.name}.row"),
    ]  # fmt: skip


def _words(words: Sequence[str], at: int, shown: range, column: float, y: float, say: Say) -> list[Mark]:
    marks = []
    for place in shown:
        x = (place - shown[0] + 0.5) * column
        look = {"size": 11.5, "bold": place == at, "name": f"word.{place}"}
        if column >= LEANS:
            marks.append(text(fitting(words[place], column, 11.5), x, y + 12, anchor="middle", **look))
        else:
            marks.append(
                text(fitting(words[place], slanting(x), 11), x + 4, y + 10, turn=-50, anchor="end", **look)
            )
    if len(shown) < len(words):
        part = say("why.reach.part", first=shown[0] + 1, last=shown[-1] + 1, count=len(words))
        marks.append(text(part, 0, y + 66, size=11, fill="faint"))
    return marks


def _chart(found: Sequence[Measured], wide: float, high: float, say: Say) -> list[Mark]:
    """Each curve begins at 1 for a neighbour; what is below the floor has no point."""
    series, tips = [], []
    for each in found:
        means = by_distance(each.reach)[1:]
        if not len(means) or not means[0]:
            continue
        shares = means / means[0]
        seen = np.flatnonzero(shares >= FLOOR)
        name = say(f"why.cost.{each.name}")
        series.append(Series(name, seen + 1, np.log10(shares[seen]), COLOURS[each.name]))
        tips += [(f"chart.{each.name}.{place + 1}",
                  say("why.reach.chart.tip", name=name, places=place + 1, share=rounded(shares[place], 3)))
                 for place in seen.tolist()]  # fmt: skip
    last = max((len(each.reach) - 1 for each in found), default=1)
    least = min((float(min(each.ys)) for each in series), default=-1.0)
    most = max((float(max(each.ys)) for each in series), default=0.0)
    powers = range(min(-1, floor(least)), max(1, round(most + 0.5)))
    ticks = sorted({1, (1 + last) // 2, max(2, last)})
    marks = curves(
        series, wide=wide, high=high, x_title=say("why.reach.chart.x"), y_title=say("why.reach.chart.y"),
        x_ticks=[(tick, str(tick)) for tick in ticks],
        y_ticks=[(power, rounded(10.0**power)) for power in powers],
    )  # fmt: skip
    circles = (mark for mark in marks if mark["shape"] == "circle")
    for circle, (name, tip) in zip(circles, tips, strict=True):
        circle.update(tip=tip, name=name)
    named = [(each.name, each.stroke, False) for each in series]
    return marks + legend(named, 30, high + 2, wide - 30)[0]


def arrays(found: Sequence[Measured]) -> Mapping[str, np.ndarray]:
    """What was measured, for files."""
    return {f"reach_{each.name}": each.reach for each in found}
