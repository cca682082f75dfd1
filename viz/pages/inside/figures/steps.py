"""Each step to one weight, large; the number that is asked for can be left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from viz.figures.charts import NUMBER_WIDE, bars
from viz.figures.drawing import Drawing, Mark, cells, line, rect, text
from viz.figures.numbers import brief, fixed, rounded
from viz.figures.svg import LETTER, width
from viz.pages.inside.figures.vectors import BLOCK, THIN, WIDE, block, covered, rows, shown

if TYPE_CHECKING:
    from viz.pages.inside.numbers import Cell

Say = Callable[..., str]


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


def _input(cell: Cell, looking: str, seen: str, say: Say) -> tuple[list[Mark], float]:
    marks, down = [], 0.0
    for name, vector, key in (("x", cell.stream, "step.input.row"), ("x", cell.memory, "step.input.column")):
        word = looking if key.endswith("row") else seen
        marks.append(text(say(key, word=word, width=len(vector)), 0, down + 14))
        becomes = "q" if key.endswith("row") else "k"  # the next step, from the very same numbers
        marks.append(block(name, vector, 0, down + 22, WIDE / BLOCK, 11, kin=becomes))
        down += 22 + rows(vector) * 11 + 18
    return marks, down


def _project(cell: Cell, looking: str, seen: str, say: Say, hidden: bool) -> tuple[list[Mark], float]:
    marks: list[Mark] = []
    shape = {"wide": len(cell.stream), "narrow": len(cell.query)}
    drawn = ("q", cell.query, looking), ("k", cell.key, seen), ("v", cell.value, seen)
    for place, (name, vector, word) in enumerate(drawn):
        y = place * 58
        marks.append(text(say(f"step.project.{name}", word=word, **shape), 0, y + 14))
        skip = 1 if hidden and name == "q" else 0
        size = WIDE / len(vector)
        marks.append(cells(vector[skip:], skip * size, y + 21, size, name=name, high=22, first=1 + skip))
        if skip:
            marks.append(text("?", size / 2, y + 37, anchor="middle", bold=True))
    return marks, 3 * 58


def _product(cell: Cell, looking: str, seen: str, say: Say, hidden: bool) -> tuple[list[Mark], float]:
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
    marks.append(
        text(
            f"Σ = {total}", WIDE, top + tall + 24, size=16, anchor="end", bold=True, name="sum", kin="product"
        )
    )
    return marks, top + tall + 32


def _scale(cell: Cell, keys: Sequence[str], say: Say, hidden: bool) -> tuple[list[Mark], float]:
    places, high = shown(cell.weights, cell.column), 16
    half = WIDE / 2
    marks = [text("q·k", 0, 13, bold=True), text(f"q·k ÷ √{len(cell.query)}", half, 13, bold=True)]
    for x, numbers, name in ((0.0, cell.products, "product"), (half, cell.scores, "score")):
        covered = [places.index(cell.column)] if hidden and name == "score" else []
        marks += bars(
            [float(numbers[j]) for j in places], [keys[j] for j in places], x=x, y=22, wide=half - 6,
            high=high, most=float(abs(cell.products[places]).max()), names=[f"{name}.{j}" for j in places],
            hidden=covered, kins=[_kin(name, j, cell.column) for j in places],
        )  # fmt: skip
    down = _framed(marks, places, cell.column, high)
    return _note(marks, down, places, keys, say)


def _mask(cell: Cell, keys: Sequence[str], say: Say) -> tuple[list[Mark], float]:
    places, high = shown(np.where(cell.mask, cell.weights + 1, 0.5), cell.column), 16
    values = [float(cell.scores[j]) if cell.mask[j] else -np.inf for j in places]
    marks = [text(say("step.mask.heading"), 0, 13, bold=True)]
    marks += bars(
        values, [keys[j] for j in places], y=22, wide=WIDE, high=high,
        names=[f"masked.{j}" for j in places], kins=[f"token.{j}" for j in places],
    )  # fmt: skip
    down = _framed(marks, places, cell.column, high)
    return _note(marks, down, places, keys, say)


def _softmax(cell: Cell, keys: Sequence[str], say: Say, hidden: bool) -> tuple[list[Mark], float]:
    places, high = shown(cell.weights, cell.column), 16
    left = max(width(keys[j], LETTER) for j in places) + 10
    marks = [text(say("step.softmax.heading"), 0, 13, bold=True)]
    marks += bars(
        [float(cell.weights[j]) for j in places], [keys[j] for j in places], y=22, wide=WIDE, high=high,
        written="{:.3f}", fills=[_shade(cell.weights[j]) for j in places], most=1.0, label_wide=left,
        names=[f"weight.{j}" for j in places], hidden=[places.index(cell.column)] if hidden else (),
        kins=[f"token.{j}" for j in places],
    )  # fmt: skip
    down = _framed(marks, places, cell.column, high)
    if not hidden:  # laid end to end they would give the answer away
        marks += _together(cell.weights, places, keys, left, down + 5)
        down += 24
    return _note(marks, down, places, keys, say)


def _together(
    weights: np.ndarray, places: list[int], keys: Sequence[str], left: float, y: float
) -> list[Mark]:
    """The bars of a row end to end: they fill a bar of length one."""
    room, x, marks = WIDE - left - NUMBER_WIDE, left, []
    rest = float(weights.sum() - weights[places].sum())
    parts = [(f"share.{j}", keys[j], float(weights[j])) for j in places]
    parts += [("share.rest", "…", rest)] if len(places) < len(weights) else []
    for name, word, weight in parts:
        fill, tip = "line" if name == "share.rest" else _shade(weight), f"{word}: {rounded(weight, 5)}"
        marks.append(rect(x, y, room * weight, 12, fill, name=name, tip=tip, grow=True))
        x += room * weight
    marks.append(rect(left, y, room, 12, stroke="line"))
    marks.append(text("Σ", left - 8, y + 10, anchor="end", bold=True))
    return [*marks, text(f"{weights.sum():.3f}", left + room + 6, y + 10, size=11, bold=True, name="whole")]


def _shade(weight: float) -> str:
    return f"scale:{max(0.15, float(weight))}"


def _kin(name: str, j: int, column: int) -> str:
    """What the steps before and after know this bar as."""
    if name == "score":
        return f"token.{j}"
    return "product" if j == column else f"product.{j}"


def _mix(cell: Cell, keys: Sequence[str], say: Say, hidden: bool) -> tuple[list[Mark], float]:
    places, high, left = shown(cell.weights, cell.column), 15, 132
    size, added = (WIDE - left) / cell.values.shape[1], cell.weights[:, None] * cell.values
    most = float(abs(added).max())
    marks = [text(say("step.mix.heading"), 0, 13, bold=True)]
    for place, j in enumerate(places):
        y = 22 + place * high
        kin, small = f"token.{j}", {"size": 11, "anchor": "end"}
        marks.append(text(keys[j], left - 50, y + 11, **small, kin=f"{kin} label"))
        marks.append(text(f"{fixed(cell.weights[j])} ·", left - 6, y + 11, **small, kin=f"{kin} number"))
        row = cells(added[j], left, y, size, name=f"α·v ({keys[j]})", high=high - 2, most=most, kin=kin)
        marks.append(row)
    down = _framed(marks, places, cell.column, high)
    marks.append(line([(left, down + 4), (WIDE, down + 4)]))
    marks.append(text("z", left - 6, down + 20, anchor="end", bold=True))
    skip = 1 if hidden else 0
    mixed = cell.mixed[cell.head]
    marks.append(cells(mixed[skip:], left + skip * size, down + 9, size, name="z", high=16, first=1 + skip))
    if skip:
        marks.append(text("?", left + size / 2, down + 21, anchor="middle", bold=True))
    return _note(marks, down + 30, places, keys, say)


def _output(cell: Cell, say: Say, hidden: bool) -> tuple[list[Mark], float]:
    size, marks = (WIDE - 24) / cell.mixed.shape[1], [text(say("step.output.heads"), 0, 13)]
    most = float(abs(cell.mixed).max())
    for head, mixed in enumerate(cell.mixed):
        y = 20 + head * 13
        marks.append(rect(0, y, 16, 11, f"head:{head}", name=f"head.{head}"))
        marks.append(text(str(head + 1), 8, y + 9, size=9, anchor="middle", fill="paper"))
        kin = "z" if head == cell.head else f"z.{head}"
        marks.append(cells(mixed, 22, y, size, name=f"z, {head + 1}", high=12, most=most, kin=kin))
    down = 20 + 13 * len(cell.mixed)
    marks.append(rect(-2, 18 + cell.head * 13, WIDE + 2, 15, on=True))
    marks.append(text(say("step.output.one", head=cell.head + 1), 0, down + 20))
    marks.append(block(f"W_O, {cell.head + 1}", cell.written[cell.head], 0, down + 27, WIDE / BLOCK, THIN))
    down += 27 + rows(cell.output) * THIN
    marks.append(text(say("step.output.all"), 0, down + 20))
    marks += covered("o", cell.output, down + 27, hidden)
    return marks, down + 27 + rows(cell.output) * THIN + 4


def _add(cell: Cell, say: Say, hidden: bool) -> tuple[list[Mark], float]:
    marks, down = [], 0.0
    for name, vector in (("x", cell.stream), ("o", cell.output), ("x + o", cell.total), ("y", cell.after)):
        said = {"mean": fixed(vector.mean()), "spread": fixed(vector.std())}
        key = {"x": "stream", "o": "output", "x + o": "total", "y": "after"}[name]
        cover = hidden and name == "y"
        heading = say(
            f"step.add.{key}", mean="?" if cover else said["mean"], spread="?" if cover else said["spread"]
        )
        marks.append(text(heading, 0, down + 13))
        marks += covered(name, vector, down + 19, cover)
        down += 19 + rows(vector) * THIN + 12
    return marks, down


def _framed(marks: list[Mark], places: list[int], column: int, high: float) -> float:
    """Frame the chosen position; the lower edge of the rows."""
    marks.append(rect(-3, 21 + places.index(column) * high, WIDE + 3, high, on=True, round=3, name="chosen"))
    return 22 + high * len(places)


def _note(
    marks: list[Mark], down: float, places: list[int], keys: Sequence[str], say: Say
) -> tuple[list[Mark], float]:
    if len(places) < len(keys):
        marks.append(
            text(say("step.some", shown=len(places), all=len(keys)), 0, down + 16, size=11, fill="faint")
        )
        down += 20
    return marks, down + 6
