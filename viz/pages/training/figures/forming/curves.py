"""Loss, share of right answers and the best head's share of readable rows, over the steps of a training."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from model.training.toys.film import Film
from viz.figures.charts import Series, curves, legend
from viz.figures.drawing import Drawing, Mark, line, moved, rect, text
from viz.figures.numbers import MISSING, fixed, percent, rounded
from viz.figures.svg import width
from viz.pages.training.numbers import forming as numbers

Say = Callable[..., str]
WIDE, LOSS_HIGH, SHARES_HIGH = 400, 150, 178
SHARES = ((0.0, "0%"), (0.5, "50%"), (1.0, "100%"))
ROOM = 6  # left of all, for fonts that are wider than expected
EDGE = 12  # to the right of a chart, as viz/figures/charts.py leaves it
STROKES = {"loss": "mark", "accuracy": "series:0", "readable": "series:1"}


@dataclass(frozen=True)
class Run:
    """One training of the drawing; the second is dashed."""

    film: Film
    name: str


def progress(runs: Sequence[Run], at: int, say: Say) -> Drawing:
    """The curves of one or two trainings; a click on a frame of the first leads to that moment."""
    told = [numbers.curves(each.film.frames) for each in runs]
    steps = runs[0].film.steps
    ticks = [(share * steps, f"{share * steps:.0f}") for share in (0, 0.5, 1)]
    most = max(float(each.loss.max()) for each in told)
    loss_ticks = [(0.0, "0"), (most / 2, rounded(most / 2, 2)), (most, rounded(most, 2))]
    marks, top = _legend(runs, told, say)
    margin, loss_margin = (max(width(label, 11) for _, label in each) for each in (SHARES, loss_ticks))
    charts = (("loss",), LOSS_HIGH, loss_ticks), (("accuracy", "readable"), SHARES_HIGH, SHARES)
    y = top
    for names, high, scale in charts:
        indent = max(0.0, margin - loss_margin) if names == ("loss",) else 0.0
        marks += curves(
            _series(runs, told, names, say), x=indent, y=y, wide=WIDE - indent, high=high,
            x_title=say("forming.steps"), y_title=say(f"forming.axis.{names[0]}"), x_ticks=ticks,
            y_ticks=scale,
        )  # fmt: skip
        y += high
    left, right = margin + 8, WIDE - EDGE
    marks += _switches(runs[0].film, left, right, top + LOSS_HIGH + 22, y - 36, say)
    across, loss = (left, right), (top + 22, top + LOSS_HIGH - 36)
    marks += _moments(told[0], at, across, (loss, (top + LOSS_HIGH + 22, y - 36)), steps, say)
    room = tuple(moved(marks, ROOM, 0))
    return Drawing(WIDE + ROOM, y, say("forming.progress"), room)


def _legend(runs: Sequence[Run], told: Sequence[numbers.Curves], say: Say) -> tuple[list[Mark], float]:
    names = [
        (say(f"forming.{each}"), STROKES[each], False)
        for each in STROKES
        if each != "readable" or not np.isnan(told[0].readable).all()
    ]
    if len(runs) > 1:
        names += [(runs[0].name, "ink", False), (runs[1].name, "ink", True)]
    return legend(names, 0, 0, WIDE)


def _series(
    runs: Sequence[Run], told: Sequence[numbers.Curves], names: Sequence[str], say: Say
) -> list[Series]:
    return [
        Series(f"{run.name} {say(f'forming.{name}')}".strip(), each.steps, getattr(each, name),
               STROKES[name], dash=bool(number), points=False)
        for number, (run, each) in enumerate(zip(runs, told, strict=True))
        for name in names
        if not np.isnan(getattr(each, name)).any()
    ]  # fmt: skip


def _switches(film: Film, left: float, right: float, top: float, bottom: float, say: Say) -> list[Mark]:
    """Where a head was switched while it trained."""
    marks, places = [], film.recipe.places()
    for step, number in film.recipe.off:
        if number < len(places) and step <= film.steps:
            x = left + (step - 1) / film.steps * (right - left)
            kind, _, head = places[number]
            words = say("forming.switched", kind=say(f"kind.short.{kind}"), head=head + 1)
            # Where there is no room to the right of it, the words stand to its left.
            late = x + width(words, 10, None) > right
            marks.append(line([(x, top), (x, bottom)], "change:-1", thick=1.5))
            marks.append(text(words, x - 3 if late else x + 3, bottom - 4, size=10,
                              anchor="end" if late else "start", name=f"switch.{step}.{number}"))  # fmt: skip
    return marks


def _moments(
    told: numbers.Curves, at: int, across: tuple[float, float], spans: Sequence[tuple[float, float]],
    steps: int, say: Say,
) -> list[Mark]:  # fmt: skip
    """A column a frame over each chart: pointing reads it, a click goes there.

    Only those of the last chart are stops of the keyboard, and of these the one that is on.
    """
    left, right = across
    xs = left + told.steps / max(steps, 1) * (right - left)
    edges = [left - 2, *((xs[1:] + xs[:-1]) / 2), xs[-1] + 2]
    marks = []
    for chart, frame in np.ndindex(len(spans), len(xs)):
        (top, bottom), last = spans[chart], chart == len(spans) - 1
        step, loss, accuracy, readable = (float(each[frame]) for each in told)
        tip = say(
            "forming.moment", step=int(step), loss=fixed(loss, 2),
            accuracy=percent(accuracy, 0),
            readable=MISSING if np.isnan(readable) else percent(readable, 0),
        )  # fmt: skip
        moves = {"ArrowLeft": max(0, frame - 1), "ArrowRight": min(len(xs) - 1, frame + 1)}
        marks.append(
            rect(edges[frame], top, edges[frame + 1] - edges[frame], bottom - top, "none", tip=tip,
                 pick=frame, on=last and frame == at, moves=moves, label=tip, name=f"moment.{chart}.{frame}")
        )  # fmt: skip
    return marks
