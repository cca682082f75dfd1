"""A drawing as plain data: shapes, words and what they say when pointed at. No colours, only their names.

The same drawing is shown in the browser (viz/components/drawing.py), where colours follow the theme and
shapes answer to mouse and keys, and written as an SVG that opens on its own.

Colours: ink · faint · line · mark · paper · panel · none
         scale:0.7 (a share of the largest) · change:-0.4 (to both sides of zero) · head:3
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from viz.figures.numbers import brief, rounded
from viz.figures.svg import (
    DARK,
    LIGHT,
    Theme,
    document,
    escape,
    tag,
    width,
)
from viz.figures.theme import HEAD_HUES

Mark = dict[str, Any]
CHANGE = {True: "#0072b2", False: "#d55e00"}  # above and below zero: they tell apart for every colour vision
LETTER = 12  # the usual size of words


@dataclass(frozen=True)
class Drawing:
    """Marks on a sheet of `wide` × `high` pixels; later marks lie on earlier ones."""

    wide: float
    high: float
    title: str  # what it shows, for those who hear it
    marks: tuple[Mark, ...]

    def data(self) -> dict[str, Any]:
        """What the browser draws from."""
        return {"wide": self.wide, "high": self.high, "title": self.title, "marks": list(self.marks)}

    def svg(self, dark: bool = False) -> str:
        theme = DARK if dark else LIGHT
        parts = [_to_svg(mark, theme, dark) for mark in self.marks]
        return document(parts, wide=self.wide, high=self.high, title=self.title, theme=theme)


def rect(x: float, y: float, wide: float, high: float, fill: str = "none", **more: Any) -> Mark:
    """`more` may be stroke, round, tip, pick, on, name: see the browser's side."""
    return {"shape": "rect", "x": _r(x), "y": _r(y), "wide": _r(wide), "high": _r(high), "fill": fill, **more}


def text(words: str, x: float, y: float, **more: Any) -> Mark:
    """`more` may be size, anchor ("middle", "end"), fill, bold, turn (degrees), tip, name."""
    return {"shape": "text", "text": str(words), "x": _r(x), "y": _r(y), **more}


def line(points: Sequence[tuple[float, float]], stroke: str = "ink", **more: Any) -> Mark:
    """`more` may be thick, dash, arrow, tip, name."""
    return {"shape": "line", "points": [(_r(x), _r(y)) for x, y in points], "stroke": stroke, **more}


def circle(x: float, y: float, radius: float, fill: str = "ink", **more: Any) -> Mark:
    return {"shape": "circle", "x": _r(x), "y": _r(y), "radius": _r(radius), "fill": fill, **more}


def cells(
    values: Sequence[float] | np.ndarray, x: float, y: float, size: float, *,
    name: str, columns: int | None = None, most: float | None = None, high: float | None = None,
    first: int = 1, **more: Any,
) -> Mark:  # fmt: skip
    """Numbers as a row, or a block of rows, of coloured squares; pointing reads "name number: value".

    Coloured to both sides of zero; `most` is the value of the strongest colour.
    """
    numbers = np.asarray(values, float).ravel()
    most = float(abs(numbers).max()) if most is None else float(most)
    return {
        "shape": "cells", "x": _r(x), "y": _r(y), "size": _r(size), "high": _r(high or size),
        "columns": columns or len(numbers), "values": [brief(number) for number in numbers],
        "most": max(most, 1e-9), "name": name, "first": first, **more,
    }  # fmt: skip


def bars(
    values: Sequence[float], labels: Sequence[str], *, x: float = 0, y: float = 0, wide: float = 320,
    high: float = 18, written: str = "{:.2f}", fills: Sequence[str] | None = None, most: float | None = None,
    names: Sequence[str] | None = None, picks: Sequence[Any] | None = None, on: int | None = None,
    label_wide: float | None = None, hidden: Sequence[int] = (),
) -> list[Mark]:  # fmt: skip
    """One horizontal bar a value, its label to the left, its number to the right; zero is where bars begin.

    `hidden` bars are not drawn and show a question mark.
    """
    finite = [value for value in values if np.isfinite(value)]
    label_wide = (
        max((width(label, LETTER) for label in labels), default=0) + 10 if label_wide is None else label_wide
    )
    number_wide = 52
    low, top = min(0.0, *finite, 0.0), max(0.0, *finite, 0.0)
    if most is not None:
        top, low = max(top, most), (-most if low < 0 else 0.0)
    room = max(20.0, wide - label_wide - number_wide)
    zero = x + label_wide + room * (-low / max(top - low, 1e-9))
    marks: list[Mark] = []
    for place, (value, label) in enumerate(zip(values, labels, strict=True)):
        at = y + place * high
        more: dict[str, Any] = {"name": names[place] if names else label}
        if picks is not None:
            more |= {"pick": picks[place], "on": place == on}
        marks.append(text(label, x + label_wide - 8, at + high * 0.7, anchor="end"))
        end = x + label_wide + room + 6
        if place in hidden:
            marks.append(text("?", end, at + high * 0.7, bold=True))
            continue
        if not np.isfinite(value):
            marks.append(text("−∞", end, at + high * 0.7, fill="faint", name=more["name"]))
            continue
        length = room * abs(value) / max(top - low, 1e-9)
        fill = fills[place] if fills else f"change:{1 if value >= 0 else -1}"
        start = zero if value >= 0 else zero - length
        marks.append(
            rect(
                start, at + 2, max(length, 0.75), high - 4, fill, tip=f"{label}: {rounded(value, 5)}", **more
            )
        )
        marks.append(text(written.format(value), end, at + high * 0.7, size=11))
    if low < 0:
        marks.append(line([(zero, y), (zero, y + high * len(labels))], "line"))
    return marks


@dataclass(frozen=True)
class Series:
    """One curve; `points` marks each of its values with a dot that can be pointed at."""

    name: str
    xs: Sequence[float]
    ys: Sequence[float]
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


def moved(marks: Iterable[Mark], x: float, y: float) -> list[Mark]:
    """The same marks, elsewhere."""
    made = []
    for mark in marks:
        mark = dict(mark)
        if mark["shape"] == "line":
            mark["points"] = [(_r(a + x), _r(b + y)) for a, b in mark["points"]]
        else:
            mark["x"], mark["y"] = _r(mark["x"] + x), _r(mark["y"] + y)
        made.append(mark)
    return made


def _r(number: float) -> float:
    return round(float(number), 1)


def _to_svg(mark: Mark, theme: Theme, dark: bool) -> str:
    colour = lambda name: _colour(name, theme, dark)  # noqa: E731
    tip = tag("title", escape(mark["tip"])) if "tip" in mark else ""
    match mark["shape"]:
        case "rect":
            stroke = "mark" if mark.get("on") else mark.get("stroke", "none")
            paint, opacity = colour(mark["fill"])
            return tag(
                "rect", tip, x=mark["x"], y=mark["y"], width=mark["wide"], height=mark["high"],
                rx=mark.get("round"), fill=paint, fill_opacity=opacity, stroke=colour(stroke)[0],
                stroke_width=2 if mark.get("on") else None,
            )  # fmt: skip
        case "circle":
            return tag(
                "circle", tip, cx=mark["x"], cy=mark["y"], r=mark["radius"], fill=colour(mark["fill"])[0],
                stroke=colour(mark.get("stroke", "none"))[0],
            )  # fmt: skip
        case "line":
            path = "M" + "L".join(f"{x:g} {y:g}" for x, y in mark["points"])
            return tag(
                "path", tip, d=path + _arrow(mark), fill="none", stroke=colour(mark["stroke"])[0],
                stroke_width=mark.get("thick", 1), stroke_dasharray="4 3" if mark.get("dash") else None,
            )  # fmt: skip
        case "text":
            turn = f"rotate({mark['turn']} {mark['x']} {mark['y']})" if "turn" in mark else None
            paint, opacity = colour(mark.get("fill", "ink"))
            return tag(
                "text", tip, escape(mark["text"]), x=mark["x"], y=mark["y"],
                font_size=mark.get("size", LETTER), text_anchor=mark.get("anchor"),
                font_weight=600 if mark.get("bold") else None,
                fill=paint, fill_opacity=opacity, transform=turn,
            )  # fmt: skip
        case "cells":
            return "".join(
                _cell(mark, place, value, theme, dark) for place, value in enumerate(mark["values"])
            )
    raise ValueError(f"no shape {mark['shape']!r}")


def _cell(mark: Mark, place: int, value: float, theme: Theme, dark: bool) -> str:
    down, across = divmod(place, mark["columns"])
    paint, opacity = _colour(f"change:{value / mark['most']}", theme, dark)
    return tag(
        "rect", tag("title", escape(f"{mark['name']} {mark['first'] + place}: {value:g}")),
        x=mark["x"] + across * mark["size"], y=mark["y"] + down * mark["high"],
        width=mark["size"] - 1, height=mark["high"] - 1, fill=paint, fill_opacity=opacity,
        stroke=theme.ink, stroke_opacity=0.15, stroke_width=0.5,
    )  # fmt: skip


def _arrow(mark: Mark) -> str:
    """A small head at the end of the last stroke."""
    if not mark.get("arrow"):
        return ""
    (x0, y0), (x1, y1) = mark["points"][-2:]
    back = np.array([x0 - x1, y0 - y1]) / max(np.hypot(x0 - x1, y0 - y1), 1e-9) * 6
    side = np.array([-back[1], back[0]]) * 0.6
    ends = [np.array([x1, y1]) + back + each for each in (side, -side)]
    return "".join(f"M{x1:g} {y1:g}L{x:.1f} {y:.1f}" for x, y in ends)


def _colour(name: str, theme: Theme, dark: bool) -> tuple[str, float | None]:
    """A colour's value in this theme, and how much of the paper shines through."""
    kind, _, number = name.partition(":")
    match kind:
        case "scale":
            return theme.scale[round(min(1.0, max(0.0, float(number))) * (len(theme.scale) - 1))], None
        case "change":
            share = max(-1.0, min(1.0, float(number)))
            return CHANGE[share >= 0], round(abs(share), 3)
        case "head":
            hues = HEAD_HUES["dark" if dark else "light"]
            return hues[int(number) % len(hues)], None
    named = {
        "ink": (theme.ink, None), "faint": (theme.ink, 0.6), "line": (theme.ink + "55", None),
        "mark": (theme.mark, None), "paper": (theme.paper, None), "panel": (theme.ink + "12", None),
        "none": ("none", None),
    }  # fmt: skip
    return named[kind]
