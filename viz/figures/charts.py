"""Marks that many drawings are made of: bars with their numbers, curves over two axes, a legend."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from viz.figures.drawing import Mark, circle, line, rect, text
from viz.figures.numbers import rounded
from viz.figures.svg import LETTER, width

Numbers = Sequence[float] | np.ndarray
NUMBER_WIDE = 52  # pixels to the right of bars


def bars(
    values: Numbers, labels: Sequence[str], *, x: float = 0, y: float = 0, wide: float = 320,
    high: float = 18, written: str = "{:.2f}", fills: Sequence[str] | None = None, most: float | None = None,
    names: Sequence[str] | None = None, picks: Sequence[Any] | None = None, on: int | None = None,
    label_wide: float | None = None, hidden: Sequence[int] = (), kins: Sequence[str] | None = None,
) -> list[Mark]:  # fmt: skip
    """One horizontal bar a value, its label to the left, its number to the right; zero is where bars begin.

    `hidden` bars are not drawn and show a question mark. `kins` say what each bar stands for, where the next
    drawing has another name for it.
    """
    finite = [value for value in values if np.isfinite(value)]
    label_wide = (
        max((width(label, LETTER) for label in labels), default=0) + 10 if label_wide is None else label_wide
    )
    low, top = min(0.0, *finite, 0.0), max(0.0, *finite, 0.0)
    if most is not None:
        top, low = max(top, most), (-most if low < 0 else 0.0)
    room = max(20.0, wide - label_wide - NUMBER_WIDE)
    zero = x + label_wide + room * (-low / max(top - low, 1e-9))
    marks: list[Mark] = []
    for place, (value, label) in enumerate(zip(values, labels, strict=True)):
        at = y + place * high
        more: dict[str, Any] = {"name": names[place] if names else label}
        if picks is not None:
            more |= {"pick": picks[place], "on": place == on}
        more |= {"kin": kins[place]} if kins else {}
        word, number = ({"kin": f"{kins[place]} {part}"} if kins else {} for part in ("label", "number"))
        marks.append(text(label, x + label_wide - 8, at + high * 0.7, anchor="end", **word))
        end = x + label_wide + room + 6
        if place in hidden:
            marks.append(text("?", end, at + high * 0.7, bold=True))
            continue
        if not np.isfinite(value):
            marks.append(text("−∞", end, at + high * 0.7, fill="faint", name=more["name"], **number))
            continue
        length = room * abs(value) / max(top - low, 1e-9)
        fill = fills[place] if fills else f"change:{1 if value >= 0 else -1}"
        start = zero if value >= 0 else zero - length
        marks.append(
            rect(
                start, at + 2, max(length, 0.75), high - 4, fill, tip=f"{label}: {rounded(value, 5)}", **more
            )
        )
        marks.append(text(written.format(value), end, at + high * 0.7, size=11, **number))
    if low < 0:
        marks.append(line([(zero, y), (zero, y + high * len(labels))], "line"))
    return marks


@dataclass(frozen=True)
class Series:
    """One curve; `points` marks each of its values with a dot that can be pointed at."""

    name: str
    xs: Numbers
    ys: Numbers
    stroke: str = "mark"
    dash: bool = False
    points: bool = True
    joined: bool = True
    said: Sequence[str] = ()  # each x in words, where the axis shows it on another scale


def curves(
    series: Sequence[Series], *, x: float = 0, y: float = 0, wide: float = 340, high: float = 180,
    x_title: str, y_title: str, x_ticks: Sequence[tuple[float, str]], y_ticks: Sequence[tuple[float, str]],
    cursor: float | None = None,
) -> list[Mark]:  # fmt: skip
    """Curves over one pair of axes, the name of each at its top. Ticks give the range of both axes."""
    margin = max(width(label, 11) for _, label in y_ticks) + 8
    left, right, top, bottom = x + margin, x + wide - 12, y + 22, y + high - 36
    x_low, x_top = min(at for at, _ in x_ticks), max(at for at, _ in x_ticks)
    y_low, y_top = min(at for at, _ in y_ticks), max(at for at, _ in y_ticks)

    def place(across: float, up: float) -> tuple[float, float]:
        share = (across - x_low) / max(x_top - x_low, 1e-9), (up - y_low) / max(y_top - y_low, 1e-9)
        return left + share[0] * (right - left), bottom - share[1] * (bottom - top)

    marks: list[Mark] = []
    for at, label in y_ticks:
        height = place(x_low, at)[1]
        marks.append(line([(left, height), (right, height)], "line", thick=0.5))
        marks.append(text(label, left - 6, height + 4, size=11, anchor="end"))
    for at, label in x_ticks:
        marks.append(text(label, place(at, y_low)[0], bottom + 15, size=11, anchor="middle"))
    marks.append(text(x_title, (left + right) / 2, bottom + 31, size=11, anchor="middle", fill="faint"))
    marks.append(text(y_title, x, y + 11, size=11, fill="faint"))
    if cursor is not None:
        marks.append(line([place(cursor, y_low), place(cursor, y_top)], "faint", dash=True))
    for each in series:
        dots = [place(across, up) for across, up in zip(each.xs, each.ys, strict=True)]
        if each.joined:
            marks.append(line(dots, each.stroke, thick=2, dash=each.dash))
        if each.points:
            said = each.said or [rounded(across, 4) for across in each.xs]
            for across, where, up, dot in zip(each.xs, said, each.ys, dots, strict=True):
                tip = f"{each.name}, {where}: {rounded(up, 4)}"
                marks.append(circle(*dot, 3, each.stroke, tip=tip, name=f"{each.name}@{across:.6g}"))
    return marks


def legend(
    series: Iterable[tuple[str, str, bool]], x: float, y: float, wide: float
) -> tuple[list[Mark], float]:
    """(name, stroke, dash) of each curve in one line, or several where there is no room; and their height."""
    marks, at, down = [], x, y
    for name, stroke, dash in series:
        room = width(name, 11) + 34
        if at > x and at + room > x + wide:
            at, down = x, down + 16
        marks.append(line([(at, down + 8), (at + 18, down + 8)], stroke, thick=2.5, dash=dash))
        marks.append(text(name, at + 22, down + 12, size=11))
        at += room
    return marks, down + 16 - y
