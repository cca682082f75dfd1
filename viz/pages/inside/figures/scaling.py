"""Why scores are divided by √d_k: what becomes of softmax without it."""

from collections.abc import Callable, Sequence

import numpy as np

from viz.figures.charts import Series, bars, curves, legend
from viz.figures.drawing import Drawing, Mark, text
from viz.figures.numbers import rounded
from viz.pages.inside.figures.vectors import WIDE, shown


def saturation(
    widths: Sequence[int], simulated: dict[bool, np.ndarray], own: dict[bool, np.ndarray],
    cursor: int, what: str, say: Callable[..., str],
) -> Drawing:  # fmt: skip
    """Entropy or gradient against d_k; simulated as lines, this head's own numbers as dots."""
    strokes = {True: "mark", False: "change:-1"}
    series, named = [], []
    for scaled, stroke in strokes.items():
        name = say("saturation.scaled" if scaled else "saturation.unscaled")
        series.append(Series(name, np.log2(widths), simulated[scaled], stroke))
        named.append((name, stroke, False))
        own_name = say("saturation.own.scaled" if scaled else "saturation.own.unscaled")
        places = np.log2(widths[: len(own[scaled])])
        series.append(Series(own_name, places, own[scaled], stroke, dash=True))
        named.append((own_name, stroke, True))
    most = max(float(np.max(each.ys)) for each in series)
    top = 1.0 if what == "entropy" else float(np.ceil(most * 10) / 10)
    marks, down = legend(named, 0, 0, WIDE)
    marks += curves(
        series, y=down + 4, wide=WIDE, high=210,
        x_title=say("saturation.axis"), y_title=say(f"saturation.{what}"),
        x_ticks=[(np.log2(width), str(width)) for width in widths],
        y_ticks=[(top * share, rounded(top * share, 2)) for share in (0, 0.5, 1)], cursor=np.log2(cursor),
    )  # fmt: skip
    return Drawing(WIDE, down + 220, say(f"saturation.{what}.alt"), tuple(marks))


def two_softmaxes(
    scaled: np.ndarray, unscaled: np.ndarray, keys: Sequence[str], say: Callable[..., str]
) -> Drawing:
    """One row of weights with the division by √d_k, and without it."""
    places, high = shown(scaled), 16
    marks: list[Mark] = []
    for column, (name, weights) in enumerate((("scaled", scaled), ("unscaled", unscaled))):
        x = column * (WIDE / 2)
        marks.append(text(say(f"saturation.{name}"), x, 12, bold=True))
        marks += bars(
            [weights[j] for j in places], [keys[j] for j in places], x=x, y=20, wide=WIDE / 2 - 6, high=high,
            fills=[f"scale:{max(0.15, weights[j])}" for j in places], most=1.0,
            names=[f"{name}.{j}" for j in places],
        )  # fmt: skip
    return Drawing(WIDE, 24 + high * len(places), say("saturation.row.alt"), tuple(marks))
