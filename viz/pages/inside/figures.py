"""The steps to one weight as pictures: the strip of all of them, and each of them large."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from viz.figures.charts import Series, bars, curves, legend
from viz.figures.drawing import Drawing, Mark, cells, line, rect, text
from viz.figures.numbers import brief, fixed, rounded

if TYPE_CHECKING:
    from viz.pages.inside.numbers import Cell

WIDE = 400  # every picture: legible on a telephone, twice as large on a wall
BLOCK = 32  # numbers a row, where a whole vector of the stream is drawn
SHOWN = 24  # positions of a long sentence: those looked at most
THIN = 6  # the height of a row, where several vectors of the stream stand in one picture


def strip(
    steps: Sequence[tuple[str, str, Sequence[Mark]]],
    questions: Sequence[tuple[str, str]],
    on: str,
    title: str,
) -> Drawing:
    """All steps from left to right, each (name, label, small picture), then questions about them.

    The active one is framed.
    """
    wide, high, marks = 112, 74, []
    for place, (name, label, picture) in enumerate(steps):
        x = place * (wide + 8)
        if place:
            marks.append(line([(x - 8, high / 2), (x, high / 2)], "faint", arrow=True))
        marks.append(rect(x, 0, wide - 2, high, "panel", round=6))
        marks.append(text(label, x + 7, 16, size=12, bold=name == on))
        marks += [_shifted(mark, x + 7, 24) for mark in picture]
        marks.append(_button(x, 0, wide - 2, high, name, label, on))
    x, each = len(steps) * (wide + 8), high / len(questions)
    for place, (name, label) in enumerate(questions):
        y = place * each
        marks.append(rect(x, y, wide - 2, each - 4, "panel", round=6))
        marks.append(text(label, x + 7, y + 21, size=12, bold=name == on))
        marks.append(_button(x, y, wide - 2, each - 4, name, label, on))
    return Drawing(x + wide, high + 2, title, tuple(marks))


def _button(x: float, y: float, wide: float, high: float, name: str, label: str, on: str) -> Mark:
    """Over the picture, so that a click on any part of it counts."""
    return rect(x, y, wide, high, round=6, pick=name, on=name == on, label=label, name=name)


def small(step: str, cell: Cell, hidden: bool) -> list[Mark]:
    """What a step looks like at a glance, 96 × 40."""
    if hidden:
        return [text("?", 42, 28, size=22, bold=True)]
    width = 96 / len(cell.query)
    match step:
        case "input":
            return [_block("x", cell.stream, 0, 0, 96 / BLOCK, 32)]
        case "project":
            rows = ("q", cell.query), ("k", cell.key), ("v", cell.value)
            return [cells(row, 0, n * 12, width, name=name, high=10) for n, (name, row) in enumerate(rows)]
        case "product":
            return [
                cells(cell.terms, 0, 0, width, name="q·k", high=14),
                text(f"Σ = {fixed(cell.terms.sum(), 2)}", 0, 34, size=13),
            ]
        case "scale":
            return [text(fixed(cell.scores[cell.column], 2), 0, 28, size=18)]
        case "mask":
            return _little_bars(np.where(cell.mask, 1.0, 0.0), cell.column)
        case "softmax":
            return _little_bars(cell.weights, cell.column)
        case "mix":
            return [cells(cell.mixed[cell.head], 0, 8, width, name="z", high=16)]
        case "output":
            return [_block("o", cell.output, 0, 0, 96 / BLOCK, 32)]
    return [_block("y", cell.after, 0, 0, 96 / BLOCK, 32)]


def large(
    step: str, cell: Cell, queries: Sequence[str], keys: Sequence[str], say: Callable[..., str],
    hidden: bool = False,
) -> Drawing:  # fmt: skip
    """The active step; the number that is asked for is left out while it is `hidden`."""
    looking, seen = queries[cell.row], keys[cell.column]
    makers = {
        "input": lambda: _input(cell, looking, seen, say),
        "project": lambda: _project(cell, looking, seen, say, hidden),
        "product": lambda: _product(cell, looking, seen, say, hidden),
        "scale": lambda: _scale(cell, keys, say, hidden),
        "mask": lambda: _mask(cell, keys, say),
        "softmax": lambda: _softmax(cell, keys, say, hidden),
        "mix": lambda: _mix(cell, keys, say, hidden),
        "output": lambda: _output(cell, say, hidden),
        "add": lambda: _add(cell, say, hidden),
    }
    marks, high = makers[step]()
    return Drawing(WIDE, high, say(f"step.{step}.alt", looking=looking, seen=seen), tuple(marks))


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
    places, high = _shown(scaled), 16
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


def _input(cell, looking, seen, say) -> tuple[list[Mark], float]:
    marks, down = [], 0.0
    for name, vector, key in (("x", cell.stream, "step.input.row"), ("x", cell.memory, "step.input.column")):
        word = looking if key.endswith("row") else seen
        marks.append(text(say(key, word=word, width=len(vector)), 0, down + 14))
        marks.append(_block(name, vector, 0, down + 22, WIDE / BLOCK, 11))
        down += 22 + _rows(vector) * 11 + 18
    return marks, down


def _project(cell, looking, seen, say, hidden) -> tuple[list[Mark], float]:
    marks: list[Mark] = []
    shape = {"wide": len(cell.stream), "narrow": len(cell.query)}
    rows = ("q", cell.query, looking), ("k", cell.key, seen), ("v", cell.value, seen)
    for place, (name, vector, word) in enumerate(rows):
        y = place * 58
        marks.append(text(say(f"step.project.{name}", word=word, **shape), 0, y + 14))
        skip = 1 if hidden and name == "q" else 0
        size = WIDE / len(vector)
        marks.append(cells(vector[skip:], skip * size, y + 21, size, name=name, high=22, first=1 + skip))
        if skip:
            marks.append(text("?", size / 2, y + 37, anchor="middle", bold=True))
    return marks, 3 * 58


def _product(cell, looking, seen, say, hidden) -> tuple[list[Mark], float]:
    size, marks = WIDE / len(cell.query), []
    most = max(abs(cell.query).max(), abs(cell.key).max())
    for place, (name, vector, word) in enumerate((("q", cell.query, looking), ("k", cell.key, seen))):
        marks.append(text(f"{name} ({word})", 0, place * 42 + 13))
        marks.append(cells(vector, 0, place * 42 + 18, size, name=name, high=18, most=most))
    terms, top, tall = cell.terms, 106, 110
    marks.append(text(say("step.product.terms"), 0, top - 8))
    up = max(float(terms.max()), 0.0)
    unit = tall / max(up - min(float(terms.min()), 0.0), 1e-9)
    zero = top + up * unit
    for t, term in enumerate(terms):
        length = max(abs(term) * unit, 0.5)
        y = zero - length if term >= 0 else zero
        fill = f"change:{1 if term >= 0 else -1}"
        tip = f"{t + 1}: {brief(cell.query[t])} · {brief(cell.key[t])} = {brief(term)}"
        marks.append(rect(t * size, y, size - 1.5, length, fill, tip=tip, name=f"term.{t}"))
    marks.append(line([(0, zero), (WIDE, zero)], "line"))
    total = "?" if hidden else fixed(terms.sum())
    marks.append(text(f"Σ = {total}", WIDE, top + tall + 24, size=16, anchor="end", bold=True, name="sum"))
    return marks, top + tall + 32


def _scale(cell, keys, say, hidden) -> tuple[list[Mark], float]:
    places, high = _shown(cell.weights, cell.column), 16
    half = WIDE / 2
    marks = [text("q·k", 0, 13, bold=True), text(f"q·k ÷ √{len(cell.query)}", half, 13, bold=True)]
    for x, numbers, name in ((0.0, cell.products, "product"), (half, cell.scores, "score")):
        covered = [places.index(cell.column)] if hidden and name == "score" else []
        marks += bars(
            [float(numbers[j]) for j in places], [keys[j] for j in places], x=x, y=22, wide=half - 6,
            high=high, most=float(abs(cell.products[places]).max()), names=[f"{name}.{j}" for j in places],
            hidden=covered,
        )  # fmt: skip
    down = _framed(marks, places, cell.column, high)
    return _note(marks, down, places, keys, say)


def _mask(cell, keys, say) -> tuple[list[Mark], float]:
    places, high = _shown(np.where(cell.mask, cell.weights + 1, 0.5), cell.column), 16
    values = [float(cell.scores[j]) if cell.mask[j] else -np.inf for j in places]
    marks = [text(say("step.mask.heading"), 0, 13, bold=True)]
    marks += bars(
        values, [keys[j] for j in places], y=22, wide=WIDE, high=high, names=[f"masked.{j}" for j in places]
    )
    down = _framed(marks, places, cell.column, high)
    return _note(marks, down, places, keys, say)


def _softmax(cell, keys, say, hidden) -> tuple[list[Mark], float]:
    places, high = _shown(cell.weights, cell.column), 16
    marks = [text(say("step.softmax.heading"), 0, 13, bold=True)]
    marks += bars(
        [float(cell.weights[j]) for j in places], [keys[j] for j in places], y=22, wide=WIDE, high=high,
        written="{:.3f}", fills=[f"scale:{max(0.15, cell.weights[j])}" for j in places], most=1.0,
        names=[f"weight.{j}" for j in places], hidden=[places.index(cell.column)] if hidden else (),
    )  # fmt: skip
    down = _framed(marks, places, cell.column, high)
    return _note(marks, down, places, keys, say)


def _mix(cell, keys, say, hidden) -> tuple[list[Mark], float]:
    places, high, left = _shown(cell.weights, cell.column), 15, 132
    size, added = (WIDE - left) / cell.values.shape[1], cell.weights[:, None] * cell.values
    most = float(abs(added).max())
    marks = [text(say("step.mix.heading"), 0, 13, bold=True)]
    for place, j in enumerate(places):
        y = 22 + place * high
        marks.append(text(keys[j], left - 50, y + 11, size=11, anchor="end"))
        marks.append(text(f"{fixed(cell.weights[j])} ·", left - 6, y + 11, size=11, anchor="end"))
        marks.append(cells(added[j], left, y, size, name=f"α·v ({keys[j]})", high=high - 2, most=most))
    down = _framed(marks, places, cell.column, high)
    marks.append(line([(left, down + 4), (WIDE, down + 4)]))
    marks.append(text("z", left - 6, down + 20, anchor="end", bold=True))
    skip = 1 if hidden else 0
    mixed = cell.mixed[cell.head]
    marks.append(cells(mixed[skip:], left + skip * size, down + 9, size, name="z", high=16, first=1 + skip))
    if skip:
        marks.append(text("?", left + size / 2, down + 21, anchor="middle", bold=True))
    return _note(marks, down + 30, places, keys, say)


def _output(cell, say, hidden) -> tuple[list[Mark], float]:
    size, marks = (WIDE - 24) / cell.mixed.shape[1], [text(say("step.output.heads"), 0, 13)]
    most = float(abs(cell.mixed).max())
    for head, mixed in enumerate(cell.mixed):
        y = 20 + head * 13
        marks.append(rect(0, y, 16, 11, f"head:{head}", name=f"head.{head}"))
        marks.append(text(str(head + 1), 8, y + 9, size=9, anchor="middle", fill="paper"))
        marks.append(cells(mixed, 22, y, size, name=f"z, {head + 1}", high=12, most=most))
    down = 20 + 13 * len(cell.mixed)
    marks.append(rect(-2, 18 + cell.head * 13, WIDE + 2, 15, on=True))
    marks.append(text(say("step.output.one", head=cell.head + 1), 0, down + 20))
    marks.append(_block(f"W_O, {cell.head + 1}", cell.written[cell.head], 0, down + 27, WIDE / BLOCK, THIN))
    down += 27 + _rows(cell.output) * THIN
    marks.append(text(say("step.output.all"), 0, down + 20))
    marks += _covered("o", cell.output, down + 27, hidden)
    return marks, down + 27 + _rows(cell.output) * THIN + 4


def _add(cell, say, hidden) -> tuple[list[Mark], float]:
    marks, down = [], 0.0
    for name, vector in (("x", cell.stream), ("o", cell.output), ("x + o", cell.total), ("y", cell.after)):
        said = {"mean": fixed(vector.mean()), "spread": fixed(vector.std())}
        key = {"x": "stream", "o": "output", "x + o": "total", "y": "after"}[name]
        cover = hidden and name == "y"
        heading = say(
            f"step.add.{key}", mean="?" if cover else said["mean"], spread="?" if cover else said["spread"]
        )
        marks.append(text(heading, 0, down + 13))
        marks += _covered(name, vector, down + 19, cover)
        down += 19 + _rows(vector) * THIN + 12
    return marks, down


def _covered(name: str, vector: np.ndarray, y: float, hidden: bool) -> list[Mark]:
    """A vector of the stream; the first number is covered while it is asked for."""
    if not hidden:
        return [_block(name, vector, 0, y, WIDE / BLOCK, THIN)]
    shown = np.concatenate([[0.0], vector[1:]])  # the rest stays where it is
    block = _block(name, shown, 0, y, WIDE / BLOCK, THIN)
    return [
        block,
        rect(0, y, WIDE / BLOCK, THIN, "paper"),
        text("?", 6, y + THIN, size=10, anchor="middle", bold=True),
    ]


def _block(name: str, vector: np.ndarray, x: float, y: float, size: float, high: float) -> Mark:
    """A vector of the stream as rows of 32, each `high`; above 12 it is the height of them all."""
    rows = _rows(vector)
    return cells(vector, x, y, size, name=name, columns=BLOCK, high=high if high <= 12 else high / rows)


def _rows(vector: np.ndarray) -> int:
    return -(-len(vector) // BLOCK)


def _shown(weights: np.ndarray, column: int | None = None) -> list[int]:
    """Where to look: all positions, or of many those with the largest weights, in their order."""
    if len(weights) <= SHOWN:
        return list(range(len(weights)))
    largest = np.argsort(-weights, kind="stable")[:SHOWN].tolist()
    if column is not None and column not in largest:
        largest[-1] = column
    return sorted(largest)


def _framed(marks: list[Mark], places: list[int], column: int, high: float) -> float:
    """Frame the chosen position; the lower edge of the rows."""
    marks.append(rect(-3, 21 + places.index(column) * high, WIDE + 3, high, on=True, round=3, name="chosen"))
    return 22 + high * len(places)


def _note(
    marks: list[Mark], down: float, places: list[int], keys: Sequence[str], say
) -> tuple[list[Mark], float]:
    if len(places) < len(keys):
        marks.append(
            text(say("step.some", shown=len(places), all=len(keys)), 0, down + 16, size=11, fill="faint")
        )
        down += 20
    return marks, down + 6


def _little_bars(values: np.ndarray, column: int) -> list[Mark]:
    """The row as thin columns, the chosen one in the colour of what was chosen."""
    wide = 96 / len(values)
    return [
        rect(
            j * wide, 36 - 36 * float(value), max(wide - 1, 0.6), max(36 * float(value), 0.8),
            "mark" if j == column else "faint",
        )
        for j, value in enumerate(values)
    ]  # fmt: skip


def _shifted(mark: Mark, x: float, y: float) -> Mark:
    return {**mark, "x": round(mark["x"] + x, 1), "y": round(mark["y"] + y, 1)}
