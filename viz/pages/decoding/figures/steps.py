"""Pictures of one step: the words so far, what may come next, and where every head looks now."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from viz.figures.charts import bars
from viz.figures.drawing import Drawing, Mark, line, moved, rect, small_map, text
from viz.figures.numbers import count, fixed
from viz.figures.svg import LETTER, width
from viz.pages.decoding.figures.choosing import share
from viz.pages.decoding.numbers.steps import Next

Say = Callable[..., str]
LINE = 44  # pixels from one line of the strip to the next
LINES = 3  # of a strip
BROAD = "mwMW"  # letters that are wider than others
STRIP, NARROW_STRIP = 1180, 360
NEXT_WIDE, NEXT_HIGH = 420, 24
BLOCKS, NARROW_BLOCK, BLOCK_HIGH = 640, 350, 200
ASIDE = 22  # pixels for the numbers of the layers
LEGIBLE = 10  # pixels of a column under which it has no name


def strip(
    labels: Sequence[str], chances: Sequence[float], at: int, chosen: Sequence[int], say: Say,
    most: int = LINES,
) -> Drawing:  # fmt: skip
    """What has been written, the token that is being written, and room for those to come; each is a step.

    Of a translation of more than `most` lines, those around the step.
    """
    narrow, wide = (_strip(labels, chances, at, chosen, say, room, most) for room in (NARROW_STRIP, STRIP))
    return Drawing(wide.wide, wide.high, wide.title, wide.marks, narrow=narrow)


def _strip(
    labels: Sequence[str], chances: Sequence[float], at: int, chosen: Sequence[int], say: Say, wide: float,
    most: int,
) -> Drawing:  # fmt: skip
    marks: list[Mark] = []
    rooms = [max(30.0, width(label, LETTER) + 14 + 4 * _broad(label)) for label in labels]
    lines = _lines(rooms, wide)
    here = next(number for number, steps in enumerate(lines) if at in steps)
    first = max(0, min(here - most // 2, len(lines) - most))
    shown = lines[first : first + most]
    for number, steps in enumerate(shown):
        x = 0.0
        for step in steps:
            told = {"token": labels[step], "chance": share(chances[step])}
            later = step > at
            tip = say("decoding.steps.later" if later else "decoding.steps.token", step=step + 1, **told)
            place = (x, number * LINE, rooms[step])
            marks += _token(labels[step], chances[step], *place, step, at, step in chosen, tip)
            x += rooms[step] + 5
    high = len(shown) * LINE
    if len(shown) < len(lines):
        part = {"first": shown[0].start + 1, "last": shown[-1].stop, "count": len(labels)}
        marks.append(text(say("decoding.memory.part", **part), 0, high + 8, size=11, fill="faint"))
        high += 14
    return Drawing(wide, high, say("decoding.steps.strip"), tuple(marks))


def _broad(label: str) -> int:
    return sum(label.count(letter) for letter in BROAD)


def _lines(rooms: Sequence[float], wide: float) -> list[range]:
    """The steps that stand in each line.

    >>> _lines([40.0, 40.0, 40.0], 100)
    [range(0, 2), range(2, 3)]
    """
    starts, x = [0], 0.0
    for step, room in enumerate(rooms):
        if x and x + room > wide:
            starts.append(step)
            x = 0.0
        x += room + 5
    return [range(*ends) for ends in zip(starts, [*starts[1:], len(rooms)], strict=True)]


def _token(
    label: str, chance: float, x: float, y: float, room: float, step: int, at: int, own: bool, tip: str
) -> list[Mark]:
    """A box; how sure the model was is the length of the line below it."""
    later = step > at
    fill, stroke = ("panel" if step == at else "paper"), ("mark" if step == at else "line")
    box = rect(
        x, y + 2, room, 28, fill, stroke=stroke, round=5, tip=tip, pick=step, on=step == at,
        name=f"step.{step}",
    )  # fmt: skip
    if later:
        return [box]
    colour = "mark" if own else "ink"
    return [
        box,
        text(label, x + room / 2, y + 21, anchor="middle", bold=step == at, fill=colour, name=f"word.{step}"),
        rect(x, y + 33, max(1.0, room * chance), 3, "ink", name=f"sure.{step}"),
    ]


def next_tokens(found: Next, labels: Sequence[str], say: Say) -> Drawing:
    """The likeliest tokens as bars, and one for all others; a click writes that token instead."""
    last = say("decoding.steps.others", count=count(found.others))
    values, names = [*found.probabilities, found.rest], [f"next.{id}" for id in found.ids]
    marks = bars(
        values, [*labels, last], wide=NEXT_WIDE, high=NEXT_HIGH, y=4, most=1.0, written="{}",
        names=[*(f"bar.{id}" for id in found.ids), "others"],
        fills=["mark" if place == found.written else "ink" for place in range(len(labels))] + ["faint"],
    )  # fmt: skip
    for number, value in zip(marks[2::3], values, strict=True):  # each is a name, a bar and a number
        number["text"] = share(value)
    for place, (id, name) in enumerate(zip(found.ids, names, strict=True)):
        # The whole row answers: the bar of a rare token is thinner than any pointer.
        tip, y = marks[3 * place + 1]["tip"], 4 + place * NEXT_HIGH
        chosen = place == found.written
        marks.append(rect(0, y + 0.5, NEXT_WIDE, NEXT_HIGH - 1, "none", round=4, tip=tip, pick=id,
                          on=chosen, name=name))  # fmt: skip
    return Drawing(NEXT_WIDE, 10 + NEXT_HIGH * len(values), say("decoding.steps.next"), tuple(marks))


class Looking(NamedTuple):
    """One kind of attention at this step."""

    kind: str
    weights: np.ndarray  # (L · H, keys)
    keys: Sequence[str]
    chosen: int | None  # the head that is looked at, counted through all layers


def heads_now(kinds: Sequence[Looking], heads: int, say: Say) -> Drawing:
    """Every head of these kinds as one row: rows are layers and heads, columns what can be looked at."""
    gap = 26
    wide = (BLOCKS - gap * (len(kinds) - 1)) / len(kinds)
    marks: list[Mark] = []
    for place, each in enumerate(kinds):
        marks += _block(each, heads, place * (wide + gap), wide, say)
    narrow: list[Mark] = []
    tall = _tall(kinds, NARROW_BLOCK)
    for place, each in enumerate(kinds):
        narrow += moved(_block(each, heads, 0, NARROW_BLOCK, say), 0, place * tall)
    title = say("decoding.steps.heads")
    below = Drawing(NARROW_BLOCK, tall * len(kinds), title, tuple(narrow))
    return Drawing(BLOCKS, _tall(kinds, wide), title, tuple(marks), narrow=below)


def _tall(kinds: Sequence[Looking], wide: float) -> float:
    """How high a block is with the names below it, which lean."""
    named = [key for each in kinds if _column(each, wide) >= LEGIBLE for key in each.keys]
    return BLOCK_HIGH + 40 + 0.77 * max((width(key, 11) for key in named), default=0)


def _column(each: Looking, wide: float) -> float:
    return min((wide - ASIDE) / len(each.keys), 46.0)


def _block(each: Looking, heads: int, x: float, wide: float, say: Say) -> list[Mark]:
    rows, keys = each.weights.shape
    left, top = x + ASIDE, 22
    high, column = BLOCK_HIGH / rows, _column(each, wide)
    marks: list[Mark] = [text(say(f"decoding.steps.{each.kind}"), x, 12, size=11, bold=True)]
    for layer in range(rows // heads):
        y = top + layer * heads * high
        marks.append(text(str(layer + 1), x + 14, y + heads * high / 2 + 4, size=11, anchor="end"))
        if layer:
            marks.append(line([(x + 18, y), (left + column * keys, y)], "line", thick=0.5))
    for row, weights in enumerate(each.weights):
        best = int(weights.argmax())
        layer, head = divmod(row, heads)
        tip = say(
            "decoding.steps.looks", layer=layer + 1, head=head + 1, at=each.keys[best],
            weight=fixed(float(weights[best]), 4),
        )  # fmt: skip
        pick = [each.kind, layer, head]
        said = {"name": f"{each.kind}.{layer}.{head}", "pick": pick, "on": row == each.chosen, "tip": tip}
        marks.append(rect(left, top + row * high, column * keys, high, "paper", **said))
    marks.append(small_map(each.weights, left, top, column * keys, BLOCK_HIGH, name=f"map.{each.kind}"))
    if each.chosen is not None:
        frame = (left - 1, top + each.chosen * high - 0.5, column * keys + 2, high + 1)
        marks.append(rect(*frame, "none", stroke="mark", name="chosen"))
    if column >= LEGIBLE:
        for place, key in enumerate(each.keys):
            at = left + (place + 0.5) * column
            marks.append(text(key, at + 3, top + BLOCK_HIGH + 10, size=11, turn=-50, anchor="end"))
    return marks
