"""Curves over two logarithmic axes, with the place where two of them cross."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log2, log10

import numpy as np

from viz.figures.charts import Series, curves
from viz.figures.drawing import Mark, circle, text
from viz.figures.numbers import compact, power_of_ten

NEAR_THE_EDGE = 0.75  # of a chart's width: words end there instead of beginning


@dataclass(frozen=True)
class Curve:
    """One way to do it at every size; `spread` are the quarters of what was measured."""

    name: str
    kind: str  # for those who look for it in the drawing
    xs: Sequence[int]
    ys: np.ndarray
    stroke: str
    spread: tuple[np.ndarray, np.ndarray] | None = None
    dash: bool = False


@dataclass(frozen=True)
class Cross:
    """Where two curves meet, in numbers, and what is written there."""

    x: float
    y: float
    said: str
    kind: str


def chart(
    drawn: Sequence[Curve], wide: float, high: float, *, own: int | None, x_title: str, y_title: str,
    unit: str, crosses: Sequence[Cross] = (), powers: bool = False,
) -> list[Mark]:  # fmt: skip
    """`own` is this sentence's size, where it lies on the axis; `powers` writes numbers as powers of ten."""
    least = min(float(each.ys.min()) for each in drawn)
    most = max(float(each.ys.max()) for each in drawn)
    decades = range(floor(log10(least)), ceil(log10(most)) + 1)
    sizes = sorted({size for each in drawn for size in each.xs if size & (size - 1) == 0})
    series = [
        Series(each.name, np.log2(each.xs), np.log10(each.ys), each.stroke, each.dash) for each in drawn
    ]
    spreads = [
        Series("", [log2(x)] * 2, np.log10([low, top]), each.stroke, points=False)
        for each in drawn if each.spread is not None
        for x, low, top in zip(each.xs, *each.spread, strict=True)
    ]  # fmt: skip
    spots = [Series(each.kind, [log2(each.x)], [log10(each.y)], "ink", joined=False) for each in crosses]
    marks = curves(
        [*series, *spreads, *spots], wide=wide, high=high, x_title=x_title, y_title=y_title,
        x_ticks=[(log2(size), f"{size:,}") for size in sizes[:: 2 if len(sizes) > 6 else 1]],
        y_ticks=[(power, power_of_ten(power) if powers else compact(10.0**power)) for power in decades],
        cursor=None if own is None else log2(own),
    )  # fmt: skip
    return _explained(marks, drawn, crosses, unit, wide)


def _explained(
    marks: list[Mark], drawn: Sequence[Curve], crosses: Sequence[Cross], unit: str, wide: float
) -> list[Mark]:
    """Points say their numbers, and not the logarithms they stand at; crossings get a ring and words."""
    dots = iter([mark for mark in marks if mark["shape"] == "circle"])
    for each in drawn:
        for x, y in zip(each.xs, each.ys, strict=True):
            tip = f"{each.name}, n = {x:,}: {compact(float(y))} {unit}"
            next(dots).update(tip=tip, name=f"{each.kind}.{x}")
    written = []
    for cross in crosses:
        dot = next(dots)
        dot.update(tip=cross.said, name=f"cross.{cross.kind}")
        edge = dot["x"] > NEAR_THE_EDGE * wide  # else below all that rises to the right
        x, y, anchor = (-8, -10, "end") if edge else (10, 18, None)
        written += [
            circle(dot["x"], dot["y"], 7, "none", stroke="ink", name=f"ring.{cross.kind}"),
            text(cross.said, dot["x"] + x, dot["y"] + y, size=11, bold=True, anchor=anchor,
                 name=f"said.{cross.kind}"),
        ]  # fmt: skip
    return marks + written
