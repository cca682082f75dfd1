"""What steps did: every row's change, the head's map before and after, and the loss here and elsewhere."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from viz.figures.charts import Series, bars, curves, legend
from viz.figures.drawing import Drawing, Mark, moved, rect, small_map, text
from viz.figures.numbers import fixed, rounded
from viz.figures.svg import LETTER, fitting, width

Say = Callable[..., str]
ROWS, ROW = 380, 20
LEAST = 0.01  # where bars of log-probability end at least
SHEET, NARROW = 560, 350
TOP, SMALL = 34, 11
CURVES, CURVES_HIGH = 400, 220


def changes(before: np.ndarray, after: np.ndarray, must: Sequence[str], say: Say) -> Drawing:
    """Δ log p of every row's right piece."""
    changed = (after - before).astype(float)
    changed[abs(changed) < LEAST / 20] = 0.0  # no minus before a zero
    labels = [fitting(f"{place + 1} · {word}", 130, LETTER) for place, word in enumerate(must)]
    marks = bars(
        changed, labels, wide=ROWS, high=ROW, y=4, written="{:+.3f}",
        most=LEAST if abs(changed).max() < LEAST else None,
        names=[f"change.{place}" for place in range(len(must))],
    )  # fmt: skip
    return Drawing(ROWS, 10 + ROW * len(must), say("training.step.changes"), tuple(marks))


class Sides(NamedTuple):
    """The words along both sides of the maps."""

    rows: Sequence[str]
    columns: Sequence[str]


def maps(before: np.ndarray, after: np.ndarray, sides: Sides, say: Say) -> Drawing:
    """The head's map before, after, and what changed; the change has a scale of its own, which it names."""
    most = max(float(abs(after - before).max()), 1e-4)
    shown = {
        "before": (before, (0.0, 1.0)), "after": (after, (0.0, 1.0)),
        "difference": (after - before, (-most, most)),
    }  # fmt: skip
    title, label = say("training.step.maps"), min(90.0, max(width(word, SMALL) for word in sides.rows) + 8)
    foot = 0.8 * min(90.0, max(width(word, SMALL) for word in sides.columns)) + 16

    def sheet(wide: float, across: int) -> tuple[list[Mark], float]:
        """As many maps side by side as have room, the rows named at their left; and how high that is."""
        room = (wide - label) / across
        size = min((room - 10) / len(sides.columns), 17.0)
        tall = TOP + size * len(sides.rows) + foot
        marks: list[Mark] = []
        for place, (name, (values, ends)) in enumerate(shown.items()):
            down, beside = divmod(place, across)
            if not beside:
                marks += moved(_rows(sides.rows, size, label), 0, down * tall)
            drawn = _one(name, values, ends, size, sides, say)
            marks += moved(drawn, label + beside * room, down * tall)
        return marks, tall * -(-len(shown) // across)

    (marks, high), (narrow, higher) = sheet(SHEET, 3), sheet(NARROW, 2)
    return Drawing(SHEET, high, title, tuple(marks), narrow=Drawing(NARROW, higher, title, tuple(narrow)))


def _rows(words: Sequence[str], size: float, label: float) -> list[Mark]:
    every = max(1, round(11 / size + 0.3))
    return [
        text(
            fitting(word, label - 6, SMALL), label - 6, TOP + (row + 0.5) * size + 4, size=SMALL, anchor="end"
        )
        for row, word in enumerate(words)
        if row % every == 0
    ]


def _one(
    name: str, values: np.ndarray, ends: tuple[float, float], size: float, sides: Sides, say: Say,
) -> list[Mark]:  # fmt: skip
    """One map; pointing at a row tells its strongest cell."""
    rows, columns = values.shape
    least, most = ends
    title = say(f"training.step.map.{name}", most=rounded(most, 2))
    marks = [text(title, 0, TOP - 10, size=SMALL, bold=True, name=f"title.{name}")]
    for row, word in enumerate(sides.rows):
        best = int(abs(values[row]).argmax())
        tip = f"{word} → {sides.columns[best]}: {rounded(float(values[row, best]), 3)}"
        y = TOP + row * size
        marks.append(rect(0, y, columns * size, size, "paper", tip=tip, name=f"{name}.{row}"))
    box = 0, TOP, columns * size, rows * size
    marks.append(small_map(values, *box, least=least, most=most, name=f"map.{name}"))
    marks.append(rect(*box, "none", stroke="line"))
    every = max(1, round(11 / size + 0.3))
    for column, word in enumerate(sides.columns):
        if column % every == 0:
            at = (column + 0.5) * size + 3
            marks.append(text(word, at, TOP + rows * size + 10, size=SMALL, turn=-50, anchor="end"))
    return marks


def losses(pair: np.ndarray, others: np.ndarray, floor: float, moment: int, say: Say) -> Drawing:
    """The loss of the pair that is learned and of sentences that nobody learns from, step by step."""
    steps = np.arange(len(pair))
    series = [Series(say("training.step.curve.pair"), steps, pair, "mark")]
    if np.isfinite(others).all():
        series.append(Series(say("training.step.curve.others"), steps, others, "change:-1"))
    ends = steps[[0, -1]]
    lowest = Series(say("training.step.curve.floor"), ends, [floor, floor], "faint", dash=True, points=False)
    named = [(each.name, each.stroke, each.dash) for each in (*series, lowest)]
    marks, down = legend(named, 0, 0, CURVES)
    top = max(float(np.max(each.ys)) for each in series)
    room = max(top - floor, 0.04)
    low, high = floor - 0.1 * room, floor + 1.1 * room
    ticks = np.linspace(low, high, 4)
    marks += curves(
        [lowest, *series], y=down + 4, wide=CURVES, high=CURVES_HIGH,
        x_title=say("training.step.curve.steps"), y_title=say("training.step.curve.loss"),
        x_ticks=[(int(at), str(at)) for at in steps],
        y_ticks=[(float(at), fixed(float(at), 2)) for at in ticks], cursor=moment,
    )  # fmt: skip
    return Drawing(CURVES, down + CURVES_HIGH + 6, say("training.step.curve.alt"), tuple(marks))
