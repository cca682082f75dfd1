"""One row of a text: what the model expects next with its memory and without, and one score in its terms."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from viz.figures.charts import bars
from viz.figures.drawing import Drawing, Mark, line, rect, text
from viz.figures.numbers import fixed, percent, signed
from viz.figures.svg import LETTER, fitting, width
from viz.pages.why.figures.memory import STROKES
from viz.pages.why.numbers.memory import TERMS, Cell, Expected

Say = Callable[..., str]
WIDE, NARROW, GAP = 524, 360, 18
ROW, HEAD = 20, 24  # pixels of a bar, and of what stands above the first
NAME, NUMBER = 84, 50  # the most that a name takes, and what a number takes


def next_pieces(
    with_memory: Sequence[Expected], without: Sequence[Expected], labels: Callable[[int], str], title: str,
    say: Say,
) -> Drawing:  # fmt: skip
    """Both lists side by side, on one scale; the piece that does come is marked."""
    wide, narrow = (
        _lists(room, {"memory": with_memory, "emptied": without}, labels, title, say)
        for room in (WIDE, NARROW)
    )
    return replace(wide, narrow=narrow)


def _lists(
    wide: float, lists: dict[str, Sequence[Expected]], labels: Callable[[int], str], title: str, say: Say
) -> Drawing:
    half = (wide - GAP) / 2
    most = max(each.chance for found in lists.values() for each in found)
    marks: list[Mark] = []
    for place, (way, found) in enumerate(lists.items()):
        x = place * (half + GAP)
        marks.append(text(say(f"why.memory.next.{way}"), x, 12, size=LETTER, bold=True))
        for row, each in enumerate(found):
            y = (
                HEAD + row * ROW + (6 if each.place > row else 0)
            )  # what stands apart is not among the likeliest
            marks += _bar(each, labels(each.id), way, (x, y), half, most, say)
    rows = max(map(len, lists.values()))
    return Drawing(wide, HEAD + rows * ROW + 10, title, tuple(marks))


def _bar(
    each: Expected, word: str, way: str, at: tuple[float, float], wide: float, most: float, say: Say
) -> list[Mark]:
    x, y = at
    room = wide - NAME - NUMBER
    key = "why.memory.next.came" if each.came else "why.memory.next.tip"
    tip = say(key, word=word, chance=chance(each.chance), place=each.place + 1)
    name = f"{way}.{each.id}"
    marks = [
        text(fitting(word, NAME - 8, LETTER), x + NAME - 8, y + 14, anchor="end", bold=each.came, name=name),
        rect(x + NAME, y + 3, max(1.0, room * each.chance / most), ROW - 6, STROKES[way], tip=tip,
             name=f"{name}.bar"),
        text(chance(each.chance), x + NAME + room + 6, y + 14, size=11, bold=each.came,
             name=f"{name}.number"),
    ]  # fmt: skip
    if each.came:
        marks.append(rect(x, y, wide, ROW, "none", stroke="mark", round=3, tip=tip, name=f"{name}.came"))
    return marks


def chance(share: float) -> str:
    """How likely one piece is: small chances get the digits that tell them from nothing.

    >>> chance(0.2234), chance(0.00034), chance(0.00002)
    ('22.3%', '0.03%', '<0.01%')
    """
    return "<0.01%" if share < 1e-4 else percent(share, 1 if share >= 1e-2 else 2)


def terms(cell: Cell, title: str, say: Say) -> Drawing:
    """The four terms of one score as bars to both sides of zero, and below a line their sum."""
    wide, narrow = (_terms(room, cell, title, say) for room in (WIDE, NARROW))
    return replace(wide, narrow=narrow)


def _terms(wide: float, cell: Cell, title: str, say: Say) -> Drawing:
    short = wide == NARROW
    names = [
        say(f"why.memory.term.{term}.short") if short else say(f"why.memory.term.{term}") for term in TERMS
    ]
    names.append(say("why.memory.score"))
    values = [*map(float, cell.terms), cell.score]
    room = max(width(name, LETTER) for name in names) + 10
    marks = bars(
        values, names, wide=wide, high=ROW, label_wide=room, names=[*TERMS, "score"],
        fills=[f"change:{1 if value >= 0 else -1}" for value in values[:-1]] + ["ink"],
    )  # fmt: skip
    y = ROW * len(TERMS)
    marks.append(line([(0, y), (wide, y)], "line"))
    said = say("why.memory.weight", score=signed(cell.score), weight=fixed(cell.weight))
    marks.append(text(said, 0, y + ROW + 16, size=11, fill="faint"))
    return Drawing(wide, y + ROW + 22, title, tuple(marks))
