"""What a change did, as pictures: probabilities before and after, ranked heads, pruning, edges."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from viz.figures.charts import Series, bars, curves, legend
from viz.figures.drawing import Drawing, Mark, circle, line, rect, text
from viz.figures.numbers import fixed, rounded

WIDE = 400
# Where bars of log-probability end at least: a change of 1 makes something 2.7 times as likely. A shorter
# scale would draw +0.01, which nobody notices, as long as −10, which breaks a sentence.
FULL = 1.0
Say = Callable[..., str]


def probabilities(
    before: Sequence[tuple[str, float]], after: Sequence[tuple[str, float]], say: Say
) -> Drawing:
    """Piece by piece (word, probability), as it was and as it is now; changed pieces do not line up."""
    high, marks = 18, []
    for column, (name, pieces) in enumerate((("before", before), ("after", after))):
        x = column * (WIDE / 2)
        marks.append(text(say(f"experiment.{name}"), x, 12, bold=True))
        marks += bars(
            [chance for _, chance in pieces], [word for word, _ in pieces],
            x=x, y=20, wide=WIDE / 2 - 8, high=high, most=1.0, fills=["faint"] * len(pieces),
            names=[f"{name}.{n}" for n in range(len(pieces))],
        )  # fmt: skip
    return Drawing(WIDE, 26 + high * max(len(before), len(after)), say("experiment.chances"), tuple(marks))


def effects(
    labels: Sequence[str], values: Sequence[float], title: str, *, picks: Sequence[Any] | None = None,
    names: Sequence[str] | None = None, written: str = "{:+.3f}", on: int | None = None,
    least: float = 0.01, say: Say | None = None,
) -> Drawing:  # fmt: skip
    """Effects as bars to both sides of zero, one a line; the one that is `on` is framed.

    The scale ends at `least` or later; with `say` a line below the bars tells where.
    """
    values = [value + 0.0 for value in values]  # no minus before a zero
    most = max((abs(value) for value in values), default=0.0)
    marks = bars(
        values, labels, wide=WIDE, high=18, written=written, names=names, picks=picks, on=on, y=4,
        most=least if most < least else None,
    )  # fmt: skip
    high = 10 + 18 * len(labels)
    if say:
        told = say("effects.scale", most=rounded(max(most, least), 2), least=rounded(least, 2))
        marks.append(text(told, WIDE, high + 8, size=11, anchor="end", fill="faint", name="scale"))
        high += 16
    return Drawing(WIDE, high, title, tuple(marks))


def pruning(counts: Sequence[int], chosen: np.ndarray, chance: np.ndarray, kept: int, say: Say) -> Drawing:
    """The translation's log-probability as heads fall silent: the least important first, or at random."""
    low = float(min(chosen.min(), chance.min()))
    low = -float(np.ceil(-low / 10) * 10) if low < 0 else -1.0
    series = [
        Series(say("prune.chosen"), counts, chosen, "mark"),
        Series(say("prune.random"), counts, chance.mean(0), "change:-1"),
    ]
    named = [(each.name, each.stroke, False) for each in series]
    marks, down = legend(named, 0, 0, WIDE)
    ticks = [0, *[round(max(counts) * share) for share in (0.25, 0.5, 0.75, 1)]]
    marks += curves(
        series, y=down + 4, wide=WIDE, high=230,
        x_title=say("prune.axis.kept"), y_title=say("prune.axis.chance"),
        x_ticks=[(tick, str(tick)) for tick in ticks],
        y_ticks=[(low * share, rounded(low * share)) for share in (0, 0.5, 1)], cursor=kept,
    )  # fmt: skip
    return Drawing(WIDE, down + 240, say("prune.alt"), tuple(marks))


def edges(keys: Sequence[str], columns: dict[str, np.ndarray], title: str, say: Say) -> Drawing:
    """Three readings of the same edges beside each other, each on its own scale."""
    high, left, room = 18, 76, (WIDE - 76) / len(columns)
    marks: list[Mark] = []
    for place, (name, values) in enumerate(columns.items()):
        x = left + place * room
        marks.append(text(say(f"using.{name}"), x, 12, size=11, bold=True))
        most = max(float(abs(values).max()), 1e-9)
        for row, value in enumerate(values):
            y = 20 + row * high
            length = (room - 50) * abs(float(value)) / most
            fill = f"change:{1 if value >= 0 else -1}" if name == "effect" else "mark"
            tip = f"{keys[row]}: {rounded(value, 5)}"
            marks.append(rect(x, y + 2, max(length, 0.75), high - 4, fill, tip=tip, name=f"{name}.{row}"))
            marks.append(text(rounded(value), x + room - 6, y + 13, size=11, anchor="end"))
    for row, key in enumerate(keys):
        marks.append(text(key, left - 6, 33 + row * high, anchor="end"))
    return Drawing(WIDE, 26 + high * len(keys), title, tuple(marks))


def scatter(weights: np.ndarray, effect: np.ndarray, names: Sequence[str], title: str, say: Say) -> Drawing:
    """Weight across, causal effect up: were attention an explanation, the dots would rise."""
    high, left, bottom = 240, 50, 204
    most = max(float(effect.max()), 1e-9)
    least = min(float(effect.min()), 0.0)

    def height(value: float) -> float:
        return bottom - (value - least) / (most - least) * (bottom - 24)

    marks = [
        line([(left, height(0)), (WIDE - 10, height(0))], "line"),
        line([(left, 20), (left, bottom)], "line"),
        text(say("using.effect"), 0, 12, size=11, fill="faint"),
        text(say("using.weight"), WIDE - 10, bottom + 30, size=11, anchor="end", fill="faint"),
        text(rounded(most, 2), left - 5, height(most) + 4, size=11, anchor="end"),
        text("0", left - 5, height(0) + 4, size=11, anchor="end"),
    ]
    for share in (0, 0.5, 1):
        x = left + share * (WIDE - left - 16)
        marks.append(text(rounded(share), x, bottom + 15, size=11, anchor="middle"))
    for weight, value, name in zip(weights, effect, names, strict=True):
        x = left + float(weight) * (WIDE - left - 16)
        tip = f"{name}: {fixed(weight, 4)}, {rounded(value, 5)}"
        marks.append(circle(x, height(float(value)), 3.5, "mark", tip=tip, name=name))
    return Drawing(WIDE, high, title, tuple(marks))
