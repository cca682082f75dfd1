"""The marks of a drawing as SVG, in the colours of a theme.

The browser draws the same marks (viz/components/browser/drawing/marks.js): a test compares what they draw.
"""

from math import hypot
from typing import Any

import numpy as np

from viz.figures.bitmap import PIXELATED, address
from viz.figures.palette import DASH, LESS, MORE, NAMED, OPACITY, STROKE, Theme
from viz.figures.scales import LEVELS, hexes, pixels
from viz.figures.svg import BOLD, LETTER, escape, tag

ARROW = 6, 0.6  # an arrow's head: how long, and how wide to each side of it
FLOW = 110  # milliseconds from one line's turn to the next


def drawn(mark: dict[str, Any], theme: Theme) -> str:
    """One mark, and what it says when pointed at."""
    if mark["shape"] == "cells":
        return "".join(_cell(mark, place, value, theme) for place, value in enumerate(mark["values"]))
    if mark["shape"] not in SHAPES:
        raise ValueError(f"no shape {mark['shape']!r}")
    tip = tag("title", escape(mark["tip"])) if "tip" in mark else ""
    return SHAPES[mark["shape"]](mark, tip, theme)


def paint(name: str, theme: Theme) -> tuple[str, float | None]:
    """A named colour in this theme, and how much of it; None: all.

    >>> from viz.figures.palette import LIGHT
    >>> paint("head:9", LIGHT), paint("change:-0.4", LIGHT), paint("faint", LIGHT)
    (('#d55e00', None), ('#d55e00', 0.4), ('#1b1f2a', 0.65))
    """
    kind, _, number = name.partition(":")
    match kind:
        case "scale":
            return str(hexes(np.array(float(number)), theme)), None
        case "change":
            share = max(-1.0, min(1.0, float(number)))
            return MORE if share >= 0 else LESS, round(abs(share), 3)
        case "head":
            return theme.heads[int(number) % len(theme.heads)], None
        case "series":
            return theme.series[int(number) % len(theme.series)], None
        case "family":
            return theme.families.get(number, theme.families["own"]), None
    colour, opacity = NAMED[kind]
    return getattr(theme, colour, colour), None if opacity == 1 else opacity


def _rect(mark: dict[str, Any], tip: str, theme: Theme) -> str:
    fill, opacity = paint(mark["fill"], theme)
    return tag(
        "rect", tip, x=mark["x"], y=mark["y"], width=mark["wide"], height=mark["high"], rx=mark.get("round"),
        fill=fill, fill_opacity=opacity, **_edge(mark, theme),
    )  # fmt: skip


def _circle(mark: dict[str, Any], tip: str, theme: Theme) -> str:
    fill, opacity = paint(mark["fill"], theme)
    return tag(
        "circle", tip, cx=mark["x"], cy=mark["y"], r=mark["radius"], fill=fill, fill_opacity=opacity,
        **_edge(mark, theme),
    )  # fmt: skip


def _edge(mark: dict[str, Any], theme: Theme) -> dict[str, object]:
    """The line around a shape: its own, or that of what was chosen."""
    chosen = mark["shape"] == "rect" and mark.get("on")
    stroke, opacity = paint("mark" if chosen else mark.get("stroke", "none"), theme)
    width = STROKE["chosen" if chosen else "usual"]
    return {"stroke": stroke, "stroke_opacity": opacity, "stroke_width": width}


def _line(mark: dict[str, Any], tip: str, theme: Theme) -> str:
    stroke, opacity = paint(mark["stroke"], theme)
    path = "M" + "L".join(f"{x:g} {y:g}" for x, y in mark["points"])
    if mark.get("arrow"):
        path += _arrow(*mark["points"][-2:])
    return tag(
        "path", tip, d=path, fill="none", stroke=stroke, stroke_opacity=opacity,
        stroke_width=mark.get("thick", STROKE["usual"]), stroke_dasharray=DASH if mark.get("dash") else None,
    )  # fmt: skip


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> str:
    """A small head at the end of the last stroke."""
    (x0, y0), (x1, y1) = start, end
    far, (long, wide) = hypot(x0 - x1, y0 - y1) or 1, ARROW
    back, up = (x0 - x1) / far * long, (y0 - y1) / far * long
    return "".join(
        f"M{x1:g} {y1:g}L{x1 + back - up * wide * side:.1f} {y1 + up + back * wide * side:.1f}"
        for side in (1, -1)
    )


def _text(mark: dict[str, Any], tip: str, theme: Theme) -> str:
    fill, opacity = paint(mark.get("fill", "ink"), theme)
    return tag(
        "text", tip, escape(mark["text"]), x=mark["x"], y=mark["y"], font_size=mark.get("size", LETTER),
        text_anchor=mark.get("anchor"), font_weight=BOLD if mark.get("bold") else None,
        fill=fill, fill_opacity=opacity,
        transform=f"rotate({mark['turn']} {mark['x']:g} {mark['y']:g})" if "turn" in mark else None,
    )  # fmt: skip


def _cell(mark: dict[str, Any], place: int, value: float, theme: Theme) -> str:
    down, across = divmod(place, mark["columns"])
    fill, opacity = paint(f"change:{value / mark['most']}", theme)
    return tag(
        "rect", tag("title", escape(f"{mark['name']} {mark['first'] + place}: {value:g}")),
        x=mark["x"] + across * mark["size"], y=mark["y"] + down * mark["high"],
        width=mark["size"] - 1, height=mark["high"] - 1, fill=fill, fill_opacity=opacity,
        stroke=theme.ink, stroke_opacity=OPACITY["hairline"], stroke_width=STROKE["hairline"],
    )  # fmt: skip


def _map(mark: dict[str, Any], tip: str, theme: Theme) -> str:
    pairs = np.array([[row[at : at + 2] for at in range(0, len(row), 2)] for row in mark["rows"]])
    seen = pairs != ".."
    levels = np.array([[int(each, 16) for each in row] for row in np.where(seen, pairs, "00")])
    colours = pixels(levels / (LEVELS - 1), theme, difference=mark["difference"])
    return tag(
        "image", tip, x=mark["x"], y=mark["y"], width=mark["wide"], height=mark["high"],
        href=address(colours, seen), fill="none", **PIXELATED,
    )  # fmt: skip


SHAPES = {"rect": _rect, "circle": _circle, "line": _line, "text": _text, "map": _map}
