"""The training film as pictures: what was learned when, over the steps on a logarithmic scale."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from viz.figures.charts import Series, curves
from viz.figures.drawing import Drawing, Mark, circle, line, rect, text
from viz.figures.numbers import count, rounded

WIDE, HIGH = 400, 28
Say = Callable[..., str]
Histories = Mapping[str, Mapping[int, float]]  # name: {step: value}


def places_of(steps: Sequence[int]) -> np.ndarray:
    """Where steps stand on the scale; the first, before any training, a little before step 1."""
    return np.log10(np.maximum(steps, 0.5))


def film(steps: Sequence[int], histories: Histories, moment: int, say: Say) -> Drawing:
    """Loss, BLEU and learning rate over the steps, on a logarithmic scale, each on its own height.

    A line through all that is known, {step: value}; a dot at each filmed moment.
    """
    marks: list[Mark] = []
    places, said = places_of(steps), [count(step) for step in steps]
    ticks = [(places[0], "0"), *step_ticks(steps)]
    for number, (name, history) in enumerate(histories.items()):
        values, stroke = list(history.values()), f"series:{number}"
        top, low = max(values), min(0.0, *values)
        marks += curves(
            [
                Series(name, places_of(list(history)), values, stroke, points=False),
                Series(say(f"film.{name}"), places, [history[step] for step in steps], stroke, joined=False,
                       said=said),
            ],
            y=number * 120, wide=WIDE, high=120,
            x_title="" if number < len(histories) - 1 else say("film.steps"), y_title=say(f"film.{name}"),
            x_ticks=ticks, y_ticks=[(low, rounded(low, 2)), (top, rounded(top, 2))],
            cursor=float(places[moment]),
        )  # fmt: skip
    return Drawing(WIDE, 120 * len(histories) + 4, say("film.alt"), tuple(marks))


def step_ticks(steps: Sequence[int]) -> list[tuple[float, str]]:
    """Powers of ten, and the last step; a power too near to it gives way."""
    last = float(places_of(steps)[-1])
    powers = [(float(power), count(10**power)) for power in range(int(last) + 1) if power < last - 0.4]
    return [*powers, (last, count(steps[-1]))]


class Life(NamedTuple):
    """One specialist: what it is called, the moment it appears, and what a click on it means."""

    label: str
    moment: int
    hue: str
    tip: str
    pick: Sequence[Any]
    name: str


def timeline(steps: Sequence[int], lives: Sequence[Life], moment: int, title: str) -> Drawing:
    """A line for each specialist from the moment it appears, with the filmed moment drawn across."""
    left, right, places = 8, WIDE - 16, places_of(steps)
    bottom = len(lives) * HIGH + 4

    def at(place: float) -> float:
        return left + (place - places[0]) / (places[-1] - places[0]) * (right - left)

    marks: list[Mark] = [line([(at(places[moment]), 0), (at(places[moment]), bottom)], "faint", dash=True)]
    for number, life in enumerate(lives):
        y, x = number * HIGH + 22, at(places[life.moment])
        here = life.moment <= moment
        marks.append(text(life.label, left, y - 8, size=11, fill="ink" if here else "faint"))
        marks.append(line([(left, y), (right, y)], "line"))
        if here:
            marks.append(line([(x, y), (at(places[moment]), y)], life.hue, thick=3))
        marks.append(circle(x, y, 4, life.hue if here else "paper", stroke=life.hue))
        marks.append(
            rect(0, y - 20, WIDE - 8, HIGH, pick=list(life.pick), tip=life.tip, name=life.name, round=3)
        )
    for place, label in ((places[0], "0"), *step_ticks(steps)):
        marks.append(text(label, at(place), bottom + 14, size=11, anchor="middle", fill="faint"))
    return Drawing(WIDE, bottom + 20, title, tuple(marks))
