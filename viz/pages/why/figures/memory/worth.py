"""What a memory is worth: loss by place in the segment, by how much is remembered, and weight by distance."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from viz.figures.charts import Series, curves, legend
from viz.figures.drawing import Drawing, Mark, moved
from viz.figures.numbers import fixed, percent
from viz.pages.why.figures.memory import STROKES
from viz.pages.why.numbers.memory import Curve

Say = Callable[..., str]
WIDE, HIGH, LEGEND = 360, 236, 32  # what stands below each legend begins at one height
LEAST = 1e-4  # weights below this are drawn at the foot
APART = 0.16  # between the points of two curves at one place
STEPS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)  # between ticks
DASHED = ("emptied", "absolute")


def by_place(found: Mapping[str, Curve], say: Say) -> Drawing:
    """A curve for each way of reading; a line through each point is its interval."""
    marks, down = _legend(list(found), say)
    places = len(next(iter(found.values())).mean)
    series = [
        each
        for number, (way, one) in enumerate(found.items())
        for each in _with_intervals(
            way, np.arange(1, places + 1), one, say, shift=(number - (len(found) - 1) / 2) * APART
        )
    ]
    drawn = curves(
        series, y=down + 4, wide=WIDE, high=HIGH,
        x_title=say("why.memory.place.x"), y_title=say("why.memory.loss"),
        x_ticks=[(at, str(at)) for at in (1, *range(8, places + 1, 8))], y_ticks=_ticks(found.values()),
    )  # fmt: skip
    marks += [_fine(mark) for mark in drawn]
    return Drawing(WIDE, down + HIGH + 6, say("export.why_memory_place"), tuple(marks))


def by_length(kept: Sequence[int], found: Curve, learned: int, say: Say) -> Drawing:
    """Loss by how many positions may be remembered, each twice the one before; a line where it learned."""
    xs = np.arange(len(kept))
    series = _with_intervals("memory", xs, found, say, [say("why.memory.kept", kept=each) for each in kept])
    cursor = kept.index(learned) if learned in kept else None
    marks, down = _legend(["memory"], say)
    marks += curves(
        series, y=down + 4, wide=WIDE, high=HIGH,
        x_title=say("why.memory.length.x"), y_title=say("why.memory.loss"),
        x_ticks=[(at, str(each)) for at, each in enumerate(kept)], y_ticks=_ticks([found]), cursor=cursor,
    )  # fmt: skip
    return Drawing(WIDE, down + HIGH + 6, say("export.why_memory_length"), tuple(marks))


def by_distance(found: Mapping[str, np.ndarray], segment: int, say: Say) -> Drawing:
    """How much weight a key gets that lies so far back, on a logarithmic scale."""
    marks, down = _legend(list(found), say)
    series = [
        Series(
            _name(way, say), np.arange(len(each)), np.log10(np.maximum(each, LEAST)), STROKES[way],
            dash=way in DASHED, points=False,
        )
        for way, each in found.items()
    ]  # fmt: skip
    count = max(map(len, found.values()))
    least, most = (choose(map(choose, found.values())) for choose in (min, max))
    powers = range(
        math.floor(math.log10(max(least, LEAST))), math.ceil(math.log10(max(most, 10 * LEAST))) + 1
    )
    marks += curves(
        series, y=down + 4, wide=WIDE, high=HIGH,
        x_title=say("why.memory.distance.x"), y_title=say("why.memory.distance.y"),
        x_ticks=[(at, str(at)) for at in range(0, count + 1, segment)],
        y_ticks=[(power, percent(10.0**power, max(0, -2 - power))) for power in powers], cursor=segment,
    )  # fmt: skip
    return Drawing(WIDE, down + HIGH + 6, say("export.why_memory_distance"), tuple(marks))


def _with_intervals(
    way: str, xs: np.ndarray, found: Curve, say: Say, said: Sequence[str] = (), shift: float = 0.0
) -> list[Series]:
    """The curve, and a short upright line for the interval of each of its points."""
    name, stroke = _name(way, say), STROKES[way]
    bars = [
        Series(name, (x, x), (low, high), stroke, points=False)
        for x, low, high in zip(xs + shift, found.low, found.high, strict=True)
    ]
    said = said or [str(x) for x in xs]
    return [*bars, Series(name, xs + shift, found.mean, stroke, dash=way in DASHED, said=said)]


def _fine(mark: Mark) -> Mark:
    """Points and intervals small enough for four curves at every place."""
    if mark["shape"] == "circle":
        return {**mark, "radius": 2}
    upright = mark["shape"] == "line" and mark.get("thick") == 2 and len({x for x, _ in mark["points"]}) == 1
    return {**mark, "thick": 0.75} if upright else mark


def _legend(ways: Sequence[str], say: Say) -> tuple[list[Mark], float]:
    marks, down = legend([(_name(way, say), STROKES[way], way in DASHED) for way in ways], 0, 0, WIDE)
    lower = max(0.0, LEGEND - down)  # one line stands next to its picture
    return moved(marks, 0, lower), down + lower


def _name(way: str, say: Say) -> str:
    return say(f"why.memory.way.{way}")


def _ticks(found: Iterable[Curve]) -> list[tuple[float, str]]:
    """Four to eight numbers between which all intervals lie.

    >>> [label for _, label in _ticks([Curve(np.array([4.1]), np.array([4.05]), np.array([4.98]))])]
    ['4.0', '4.2', '4.4', '4.6', '4.8', '5.0']
    """
    ends = [(each.low.min(), each.high.max()) for each in found]
    low, high = min(low for low, _ in ends), max(high for _, high in ends)
    step = next((each for each in STEPS if (high - low) / each <= 6), STEPS[-1])
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    digits = 2 if step < 0.1 else 1
    return [(at * step, fixed(at * step, digits)) for at in range(first, last + 1)]
