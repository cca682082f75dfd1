"""What a row remembers from tile to tile: m, the rescale, ℓ and O; at its end O ÷ ℓ and the model's own."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from viz.figures.drawing import Drawing, Mark, cells, line, rect, text
from viz.figures.numbers import compact, signed
from viz.figures.svg import fitting
from viz.pages.why.figures.tiles import Shown, span
from viz.pages.why.numbers.tiles import Line, Walk

Say = Callable[..., str]
HIGH, HEAD = 24, 22  # pixels of a line and of the heading
MOST = 12  # lines at once


class Sheet(NamedTuple):
    """Where the columns end, and where the cells of O begin and end."""

    wide: float
    name: float  # the right edge of the words
    largest: float | None
    m: float
    rescale: float
    total: float
    mixed: tuple[float, float]


SCREEN = Sheet(640, 172, 236, 290, 396, 448, (464, 636))
TELEPHONE = Sheet(350, 92, None, 134, 190, 234, (244, 348))


def course(shown: Shown, mixed: np.ndarray, say: Say) -> Drawing:
    """Each line can be picked by its tile; `mixed` is what the model itself computed for this row."""
    narrow, wide = (_sheet(shown, mixed, sheet, say) for sheet in (TELEPHONE, SCREEN))
    return Drawing(wide.wide, wide.high, wide.title, wide.marks, narrow=narrow)


def window(count: int, at: int, most: int = MOST) -> range:
    """As many lines as there is room for, with this one among them.

    >>> window(5, 4, most=3), window(2, 0, most=3)
    (range(2, 5), range(0, 2))
    """
    first = max(0, min(at - most // 2, count - most))
    return range(first, min(count, first + most))


def _sheet(shown: Shown, mixed: np.ndarray, sheet: Sheet, say: Say) -> Drawing:
    walk, lines = shown.walk, shown.walk.lines
    places = window(len(lines), min(walk.at, len(lines) - 1))
    marks = _heading(sheet, len(lines), places, say)
    most = max(float(abs(each.mixed).max()) for each in lines)
    y = float(HEAD)
    for place in places:
        marks += _line(sheet, walk, lines[place], place, shown.keys, y, most, say)
        y += HIGH
    marks.append(line([(0, y + 2), (sheet.wide, y + 2)], "line"))
    marks += _end(sheet, walk, mixed, y + 6, say)
    title = say("why.tiles.course", word=shown.queries[walk.row])
    return Drawing(sheet.wide, y + 6 + 2 * HIGH, title, tuple(marks))


def _heading(sheet: Sheet, count: int, places: range, say: Say) -> list[Mark]:
    part = {"first": places.start + 1, "last": places.stop, "count": count}
    whole = len(places) == count
    name = say("why.tiles.tile") if whole else say("why.tiles.part", **part)
    marks = [text(fitting(name, sheet.name, 11), 0, 14, size=11, fill="faint")]
    signs = {"m": "m", "total": "ℓ"} | ({"rescale": "× e^Δm"} if sheet is TELEPHONE else {})
    for key in ("largest", "m", "rescale", "total"):
        if (x := getattr(sheet, key)) is not None:
            words = signs.get(key) or say(f"why.tiles.{key}")
            marks.append(text(words, x, 14, size=11, anchor="end", fill="faint"))
    return [*marks, text("O", sheet.mixed[0], 14, size=11, fill="faint")]


def _line(
    sheet: Sheet, walk: Walk, each: Line, place: int, keys: Sequence[str], y: float, most: float, say: Say
) -> list[Mark]:
    """One tile; those to come have no numbers yet."""
    reached, now = place <= walk.at, place == walk.at
    words = " ".join(keys[column] for column in each.columns)
    name = f"{span(each.columns)} {words}"
    told = {"columns": span(each.columns), "words": words}
    tip = say("why.tiles.line", **told) if reached else say("why.tiles.line.later", **told)
    more = {"pick": place, "on": now, "tip": tip, "name": f"line.{place}"}
    marks = [rect(0, y + 1, sheet.wide, HIGH - 2, "none", round=3, **more)]
    look = {"size": 11.5, "fill": "ink" if reached else "faint", "bold": now}
    marks.append(text(fitting(name, sheet.name - 12, 12), 6, y + 16, **look))
    if not reached:
        return marks
    larger = each.most > each.before and place > 0
    numbers = [
        ("largest", sheet.largest, _score(each.largest), False),
        ("m", sheet.m, _score(each.most), larger),
        ("rescale", sheet.rescale, "" if math.isinf(each.before) else _rescale(each.rescale), larger),
        ("total", sheet.total, signed(each.total), False),
    ]
    for key, x, written, bold in numbers:
        if x is not None:
            more = {"size": 12, "anchor": "end", "bold": bold, "name": f"{key}.{place}"}
            marks.append(text(written, x, y + 16, fill="mark" if bold else "ink", **more))
    return [*marks, _vector(sheet, each.mixed, y, most, f"O {place + 1}")]


def _end(sheet: Sheet, walk: Walk, mixed: np.ndarray, y: float, say: Say) -> list[Mark]:
    """O ÷ ℓ once all tiles have been seen, and below it what plain attention gave."""
    place, now = len(walk.block.tiles), walk.tile is None
    most = float(abs(mixed).max())
    box = rect(0, y + 1, sheet.wide, HIGH - 2, "none", round=3, pick=place, on=now,
               tip=say("why.tiles.divided"), name=f"line.{place}")  # fmt: skip
    look = {"size": 11.5, "fill": "ink" if now else "faint"}
    words = fitting(say("why.tiles.division"), sheet.mixed[0] - 16, 11.5)
    own = fitting(say("why.tiles.own"), sheet.mixed[0] - 16, 11.5)
    marks = [box, text(words, 6, y + 16, bold=now, **look)]
    if now:
        marks.append(_vector(sheet, walk.output, y, most, "O ÷ ℓ"))
    marks.append(text(own, 6, y + HIGH + 16, size=11.5))
    return [*marks, _vector(sheet, mixed, y + HIGH, most, say("why.tiles.mixed"))]


def _vector(sheet: Sheet, vector: np.ndarray, y: float, most: float, name: str) -> Mark:
    left, right = sheet.mixed
    return cells(vector, left, y + 4, (right - left) / len(vector), high=HIGH - 8, name=name, most=most)


def _score(value: float) -> str:
    return "−∞" if math.isinf(value) else signed(value)


def _rescale(value: float) -> str:
    """1 where nothing larger came; very small ones as powers of ten.

    >>> _rescale(1.0), _rescale(0.4684), _rescale(2.4e-7)
    ('1', '0.468', '2.4 × 10⁻⁷')
    """
    return compact(value) if value < 1e-3 or value == 1 else f"{value:.3f}"
