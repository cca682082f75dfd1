"""What the cache saves, over the steps of a run; and its rows, which change places with those of a beam."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from viz.figures.charts import Series, curves, legend
from viz.figures.drawing import Drawing, Mark, circle, line, moved, rect, text
from viz.figures.numbers import rounded
from viz.figures.svg import fitting, width
from viz.pages.decoding.numbers.memory import window

Say = Callable[..., str]
Spots = Sequence[tuple[float, float]]
WIDE, HIGH = 640, 230
NARROW = 360
WAYS = {"with": ("mark", False), "without": ("series:1", True)}
COLUMNS, FEW_COLUMNS = 32, 12  # of the rows, on a screen and on a telephone
ROW, SPOT = 32, 4.5  # pixels from row to row, and of a row's dot
LEGIBLE = 30  # pixels between two steps under which tokens have no room


def costs(
    steps: Sequence[int], seconds: Mapping[str, Sequence[float]], products: Mapping[str, np.ndarray],
    at: int, say: Say,
) -> Drawing:  # fmt: skip
    """Two charts, each with the cache and without: the time of a step, and its multiplications."""
    times = {way: (np.array(steps) + 1, 1000 * np.array(seconds[way])) for way in WAYS}
    sums = {way: (np.arange(len(products[way])) + 1, np.array(products[way]) / 1e6) for way in WAYS}
    last = len(products["with"])
    drawn = [
        _chart(each, last, at, say(f"decoding.memory.{unit}"), unit, wide, say)
        for wide in (WIDE / 2 - 8, NARROW)
        for unit, each in (("milliseconds", times), ("millions", sums))
    ]
    named = [(say(f"decoding.memory.{way}"), *look) for way, look in WAYS.items()]
    title = say("decoding.memory.time.title")
    below, high = legend(named, 0, HIGH + 2, WIDE)
    wide = [*drawn[0], *moved(drawn[1], WIDE / 2 + 8, 0), *below]
    below, more = legend(named, 0, 2 * HIGH + 10, NARROW)
    narrow = [*drawn[2], *moved(drawn[3], 0, HIGH + 8), *below]
    return Drawing(
        WIDE, HIGH + high + 4, title, tuple(wide),
        narrow=Drawing(NARROW, 2 * HIGH + more + 12, title, tuple(narrow)),
    )  # fmt: skip


def _chart(
    each: Mapping[str, tuple[np.ndarray, np.ndarray]], last: int, at: int, title: str, unit: str,
    wide: float, say: Say,
) -> list[Mark]:  # fmt: skip
    top = max(float(ys.max()) for _, ys in each.values())
    step = _nice(top / 4)
    levels = np.arange(0, top + step, step)
    places = sorted({1, (last + 1) // 2, last})
    dots = last <= 40
    series = [
        Series(say(f"decoding.memory.{way}"), xs, ys, *WAYS[way], points=dots or unit == "milliseconds")
        for way, (xs, ys) in each.items()
    ]
    marks = curves(
        series, wide=wide, high=HIGH, x_title=say("decoding.memory.step"), y_title=title,
        x_ticks=[(place, str(place)) for place in (places if last > 1 else [1, 2])],
        y_ticks=[(float(level), rounded(level)) for level in levels], cursor=at + 1,
    )  # fmt: skip
    circles = (mark for mark in marks if mark["shape"] == "circle")
    for way, (xs, ys) in each.items():
        if not series[0].points:
            break
        for x, y in zip(xs, ys, strict=True):
            said = say(f"decoding.memory.{unit}.tip", way=say(f"decoding.memory.{way}"), step=x)
            next(circles).update(tip=f"{said}: {rounded(y, 4)}", name=f"{unit}.{way}.{x - 1}")
    return marks


def _nice(step: float) -> float:
    """The next round number: 1, 2 or 5 times a power of ten.

    >>> _nice(0.3), _nice(7.0), _nice(12.0)
    (0.5, 10.0, 20.0)
    """
    power = 10.0 ** np.floor(np.log10(max(step, 1e-9)))
    return next(float(times * power) for times in (1, 2, 5, 10) if times * power >= step * 0.999)


def rows(
    continued: Sequence[Sequence[int]], words: Sequence[Sequence[str]], at: int, last: int, say: Say
) -> Drawing:
    """A column a step, in it the rows of the cache; a line leads from the row that was continued.

    Steps up to `last` can be picked: the translation on screen has no others.
    """
    sheets = [
        _rows(continued, words, at, last, wide, most, say)
        for wide, most in ((WIDE, COLUMNS), (NARROW, FEW_COLUMNS))
    ]
    return Drawing(WIDE, sheets[0].high, sheets[0].title, sheets[0].marks, narrow=sheets[1])


def _rows(
    continued: Sequence[Sequence[int]], words: Sequence[Sequence[str]], at: int, last: int,
    wide: float, most: int, say: Say,
) -> Drawing:  # fmt: skip
    shown = window(len(continued), min(at, len(continued) - 1), most)
    size, left, top = max(map(len, continued)), 52, 26
    column = min(90.0, (wide - left - 16) / len(shown))
    spot = lambda step, row: (left + (step - shown[0] + 1) * column, top + (row + 0.7) * ROW)  # noqa: E731
    marks: list[Mark] = [
        text(say("decoding.memory.row", row=row + 1), 0, spot(shown[0], row)[1] + 4, size=11, fill="faint")
        for row in range(size)
    ]
    every = max(1, round(LEGIBLE / column))
    for step in shown:
        x = spot(step, 0)[0]
        if (step - shown[0]) % every == 0 or step == at:
            marks.append(text(str(step + 1), x, 13, size=11, anchor="middle", bold=step == at))
        if step > shown[0] or step == 0:
            before = [spot(step - 1, row) for row in range(size)]
            marks += _lines(continued[step], before, [spot(step, row) for row in range(size)], step)
    if shown[0] == 0:
        marks.append(circle(*spot(-1, 0), SPOT, "ink", name="row.start"))
    for step in shown:
        spots = [spot(step, row) for row in range(size)]
        marks += _dots(continued, words, step, spots, column)
        marks.append(_column(continued, words, step, at, last, spots, column, say))
    bottom = top + size * ROW + 12
    if len(shown) < len(continued):
        part = {"first": shown[0] + 1, "last": shown[-1] + 1, "count": len(continued)}
        marks.append(text(say("decoding.memory.part", **part), 0, bottom + 10, size=11, fill="faint"))
        bottom += 14
    return Drawing(wide, bottom, say("decoding.memory.rows.title"), tuple(marks))


def _lines(rows: Sequence[int], before: Spots, here: Spots, step: int) -> list[Mark]:
    return [
        line(
            [before[row], here[place]],
            "faint" if row == place else "mark",
            thick=1.5 if row == place else 2.5,
            name=f"from.{step}.{place}.{row}",
        )
        for place, row in enumerate(rows)
    ]


def _dots(
    continued: Sequence[Sequence[int]], words: Sequence[Sequence[str]], step: int, spots: Spots, column: float
) -> list[Mark]:
    """Filled where a later row goes on from it, hollow where none does; the last ones all end."""
    last = step + 1 == len(continued)
    marks: list[Mark] = []
    for row, word in enumerate(words[step]):
        x, y = spots[row]
        goes_on = last or row in continued[step + 1]
        marks.append(
            circle(x, y, SPOT, "ink" if goes_on else "paper", stroke="ink", name=f"row.{step}.{row}")
        )
        if column >= LEGIBLE:
            shown = fitting(word, column - 4, 10)
            room = width(shown, 10)  # lines that pass do not cross the word
            marks.append(rect(x - room / 2, y - 17, room, 11, "paper"))
            marks.append(text(shown, x, y - 8, size=10, anchor="middle", name=f"row.word.{step}.{row}"))
    return marks


def _column(
    continued: Sequence[Sequence[int]], words: Sequence[Sequence[str]], step: int, at: int, last: int,
    spots: Spots, column: float, say: Say,
) -> Mark:  # fmt: skip
    each = [
        say("decoding.memory.rows.each", row=row + 1, token=word, before=before + 1)
        for row, (before, word) in enumerate(zip(continued[step], words[step], strict=True))
    ]
    tip = say("decoding.memory.rows.tip", step=step + 1, rows=" · ".join(each))
    (x, top), (_, bottom) = spots[0], spots[-1]
    return rect(
        x - column / 2, top - ROW * 0.7, column, bottom - top + ROW, "none", round=4, tip=tip,
        pick=min(step, last), on=step == at, name=f"rows.{step}",
    )  # fmt: skip
