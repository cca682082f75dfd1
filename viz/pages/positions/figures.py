"""Drawings about the order of words: positions as vectors, waves and clocks, scores, shuffled words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from viz.figures.charts import Series, bars, curves, legend
from viz.figures.drawing import Drawing, Mark, cells, circle, line, moved, rect, text
from viz.figures.numbers import fixed, rounded
from viz.figures.svg import shortened, width

WIDE = 400  # of most drawings here: they stay legible on a phone
WAVE, WALL = (WIDE, 156), (1000, 180)  # one wave beside others, and alone on a line
ROW = 20  # the height of a word
DOTS = 64  # positions; of more, only the curve is drawn, and the two that are compared


def vectors(rows: Mapping[str, np.ndarray], title: str) -> Drawing:
    """Each vector as coloured cells under its name, in lines of 32 or 64 dimensions."""
    marks, down = [], 0.0
    for name, vector in rows.items():
        columns = min(len(vector), 32 if len(vector) <= 128 else 64)
        size = min(12.0, WIDE / columns)
        marks.append(text(name, 0, down + 12, bold=True))
        marks.append(cells(vector, 0, down + 18, size, name=name, columns=columns, most=1, first=0))
        down += 18 + size * -(-len(vector) // columns) + 8
    return Drawing(WIDE, down, title, tuple(marks))


def likeness(
    row: np.ndarray, first: int, second: int, *, title: str, x_title: str, y_title: str, name: str
) -> Drawing:  # (P)
    """How alike one position and every other look, as a curve; the two cursors stand out."""
    places = range(len(row))
    low, top = min(0.0, float(row.min())), float(row.max())
    series = [Series(name, places, row, "mark", points=len(row) <= DOTS)]
    series += [
        Series(name, [place], [row[place]], hue, joined=False)
        for place, hue in ((first, "series:1"), (second, "series:2"))
    ]
    marks = curves(
        series, wide=WIDE, high=170, x_title=x_title, y_title=y_title, x_ticks=_ticks(len(row)),
        y_ticks=[(low, rounded(low)), (top, rounded(top))] if low < 0 else [(0, "0"), (top, rounded(top))],
        cursor=second,
    )  # fmt: skip
    return Drawing(WIDE, 170, title, tuple(marks))


def wave(
    turn: float, places: int, cursors: Sequence[int], hue: int, *,
    title: str, x_title: str, names: tuple[str, str], size: tuple[int, int] = WAVE,
) -> Drawing:  # fmt: skip
    """One pair of dimensions over all positions: the sine solid, the cosine dashed."""
    wide, high = size
    fine = np.linspace(0, places - 1, max(places, min(4 * places, 320)))
    dots = np.arange(places) if places <= DOTS else np.unique(cursors)
    stroke, series = f"series:{hue}", []
    for name, function, dash in zip(names, (np.sin, np.cos), (False, True), strict=True):
        series.append(Series(name, fine, function(fine * turn), stroke, dash, points=False))
        series.append(Series(name, dots, function(dots * turn), stroke, joined=False))
    listed, _ = legend([(names[0], stroke, False), (names[1], stroke, True)], 60, 0, wide)
    marks = curves(
        series, y=4, wide=wide, high=high - 6, x_title=x_title, y_title="", x_ticks=_ticks(places),
        y_ticks=[(-1, "−1"), (0, "0"), (1, "1")],
    )  # fmt: skip
    return Drawing(wide, high, title, tuple(listed + marks))


def clock(
    before: np.ndarray, after: np.ndarray, hue: int, *, names: tuple[str, str], title: str,
    angles: tuple[float, float],
) -> Drawing:  # (2) both  # fmt: skip
    """A (sine, cosine) pair is the tip of a clock's hand: sine to the right, cosine upwards.

    `angles` have all its turns since position 0, so that a hand that moves on goes the whole way.
    """
    wide, high, middle, radius = 280, 170, (140, 86), 68
    marks = [circle(*middle, radius, "none", stroke="ink")]
    for turn in range(12):
        angle = np.pi * turn / 6
        ends = [_tip(middle, (np.sin(angle), np.cos(angle)), radius * share) for share in (0.93, 1)]
        marks.append(line(ends, "faint"))
    hands = zip((before, after), names, ("faint", f"series:{hue}"), angles, ("before", "after"), strict=True)
    for (sine, cosine), name, stroke, angle, which in hands:
        turns: dict[str, Any] = {"pivot": middle, "spin": round(float(np.degrees(angle)), 2)}
        tip, label = _tip(middle, (sine, cosine), radius), _tip(middle, (sine, cosine), radius + 14)
        marks.append(line([middle, tip], stroke, thick=3, arrow=True, kin=f"hand.{which}", **turns))
        said = f"{name}: ({fixed(sine, 4)}, {fixed(cosine, 4)})"
        marks.append(circle(*tip, 4, stroke, tip=said, name=name, kin=f"tip.{which}", **turns))
        anchor = "start" if sine > 0.3 else "end" if sine < -0.3 else "middle"
        if stroke != "faint" or names[0] != names[1]:  # one hand upon the other has one name
            look = {"size": 11, "anchor": anchor, "bold": stroke != "faint"}
            marks.append(text(name, label[0], label[1] + 4, **look, kin=f"name.{which}"))
    return Drawing(wide, high, title, tuple(marks))


def stacked(
    parts: np.ndarray, totals: np.ndarray, labels: Sequence[str], names: Sequence[str], *,
    title: str, total: str,
) -> Drawing:  # fmt: skip
    """The parts (6, K) of each score end to end: to the right of zero what adds, to the left what takes."""
    top = float(np.where(parts > 0, parts, 0).sum(0).max(initial=0))
    low = float(np.where(parts < 0, parts, 0).sum(0).min(initial=0))
    left = max(width(label, 12) for label in labels) + 10
    room = WIDE - left - 44
    scale = room / max(top - low, 1e-9)
    zero = left - low * scale
    listed, down = legend([(name, f"series:{hue}", False) for hue, name in enumerate(names)], 0, 0, WIDE)
    down += 8
    marks: list[Mark] = [_legend_box(mark) for mark in listed]
    for place, label in enumerate(labels):
        at, ends = down + place * ROW, [zero, zero]
        marks.append(text(shortened(label), left - 8, at + 14, anchor="end"))
        for hue, (name, value) in enumerate(zip(names, parts[:, place], strict=True)):
            length = abs(value) * scale
            start = ends[1] if value >= 0 else ends[0] - length
            ends = [min(ends[0], start), max(ends[1], start + length)]
            said = {"tip": f"{label} · {name}: {rounded(value, 5)}", "name": f"{name}@{place}"}
            marks.append(rect(start, at + 3, max(length, 0.3), ROW - 6, f"series:{hue}", **said))
        sum_at = zero + totals[place] * scale
        said = {"tip": f"{label} · {total}: {rounded(totals[place], 5)}", "name": f"total@{place}"}
        marks.append(rect(sum_at - 2.5, at + 1, 5, ROW - 2, "ink", stroke="paper", **said))
        marks.append(text(fixed(totals[place], 2), WIDE, at + 14, size=11, anchor="end", name=f"sum@{place}"))
    bottom = down + len(labels) * ROW
    marks.append(line([(zero, down), (zero, bottom)], "ink"))
    return Drawing(WIDE, bottom + 4, title, tuple(marks))


def sizes(values: np.ndarray, names: Sequence[str], title: str) -> Drawing:
    """The mean size of each part, in the part's hue."""
    fills = [f"series:{hue}" for hue in range(len(names))]
    marks = bars(values, names, wide=WIDE, high=ROW, written="{:.3f}", fills=fills)
    return Drawing(WIDE, ROW * len(names), title, tuple(marks))


def crossing(words: Sequence[str], order: Sequence[int], title: str, heads: tuple[str, str]) -> Drawing:
    """The words before and after, each joined to itself; the word at place j stood at order[j]."""
    room, top = 130, 24
    marks = [text(heads[0], room, 12, size=11, anchor="end", fill="faint")]
    marks.append(text(heads[1], WIDE - room, 12, size=11, fill="faint"))
    for place, word in enumerate(words):
        marks.append(
            text(shortened(word), room, top + place * ROW + 14, anchor="end", name=f"before@{place}")
        )
    for place, origin in enumerate(order):
        at = top + place * ROW
        marks.append(text(shortened(words[origin]), WIDE - room, at + 14, name=f"after@{place}"))
        ends = [(room + 6, top + origin * ROW + 10), (WIDE - room - 6, at + 10)]
        marks.append(line(ends, f"series:{origin}", thick=1.5, tip=words[origin]))
    return Drawing(WIDE, top + len(words) * ROW, title, tuple(marks))


def distances(values: np.ndarray, words: Sequence[str], most: float, head: str, title: str) -> Drawing:
    """How far each word's vector moved; `most` ends the scale, so that two drawings compare."""
    marks = [text(head, 0, 12, bold=True)]
    names = [f"moved@{place}" for place in range(len(words))]
    marks += bars(
        values, [shortened(word) for word in words], y=24, wide=WIDE, high=ROW, most=most, names=names,
        fills=["mark"] * len(words), label_wide=max(width(word, 12) for word in words) + 10,
    )  # fmt: skip
    return Drawing(WIDE, 24 + ROW * len(words), title, tuple(marks))


def together(drawings: Sequence[Drawing], title: str, say: Callable[[int], str]) -> Drawing:
    """Several drawings as one sheet, one below the other; `say` gives the line above each."""
    marks, down = [], 0.0
    for place, drawing in enumerate(drawings):
        marks.append(text(say(place), 0, down + 16, bold=True))
        marks += moved(drawing.marks, 0, down + 24)
        down += drawing.high + 36
    return Drawing(max(drawing.wide for drawing in drawings), down, title, tuple(marks))


def _tip(middle: tuple[float, float], pair: Sequence[float], radius: float) -> tuple[float, float]:
    return middle[0] + radius * pair[0], middle[1] - radius * pair[1]


def _ticks(places: int) -> list[tuple[float, str]]:
    return [(place, str(place)) for place in range(0, places + 1, places // 4)]


def _legend_box(mark: Mark) -> Mark:
    """A part is an area, so its colour is shown as one."""
    if mark["shape"] != "line":
        return mark
    (x, y), _ = mark["points"]
    return rect(x, y - 5, 16, 10, mark["stroke"])
