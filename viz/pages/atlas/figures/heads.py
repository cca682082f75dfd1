"""The atlas as pictures: a block of heads in the colours of a measure, two measures, one head's card."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from viz.figures.charts import legend
from viz.figures.drawing import Drawing, Mark, circle, line, rect, text
from viz.figures.numbers import fixed, rounded
from viz.figures.svg import width

CELL, HIGH, WIDE = 40, 30, 400
Say = Callable[..., str]


def block(
    values: np.ndarray, kind: str, most: float, title: str, *, roles: Mapping[tuple[int, int], int],
    chosen: tuple[int, int] | None = None, shown: Mapping[tuple[int, int], bool] | None = None,
) -> Drawing:  # fmt: skip
    """Layers × heads, the first layer on top as in All heads; a dot for each role of a head."""
    layers, heads = values.shape
    marks: list[Mark] = [text(title, 0, 13, bold=True)]
    for head in range(heads):
        marks.append(
            text(str(head + 1), 24 + (head + 0.5) * CELL, 32, size=11, anchor="middle", fill="faint")
        )
    for layer, head in np.ndindex(values.shape):
        x, y = 24 + head * CELL, 38 + layer * HIGH
        value = float(values[layer, head])
        known, faded = np.isfinite(value), shown is not None and not shown.get((layer, head), False)
        share = min(1.0, abs(value) / most) if known else 0.0
        fill = (
            "none" if not known or faded else (f"scale:{share:.3f}" if value >= 0 else f"change:{-share:.3f}")
        )
        name = f"{kind}.{layer}.{head}"
        marks.append(rect(x, y, CELL - 2, HIGH - 2, fill, stroke="line", round=3))
        if known:
            ink = "paper" if share > 0.5 and not faded and value >= 0 else ("faint" if faded else "ink")
            marks.append(
                text(fixed(value, 2), x + (CELL - 2) / 2, y + 18, size=11, anchor="middle", fill=ink)
            )
        for number in range(min(roles.get((layer, head), 0), 4)):
            marks.append(circle(x + 5 + number * 6, y + HIGH - 6, 2, "change:-1"))
        tip = f"{layer + 1}·{head + 1}: {rounded(value if known else None, 5)}"
        marks.append(
            rect(x, y, CELL - 2, HIGH - 2, round=3, pick=[kind, layer, head], on=(layer, head) == chosen,
                 tip=tip, name=name)
        )  # fmt: skip
    for layer in range(layers):
        marks.append(text(str(layer + 1), 16, 57 + layer * HIGH, size=11, anchor="end", fill="faint"))
    return Drawing(24 + heads * CELL, 42 + layers * HIGH, title, tuple(marks))


def scatter(
    points: Sequence[tuple[str, float, float, str]],
    x_title: str,
    y_title: str,
    chosen: str | None,
    title: str,
    named: Callable[[str, int, int], str],
) -> Drawing:
    """Each head as a dot (name, x, y, colour); pointing at one names it in words."""
    marks: list[Mark] = []
    known = [point for point in points if np.isfinite(point[1]) and np.isfinite(point[2])]
    xs, ys = [point[1] for point in known] or [0.0], [point[2] for point in known] or [0.0]
    x_low, x_top, y_low, y_top = min(0.0, *xs), max(xs), min(0.0, *ys), max(ys)
    left, right, top, bottom = 44, 600, 16, 330

    def place(x: float, y: float) -> tuple[float, float]:
        across = (x - x_low) / max(x_top - x_low, 1e-9)
        return left + across * (right - left), bottom - (y - y_low) / max(y_top - y_low, 1e-9) * (
            bottom - top
        )

    marks += [line([(left, top), (left, bottom), (right, bottom)], "line")]
    for share in (0, 0.5, 1):
        x, y = x_low + share * (x_top - x_low), y_low + share * (y_top - y_low)
        marks.append(text(rounded(x, 2), place(x, y_low)[0], bottom + 16, size=11, anchor="middle"))
        marks.append(text(rounded(y, 2), left - 6, place(x_low, y)[1] + 4, size=11, anchor="end"))
    marks.append(text(x_title, right, bottom + 34, anchor="end", fill="faint"))
    marks.append(text(y_title, 0, 11, fill="faint"))
    for name, x, y, fill in known:
        kind, layer, head = name.split(".")
        on = name == chosen
        tip = f"{named(kind, int(layer), int(head))}: {rounded(x, 4)}, {rounded(y, 4)}"
        pick = [kind, int(layer), int(head)]
        at = place(x, y)
        edge = "ink" if on else "none"
        marks.append(circle(*at, 7 if on else 5, fill, tip=tip, pick=pick, name=name, on=on, stroke=edge))
    return Drawing(620, 372, title, tuple(marks))


def card(rows: Sequence[tuple[str, Any, float]], title: str, say: Say) -> Drawing:
    """Every measure of one head (label, measure, end of its scale): value, interval, baseline and null."""
    left, high = max((width(label, 12) for label, *_ in rows), default=0) + 12, 20
    room = WIDE - left - 48
    marks: list[Mark] = []
    for number, (label, measure, most) in enumerate(rows):
        y = 8 + number * high
        at = lambda value: left + room * min(1.0, max(0.0, abs(value)) / most)  # noqa: E731, B023
        marks.append(text(label, left - 8, y + 13, anchor="end"))
        marks.append(rect(left, y + 3, room, high - 8, "panel"))
        tip = say(
            "card.tip", value=rounded(measure.value, 4), n=measure.n,
            low=rounded(measure.low, 4), high=rounded(measure.high, 4),
            baseline=rounded(measure.baseline, 4), null=rounded(measure.null, 4),
        )  # fmt: skip
        name = f"measure.{label}"
        marks.append(
            rect(left, y + 3, max(at(measure.value) - left, 0.8), high - 8, "mark", tip=tip, name=name)
        )
        if measure.low is not None and measure.high is not None:
            marks.append(line([(at(measure.low), y + 9), (at(measure.high), y + 9)], "ink", thick=1.5))
        for value, dash in ((measure.baseline, False), (measure.null, True)):
            if value is not None:
                marks.append(
                    line([(at(value), y), (at(value), y + high - 2)], "change:-1", thick=2, dash=dash)
                )
        marks.append(text(fixed(measure.value), WIDE, y + 13, size=11, anchor="end"))
    high = 8 + high * len(rows)
    named = [(say("card.value"), "mark", False), (say("card.baseline"), "change:-1", False),
             (say("card.null"), "change:-1", True)]  # fmt: skip
    more, down = legend(named, 0, high + 4, WIDE)
    return Drawing(WIDE, high + down + 8, title, tuple(marks + more))


def sentence(
    queries: Sequence[str], keys: Sequence[str], weights: np.ndarray, title: str, hue: str
) -> Drawing:
    """A small sentence with its edges: who looks above, who is looked at below."""
    wide = 640
    rows = [_line_of(words, wide) for words in (queries, keys)]
    marks: list[Mark] = []
    for row, (words, y) in enumerate(((queries, 16), (keys, 92))):
        for word, x in zip(words, rows[row], strict=True):
            marks.append(text(word, x, y, size=12, anchor="middle"))
    for i, j in zip(*np.nonzero(weights >= 0.1), strict=True):
        ends = [(rows[0][i], 22), (rows[1][j], 80)]
        tip = f"{queries[i]} → {keys[j]}: {fixed(weights[i, j])}"
        marks.append(line(ends, hue, thick=float(0.5 + 3 * weights[i, j]), tip=tip, name=f"edge.{i}.{j}"))
    return Drawing(wide, 100, title, tuple(marks))


def _line_of(words: Sequence[str], wide: float) -> list[float]:
    """Where the words of a line stand, each with room by its length."""
    lengths = np.array([len(word) + 1.5 for word in words], float)
    ends = np.cumsum(lengths) / lengths.sum() * wide
    return (ends - lengths / lengths.sum() * wide / 2).tolist()
