"""Two rows of tokens over the same steps: given the right words, and on its own; and what comes next."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from viz.figures.charts import bars
from viz.figures.drawing import Drawing, Mark, line, moved, rect, text
from viz.figures.numbers import fixed, percent, signed
from viz.figures.svg import LETTER, fitting, width
from viz.pages.decoding.figures.choosing import share
from viz.pages.decoding.numbers.given import Beside, Listed, Row, window

Say = Callable[..., str]
WIDE, NARROW = 1180, 360
MOST, MOST_NARROW = 34, 18  # steps that are drawn at once
TALL, APART = 158, 74  # from one line to the next, and from the upper row to the lower
TOP = 18  # above the boxes of a row: what the row is
SMALL, WIDEST, SPARE = 11, 150, 34  # a short line is spread, by so much a token at most
BARS, BARS_HIGH, GAP = 350, 22, 40


class Words(NamedTuple):
    """The tokens of both rows as readers see them, and what the model would say instead of the given ones."""

    right: Sequence[str]
    own: Sequence[str]
    best: Sequence[str]  # in each place of the given row


def rows(found: Beside, words: Words, at: int, say: Say) -> Drawing:
    """Both rows, one above the other; where they part, a line; the step that is looked at is framed."""
    narrow = _rows(found, words, at, say, NARROW, MOST_NARROW)
    wide = _rows(found, words, at, say, WIDE, MOST)
    return Drawing(wide.wide, wide.high, wide.title, wide.marks, narrow=narrow)


def _rows(found: Beside, words: Words, at: int, say: Say, wide: float, most: int) -> Drawing:
    shown = window(found.steps, at, most)
    marks: list[Mark] = []
    top, lines = 0.0, _lines([(step, _room(found, words, step)) for step in shown], wide)
    for number, steps in enumerate(lines):
        marks += _titles(found, top, number == 0, say)
        x = 0.0
        for step, room in steps:
            if step == found.parts:
                marks += _parting(x, top, wide, say)
            marks += _given(found, words, step, at, x, top + TOP, room, say)
            marks += _alone(found, words, step, at, x, top + TOP + APART, room, say)
            x += room + 6
        top += TALL
    if len(shown) < found.steps:
        # A telephone has no room for what keys and clicks do.
        key = "decoding.memory.part" if wide == NARROW else "decoding.given.window"
        part = {"first": shown[0] + 1, "last": shown[-1] + 1, "all": found.steps, "count": found.steps}
        marks.append(text(say(key, **part), 0, top + 6, size=SMALL, fill="faint", name="window"))
        top += 16
    return Drawing(wide, top, say("decoding.given.rows"), tuple(marks))


def _lines(rooms: Sequence[tuple[int, float]], wide: float) -> list[list[tuple[int, float]]]:
    """Steps with the room that each takes, line by line."""
    lines: list[list[tuple[int, float]]] = [[]]
    x = 0.0
    for step, room in rooms:
        if x and x + room > wide:
            lines.append([])
            x = 0.0
        lines[-1].append((step, room))
        x += room + 6
    spare = min(SPARE, (wide - x) / len(rooms)) if len(lines) == 1 else 0.0
    return [[(step, room + spare) for step, room in each] for each in lines]


def _room(found: Beside, words: Words, step: int) -> float:
    """As wide as the widest that stands in this column."""
    labels = [row[step] for row in (words.right, words.own) if step < len(row)]
    room = max(width(label, LETTER) for label in labels) + 18
    if _differs(found, step):
        room = max(room, width(_instead(found, words, step), SMALL) + 4)
    return min(WIDEST, max(44.0, room))


def _differs(found: Beside, step: int) -> bool:
    """Whether the model would have said something else in this place of the given row."""
    return step < len(found.right.ids) and int(found.right.best[step]) != found.right.ids[step]


def _instead(found: Beside, words: Words, step: int) -> str:
    return f"↳ {words.best[step]} {_short(_chance(found.right.best_log_probs[step]))}"


def _titles(found: Beside, top: float, first: bool, say: Say) -> list[Mark]:
    """What the rows are, with their totals; only said once."""
    if not first:
        return []
    made: list[Mark] = []
    for name, each, y in (("right", found.right, top), ("own", found.own, top + APART)):
        said = say(f"decoding.given.{name}", total=signed(each.total, 4))
        made.append(text(said, 0, y + 11, size=SMALL, fill="faint", name=f"total.{name}"))
    return made


def _parting(x: float, top: float, wide: float, say: Say) -> list[Mark]:
    """The line between what both have in common and what they have not."""
    said, low = say("decoding.given.parts"), top + TALL - 12
    room = width(said, SMALL)
    at = min(x, wide - room)
    return [
        line([(x - 3, top + TOP - 2), (x - 3, low - 13)], "mark", thick=2, dash=True, name="parting"),
        text(said, max(0.0, at - 3), low, size=SMALL, fill="mark", bold=True, name="parts"),
    ]


def _given(
    found: Beside, words: Words, step: int, at: int, x: float, y: float, room: float, say: Say
) -> list[Mark]:
    if step >= len(found.right.ids):
        return []
    chance, label = _chance(found.right.log_probs[step]), words.right[step]
    tip = say("decoding.given.tip.right", step=step + 1, token=label, **_numbers(found.right, step))
    marks: list[Mark] = []
    if _differs(found, step):
        instead, sure = words.best[step], _chance(found.right.best_log_probs[step])
        more = say("decoding.given.tip.instead", token=instead, chance=percent(sure, 2))
        tip = f"{tip} · {more}"
        shown = fitting(_instead(found, words, step), room, SMALL)
        marks.append(text(shown, x + 2, y + 52, size=SMALL, fill="faint", tip=more, name=f"instead.{step}"))
    moves = _moves(step, len(found.right.ids), 1)
    moves |= {"ArrowDown": -step - 1} if step < len(found.own.ids) else {}
    said = {"name": f"right.{step}", "pick": step, "on": step == at, "tip": tip, "moves": moves}
    return _token(label, chance, x, y, room, found, step, said) + marks


def _alone(
    found: Beside, words: Words, step: int, at: int, x: float, y: float, room: float, say: Say
) -> list[Mark]:
    if step >= len(found.own.ids):
        return []
    chance, label = _chance(found.own.log_probs[step]), words.own[step]
    tip = say("decoding.given.tip.own", step=step + 1, token=label, **_numbers(found.own, step))
    moves = _moves(step, len(found.own.ids), -1)
    moves |= {"ArrowUp": step} if step < len(found.right.ids) else {}
    said = {"name": f"own.{step}", "pick": -step - 1, "on": step == at, "tip": tip, "moves": moves}
    return _token(label, chance, x, y, room, found, step, said)


def _numbers(row: Row, step: int) -> dict[str, str]:
    log_prob = float(row.log_probs[step])
    return {"chance": percent(_chance(log_prob), 2), "log_prob": signed(log_prob, 4)}


def _moves(step: int, count: int, side: int) -> dict[str, int]:
    """The neighbours in a row, as picks: those of the lower row count from −1 down."""
    pick = (lambda place: place) if side > 0 else (lambda place: -place - 1)
    before = {"ArrowLeft": pick(step - 1)} if step else {}
    return before | ({"ArrowRight": pick(step + 1)} if step + 1 < count else {})


def _token(
    label: str, chance: float, x: float, y: float, room: float, found: Beside, step: int, said: dict
) -> list[Mark]:
    """A box; how likely the token is stands below it, as a line and as a number."""
    here = step == found.parts
    fill = "panel" if here else "paper"
    shown = fitting(label, room - 8, LETTER)
    colour = "mark" if here else "ink"
    return [
        rect(x, y, room, 26, fill, stroke="mark" if here else "line", round=5, **said),
        text(shown, x + room / 2, y + 18, anchor="middle", bold=here, fill=colour),
        rect(x, y + 29, max(1.0, room * chance), 3, "ink", name=f"sure.{said['name']}"),
        text(_short(chance), x + 2, y + 41, size=10, name=f"chance.{said['name']}"),
    ]


def _chance(log_prob: float) -> float:
    return math.exp(log_prob)


def _short(chance: float) -> str:
    return fixed(chance, 2) if chance >= 0.005 else "< 0.01"


class Block(NamedTuple):
    """What may come next after some words."""

    name: str
    title: str
    listed: Listed
    labels: Sequence[str]


def following(blocks: Sequence[Block], say: Say) -> Drawing:
    """The likeliest next tokens of each block, side by side; the one that stands there is coloured."""
    high = 24 + BARS_HIGH * max(len(each.labels) for each in blocks)
    marks: list[Mark] = []
    narrow: list[Mark] = []
    for number, each in enumerate(blocks):
        marks += moved(_block(each, BARS), number * (BARS + GAP), 0)
        narrow += moved(_block(each, NARROW), 0, number * (high + 10))
    title, many = say("decoding.given.next"), len(blocks)
    small = Drawing(NARROW, many * (high + 10), title, tuple(narrow))
    return Drawing(BARS * 2 + GAP, high, title, tuple(marks), narrow=small)


def _block(block: Block, wide: float) -> list[Mark]:
    found = block.listed
    fills = ["mark" if place == found.here else "ink" for place in range(len(found.ids))]
    labels = [fitting(label, 120, LETTER) for label in block.labels]
    drawn = bars(
        found.probabilities, labels, y=20, wide=wide, high=BARS_HIGH, most=1.0, written="{:.2%}", fills=fills,
        names=[f"{block.name}.{id}" for id in found.ids],
    )  # fmt: skip
    for mark, value in zip(drawn[2::3], found.probabilities, strict=True):  # each: a name, a bar, a number
        mark["text"] = share(value)
    return [text(fitting(block.title, wide, LETTER), 0, 12, bold=True, name=f"title.{block.name}"), *drawn]
