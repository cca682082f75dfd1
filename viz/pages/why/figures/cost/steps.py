"""What can run at the same time: a stack of each kind as a plan, one line a word and one column a step."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from viz.figures.drawing import Drawing, Mark, rect, text
from viz.figures.svg import fitting
from viz.pages.why.figures.cost import COLOURS, NARROW, WIDE, Say
from viz.pages.why.numbers.cost import computed_at, steps_of

KINDS = ("recurrent", "convolutional", "attention")
MOST, MOST_NARROW = 64, 24  # words that are drawn
MOVING = 300  # cells of all plans: of more, one bar a word stands for all its layers, or nothing would move
NUMBERED = 170  # cells up to which each has room and time for a number
TITLE = 62  # pixels over a plan
LEGIBLE = 15  # pixels of a cell under which it has no number


class Room(NamedTuple):
    """One plan: where it stands, and the size of its cells."""

    x: float
    y: float
    wide: float
    high: float


class Plan(NamedTuple):
    """What all plans of a sheet share."""

    words: Sequence[str]
    total: int  # of the whole sentence
    layers: int
    until: int | None  # steps that are over; None: all
    played: int  # how often somebody wanted to see it again


def plans(words: Sequence[str], layers: int, until: int | None, played: int, say: Say) -> Drawing:
    """Cells fill from left to right as time goes on: step by step, or whatever a step has at once.

    Up to `until` all are filled. `played` tells two drawings apart that show the same, for one to move again.
    """
    wide, narrow = (
        sheet(Plan(words[:most], len(words), layers, until, played), say)
        for sheet, most in ((_wide, MOST), (_narrow, MOST_NARROW))
    )
    return Drawing(wide.wide, wide.high, wide.title, wide.marks, narrow=narrow)


def _wide(plan: Plan, say: Say) -> Drawing:
    """Three plans beside each other, under one scale: a step is as wide everywhere."""
    left, gap, top = 110, 48, TITLE
    columns = [max(4, steps_of(kind, len(plan.words), plan.layers)) for kind in KINDS]
    least = 190  # pixels that the words above a plan need
    cell = min(34.0, (WIDE - left - 2 * gap - 2 * least) / columns[0])
    high = max(7.0, min(26.0, 400 / len(plan.words)))
    marks, x = _words(plan, left - 8, top, high), float(left)
    for kind, count in zip(KINDS, columns, strict=True):
        marks += _plan(plan, kind, Room(x, top, cell, high), say)
        x += max(least, count * cell) + gap
    return _sheet(plan, WIDE, top + len(plan.words) * high, marks, say)


def _narrow(plan: Plan, say: Say) -> Drawing:
    """The recurrent plan takes the width; the two others stand below it, side by side."""
    left, high, top = 76, 15.0, TITLE
    between = (NARROW - left) / 2  # from one of the two to the other
    cell = min(24.0, (NARROW - left) / steps_of("recurrent", len(plan.words), plan.layers),
               (between - 8) / plan.layers)  # fmt: skip
    below = top + len(plan.words) * high + TITLE + 16
    marks = _words(plan, left - 6, top, high) + _words(plan, left - 6, below, high)
    spots = ((left, top), (left, below), (left + between, below))
    for kind, (x, y) in zip(KINDS, spots, strict=True):
        marks += _plan(plan, kind, Room(x, y, cell, high), say)
    return _sheet(plan, NARROW, below + len(plan.words) * high, marks, say)


def _sheet(plan: Plan, wide: float, bottom: float, marks: list[Mark], say: Say) -> Drawing:
    if len(plan.words) < plan.total:
        part = say("why.cost.steps.part", shown=len(plan.words), count=plan.total)
        marks.append(text(part, 0, bottom + 20, size=11.5, fill="faint"))
        bottom += 20
    marks.append(rect(0, bottom, 0, 0, "none", name=f"played {plan.played}"))
    return Drawing(wide, bottom + 6, say("why.cost.steps.title"), tuple(marks))


def _words(plan: Plan, right: float, top: float, high: float) -> list[Mark]:
    if high < 9:
        return []
    return [
        text(
            fitting(word, right, 11.5), right, top + (place + 0.72) * high, size=min(11.5, high), anchor="end"
        )
        for place, word in enumerate(plan.words)
    ]


def _plan(plan: Plan, kind: str, room: Room, say: Say) -> list[Mark]:
    count, layers = len(plan.words), plan.layers
    last = steps_of(kind, count, layers)
    at = computed_at(kind, count, layers)
    over = last if plan.until is None else min(plan.until, last)
    done, steps = int((at < over).sum()), steps_of(kind, plan.total, layers)
    said = say("why.cost.steps.count", steps=steps), say("why.cost.steps.done", done=done, all=at.size)
    marks = [
        text(say(f"why.cost.{kind}"), room.x, room.y - 44, size=13, bold=True),
        text(said[0], room.x, room.y - 26, size=13, name=f"{kind}.steps"),
        text(said[1], room.x, room.y - 9, size=11.5, fill="faint", name=f"{kind}.done"),
    ]
    frame = (room.x, room.y, last * room.wide, count * room.high)
    marks.append(rect(*frame, "panel", round=3, name=f"{kind}.frame"))
    marks += _cells(plan, kind, room, over, say) if at.size * 3 <= MOVING else _bars(plan, kind, room, over)
    marks += _columns(plan, kind, room, over, say)
    return marks


def _cells(plan: Plan, kind: str, room: Room, over: int, say: Say) -> list[Mark]:
    """A cell for each layer of each word, with the number of its layer."""
    marks: list[Mark] = []
    few = 3 * plan.layers * len(plan.words) <= NUMBERED
    numbered = few and min(room.wide, room.high) >= LEGIBLE
    for layer, steps in enumerate(computed_at(kind, len(plan.words), plan.layers)):
        for place, step in enumerate(steps.tolist()):
            x, y = room.x + step * room.wide, room.y + place * room.high
            if step >= over:
                continue
            marks.append(rect(x + 1, y + 1, room.wide - 2, room.high - 2, COLOURS[kind], round=2,
                              grow=kind, name=f"{kind}.{layer}.{place}"))  # fmt: skip
            if numbered:
                middle = x + room.wide / 2, y + room.high / 2 + 4
                marks.append(text(str(layer + 1), *middle, size=11, anchor="middle", fill="paper"))
    return marks


def _bars(plan: Plan, kind: str, room: Room, over: int) -> list[Mark]:
    """A bar for all layers of a word, as far as they are computed: they follow each other at once."""
    first = computed_at(kind, len(plan.words), plan.layers)[0].tolist()
    return [
        rect(room.x + step * room.wide, room.y + place * room.high + 0.5,
             min(plan.layers, over - step) * room.wide, room.high - 1, COLOURS[kind], grow=kind,
             name=f"{kind}.word.{place}")
        for place, step in enumerate(first) if step < over
    ]  # fmt: skip


def _columns(plan: Plan, kind: str, room: Room, over: int, say: Say) -> list[Mark]:
    """Over each step a frame to pick: up to here. It says how many cells run at this step.

    Arrow keys lead along the longest plan, which has all steps.
    """
    at, count = computed_at(kind, len(plan.words), plan.layers), len(plan.words)
    marks = []
    for step in range(last := steps_of(kind, count, plan.layers)):
        tip = say("why.cost.steps.tip", step=step + 1, cells=int((at == step).sum()))
        frame = (room.x + step * room.wide, room.y, room.wide, count * room.high)
        moves = {"ArrowLeft": max(1, step), "ArrowRight": min(last, step + 2)}
        more: dict[str, Any] = {"moves": moves, "on": step + 1 == over} if kind == "recurrent" else {}
        marks.append(rect(*frame, pick=step + 1, tip=tip, name=f"{kind}.step.{step}", **more))
    return marks
