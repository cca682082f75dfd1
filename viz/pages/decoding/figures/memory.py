"""The two KV caches at one step: what is computed now, what is reused, and what no cache would mean."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from viz.figures.drawing import Drawing, Mark, rect, text
from viz.figures.numbers import count
from viz.figures.svg import fitting, width
from viz.pages.decoding.numbers.memory import Kept, window

Say = Callable[..., str]
NOW, BEFORE, LATER = "mark", "line", "none"  # computed at this step, reused, not there yet
EDGE = {NOW: "none", BEFORE: "none", LATER: "line"}
LEANING, STEEP, NAMELESS = 44, 17, 12.5  # pixels of a column under which its name leans, more, or is left out


class Sheet(NamedTuple):
    """How the picture is laid out; on a telephone, what is said of a grid stands above it."""

    wide: float
    left: float
    right: float
    most: int  # columns
    beside: bool
    high: float  # of a cell


SCREEN = Sheet(wide=1120, left=140, right=150, most=128, beside=True, high=21)
TELEPHONE = Sheet(wide=360, left=16, right=0, most=26, beside=False, high=20)


class Cached(NamedTuple):
    """One kind of attention: the positions that it remembers, by name, and how many of them are there."""

    kind: str  # self | cross
    labels: Sequence[str]
    there: int  # positions read so far
    new: int  # of these, the last ones are computed at this step


def caches(kept: Kept, read: Sequence[str], source: Sequence[str], say: Say) -> Drawing:
    """`read` are all tokens that the decoder reads in this run, `source` those of the sentence."""
    both = (
        Cached("self", read, kept.read, 1),
        Cached("cross", source, kept.source, kept.new_source),
    )
    wide, narrow = (_sheet(sheet, kept, both, say) for sheet in (SCREEN, TELEPHONE))
    return Drawing(wide.wide, wide.high, wide.title, wide.marks, narrow=narrow)


def _sheet(sheet: Sheet, kept: Kept, both: Sequence[Cached], say: Say) -> Drawing:
    marks, y = _legend(sheet, say)
    longest = max(len(each.labels) for each in both)
    column = min(64.0, (sheet.wide - sheet.left - sheet.right) / min(longest, sheet.most))
    for each in both:
        drawn, y = _block(sheet, kept, each, column, y, say)
        marks += drawn
    return Drawing(sheet.wide, y, say("decoding.memory.title"), tuple(marks))


def _legend(sheet: Sheet, say: Say) -> tuple[list[Mark], float]:
    marks: list[Mark] = []
    x, y = (sheet.left if sheet.beside else 0.0), 0.0
    for key, fill in (("now", NOW), ("before", BEFORE), ("later", LATER)):
        words = say(f"decoding.memory.{key}")
        room = width(words, 12, None) + 34
        if x + room > sheet.wide and x:
            x, y = 0.0, y + 18
        marks.append(rect(x, y + 2, 16, 12, fill, stroke="line", round=2))
        marks.append(text(words, x + 22, y + 12, size=12))
        x += room
    return marks, y + 26


def _block(
    sheet: Sheet, kept: Kept, each: Cached, column: float, y: float, say: Say
) -> tuple[list[Mark], float]:
    """A heading, the names of the positions, and the two grids: with the cache and without."""
    shown = window(len(each.labels), each.there - 1 if each.kind == "self" else 0, sheet.most)
    ends = {"first": shown[0] + 1, "last": shown[-1] + 1, "count": len(each.labels)}
    part = say("decoding.memory.part", **ends) if len(shown) < len(each.labels) else ""
    marks, y = _heading(sheet, each.kind, part, y, say)
    if not sheet.beside:
        marks.append(_line(kept, each, "with", y, say))
        y += 16
    names, y = _names(sheet, each, shown, column, y)
    marks += names
    top = y
    for way, computed in (("with", each.new), ("without", each.there)):
        if sheet.beside:
            marks += _beside(sheet, kept, each, way, y, say)
        marks += _cells(sheet, each, kept, way, each.there - computed, shown, column, y, say)
        y += 2 * sheet.high + 9
    if each.kind == "self":
        marks += _columns(sheet, each, kept, shown, column, (top - 3, y - 7), say)
    if not sheet.beside:
        marks.append(_line(kept, each, "without", y - 3, say))
        y += 14
    return marks, y + 10


def _heading(sheet: Sheet, kind: str, part: str, y: float, say: Say) -> tuple[list[Mark], float]:
    """What is remembered here, when it is made, and which part is drawn: side by side where there is room."""
    words, note = say(f"decoding.memory.{kind}"), say(f"decoding.memory.{kind}.note")
    left = sheet.left if sheet.beside else 0
    if part and sheet.beside:
        words = f"{words} ({part})"
    marks = [text(words, left, y + 12, size=13, bold=True, name=f"{kind}.heading")]
    if sheet.beside:
        left += width(words, 13.5, None) + 12
    else:
        y += 16
    marks.append(text(note, left, y + 12, size=12, fill="faint"))
    if part and not sheet.beside:
        y += 16
        marks.append(text(part, left, y + 12, size=12, fill="faint"))
    return marks, y + 18


def _names(
    sheet: Sheet, each: Cached, shown: range, column: float, y: float
) -> tuple[list[Mark], float]:  # fmt: skip
    """Over each column the token; those not read yet have no name."""
    named = [place for place in shown if place < each.there]
    latest = each.there - 1 if each.kind == "self" else -1
    if column < NAMELESS:
        named = [place for place in named if place == latest]
    leans = NAMELESS <= column < LEANING
    angle = 45 if column >= STEEP else 60
    longest = max((width(each.labels[place], 11) for place in shown), default=0)
    tall = 0.95 * longest * math.sin(math.radians(angle)) if leans else 4
    marks = []
    for place in named:
        x = sheet.left + (place - shown[0] + 0.5) * column
        words = each.labels[place]
        look = {"size": 11.5, "bold": place == latest, "name": f"{each.kind}.word.{place}"}
        if leans:
            marks.append(text(words, x, y + tall + 6, turn=-angle, **look))
        else:
            words = fitting(words, column, 11.5) if column >= LEANING else words
            marks.append(text(words, x, y + 10, anchor="middle", **look))
    return marks, y + tall + 12


def _counts(kept: Kept, each: Cached, way: str, say: Say) -> dict[str, str]:
    """How many numbers of this cache the step computes and reuses, in words."""
    computed = each.new if way == "with" else each.there
    positions = {"computed": computed, "reused": each.there - computed}
    if way == "without":
        del positions["reused"]  # nothing is, ever
    return {
        key: say(f"decoding.memory.{key}", count=count(number * kept.position))
        for key, number in positions.items()
    }


def _line(kept: Kept, each: Cached, way: str, y: float, say: Say) -> Mark:
    """All that is said of a grid, on a telephone."""
    counts = " · ".join(_counts(kept, each, way, say).values())
    words = f"{say(f'decoding.memory.{way}')}: {counts}"
    return text(words, 0, y + 11, size=12, name=f"{each.kind}.{way}.said")


def _beside(sheet: Sheet, kept: Kept, each: Cached, way: str, y: float, say: Say) -> list[Mark]:
    """To the left of a grid what it is, to the right its numbers."""
    counts, middle = _counts(kept, each, way, say), y + sheet.high + 3
    marks = [text(say(f"decoding.memory.{way}"), sheet.left - 30, middle, size=12, anchor="end")]
    for place, (key, words) in enumerate(counts.items()):
        down = middle + (place - (len(counts) - 1) / 2) * 16
        new = key == "computed" and (way == "without" or each.new)
        look = {"fill": "mark" if new else "faint", "bold": bool(new), "name": f"{each.kind}.{way}.{key}"}
        marks.append(text(words, sheet.wide - sheet.right + 12, down, size=12, **look))
    return marks


def _cells(
    sheet: Sheet, each: Cached, kept: Kept, way: str, reused: int, shown: range, column: float, y: float,
    say: Say,
) -> list[Mark]:  # fmt: skip
    """A row of keys and a row of values. What the source's say, they say themselves: they are no steps."""
    marks = []
    gap = 2 if column > 10 else 0.5
    for row, letter in enumerate("KV"):
        at = y + row * sheet.high
        marks.append(text(letter, sheet.left - 6, at + sheet.high / 2 + 3, size=11, anchor="end"))
        for place in shown:
            fill = BEFORE if place < reused else NOW if place < each.there else LATER
            more = {"name": f"{each.kind}.{way}.{letter}.{place}"}
            if each.kind == "cross":
                more["tip"] = _tip(each, kept, place, f"decoding.memory.source.{way}", say)
            x = sheet.left + (place - shown[0]) * column
            marks.append(rect(x, at, column - gap, sheet.high - 2, fill, round=2, stroke=EDGE[fill], **more))
    return marks


def _columns(
    sheet: Sheet, each: Cached, kept: Kept, shown: range, column: float, span: tuple[float, float], say: Say
) -> list[Mark]:
    """Over each column a frame to pick: the step that reads this token."""
    marks = []
    for place in shown:
        key = "decoding.memory.not_yet" if place >= each.there else "decoding.memory.column"
        x = sheet.left + (place - shown[0]) * column - 2
        marks.append(
            rect(x, span[0], column + 2 * (column > 10), span[1] - span[0], "none", round=3, pick=place,
                 tip=_tip(each, kept, place, key, say), on=place == each.there - 1, name=f"step.{place}")
        )  # fmt: skip
    return marks


def _tip(each: Cached, kept: Kept, place: int, key: str, say: Say) -> str:
    sizes = {"layers": kept.layers, "width": kept.width}
    return say(key, step=place + 1, token=each.labels[place], **sizes)
