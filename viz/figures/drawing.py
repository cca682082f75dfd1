"""A drawing as plain data: shapes, words and what they say when pointed at. No colours, only their names.

The same drawing is shown in the browser (viz/components/drawing.py), where colours follow the theme and
shapes answer to mouse and keys, and written as an SVG that opens on its own (drawing_svg.py).

Colours: ink · faint · line · mark · paper · panel · none, as viz/figures/palette.py has them
         scale:0.7 (a share of the largest) · change:-0.4 (to both sides of zero) · head:3, for heads alone
         series:2, for what else stands beside each other · family:tense
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from viz.figures.drawing_svg import drawn
from viz.figures.numbers import brief
from viz.figures.palette import DARK, LIGHT
from viz.figures.scales import LEVELS
from viz.figures.svg import document

Mark = dict[str, Any]


@dataclass(frozen=True)
class Drawing:
    """Marks on a sheet of `wide` × `high` pixels; later marks lie on earlier ones."""

    wide: float
    high: float
    title: str  # what it shows, for those who hear it
    marks: tuple[Mark, ...]
    narrow: Drawing | None = None  # the same on a telephone, where this one would be too small to read
    moments: Mapping[str, str] = field(default_factory=dict)  # lines that `flow` do so when theirs changes

    def data(self) -> dict[str, Any]:
        """What the browser draws from."""
        made: dict[str, Any] = {"wide": self.wide, "high": self.high, "title": self.title}
        made["marks"] = list(self.marks)
        if self.moments:
            made["moments"] = dict(self.moments)
        return made | ({"narrow": self.narrow.data()} if self.narrow else {})

    def svg(self, dark: bool = False) -> str:
        theme = DARK if dark else LIGHT
        parts = [drawn(mark, theme) for mark in self.marks]
        return document(parts, wide=self.wide, high=self.high, title=self.title, theme=theme)


def rect(x: float, y: float, wide: float, high: float, fill: str = "none", **more: Any) -> Mark:
    """`more` may be stroke, round, tip, pick, on, name, and what moves it: see the browser's side.

    `moves` are the picks that arrow keys lead to: {"ArrowLeft": 3}. Tab then stops at what is on.
    What has the same `kin`, or else the same name, in the next drawing moves there; what may `grow` fills up,
    from the left; where it grows under different names, each of these begins at once.
    """
    return {"shape": "rect", "x": _r(x), "y": _r(y), "wide": _r(wide), "high": _r(high), "fill": fill, **more}


def text(words: str, x: float, y: float, **more: Any) -> Mark:
    """`more` may be size, anchor ("middle", "end"), fill, bold, turn (degrees), tip, name."""
    return {"shape": "text", "text": str(words), "x": _r(x), "y": _r(y), **more}


def line(points: Sequence[tuple[float, float]], stroke: str = "ink", **more: Any) -> Mark:
    """`more` may be thick, dash, arrow, tip, name; `flow` = (moment, turn): what moves along it, and when."""
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


def small_map(
    values: np.ndarray, x: float, y: float, wide: float, high: float, *,
    seen: np.ndarray | None = None, least: float = 0.0, most: float = 1.0, **more: Any,
) -> Mark:  # fmt: skip
    """A table of numbers, one pixel each, `seen` or clear; to both sides of zero if `least` is below.

    It travels as two letters a number, and tells nothing itself: what lies under it does.
    """
    shares = np.clip((np.asarray(values, float) - least) / max(most - least, 1e-9), 0, 1)
    levels = np.floor(shares * (LEVELS - 1) + 0.5).astype(int)
    shown = np.ones(levels.shape, bool) if seen is None else seen
    written = ["".join(f"{level:02x}" if see else ".." for level, see in zip(*row, strict=True))
               for row in zip(levels, shown, strict=True)]  # fmt: skip
    return {
        "shape": "map", "x": _r(x), "y": _r(y), "wide": _r(wide), "high": _r(high), "rows": written,
        "difference": least < 0, **more,
    }  # fmt: skip


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
    """A tenth of a pixel is as fine as a screen shows."""
    return round(float(number), 1)
