"""The likeliest tokens of one step as pairs of bars: before and after sharpening and cutting."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from viz.figures.drawing import Drawing, Mark, line, rect, text
from viz.figures.numbers import count, percent
from viz.figures.svg import LETTER, fitting, width
from viz.pages.decoding.numbers.choosing import TOP_K, TOP_P, Choice

Say = Callable[..., str]

WIDE, NARROW = 700, 356
HIGH, TOP = 24, 40  # pixels a row; of legend and axis above them
SMALL = 11  # letters of numbers and notes
LABEL = {WIDE: 150, NARROW: 96}  # the most that a token's name takes
SCALES = (0.05, 0.1, 0.2, 0.5, 1.0)  # what the right end of the axis can be
OTHERS = "others"


class Row(NamedTuple):
    """One token, or all others together."""

    name: str
    word: str
    before: float
    after: float
    cut: str
    pick: int | None
    written: bool


class Sheet(NamedTuple):
    """Where things stand, from left to right: names, bars, numbers, and why a token was cut."""

    wide: int
    left: float  # where bars begin
    room: float  # of the longest bar
    most: float  # its probability


def bars(found: Choice, labels: Sequence[str], say: Say) -> Drawing:
    """One row a token, and one for all others; a click writes that token."""
    rows = [
        Row(str(id), labels[place], found.before[place], found.after[place], found.cut[place], id,
            place == found.written)
        for place, id in enumerate(found.ids)
    ]  # fmt: skip
    others = say("decoding.choosing.others", count=count(found.others))
    rows.append(Row(OTHERS, others, *found.rest, "", None, False))
    return replace(_drawing(rows, WIDE, say), narrow=_drawing(rows, NARROW, say))


def share(chance: float) -> str:
    """A share that may be very small: digits as far as they tell something.

    >>> share(0.4132), share(0.000432), share(4e-6), share(3e-9), share(0)
    ('41.3%', '0.04%', '0.0004%', '< 0.0001%', '0')
    """
    if not chance:
        return "0"
    if chance < 1e-6:
        return "< 0.0001%"
    return percent(chance, 1 if chance >= 0.00995 else 2 if chance >= 0.0000995 else 4)


def _drawing(rows: Sequence[Row], wide: int, say: Say) -> Drawing:
    left = min(LABEL[wide], max(width(row.word, LETTER) for row in rows)) + 10
    beside = max(width(_numbers(row, wide, say), SMALL, None) for row in rows) + 6
    if wide == WIDE:
        # Wherever the cut falls, the bars keep their length.
        reasons = (say(f"decoding.choosing.cut.{cut}") for cut in (TOP_K, TOP_P))
        beside = 150 + 12 + max(width(reason, SMALL) for reason in reasons)
    largest = max(max(row.before, row.after) for row in rows)
    most = next((scale for scale in SCALES if scale >= largest), 1.0)
    sheet = Sheet(wide, left, wide - left - beside, most)
    marks = _legend(sheet, say) + _axis(sheet, len(rows))
    for place, row in enumerate(rows):
        marks += _row(row, TOP + place * HIGH, sheet, say)
    return Drawing(wide, TOP + HIGH * len(rows) + 2, say("decoding.choosing.title"), tuple(marks))


def _row(row: Row, y: float, sheet: Sheet, say: Say) -> list[Mark]:
    """A token's name, its two bars and its numbers; what was cut keeps its first bar, in grey."""
    left, scale = sheet.left, sheet.room / sheet.most
    faint = "faint" if row.cut or row.pick is None else "ink"
    fill = "mark" if row.written else faint
    marks = [
        text(fitting(row.word, left - 10, LETTER), left - 8, y + 17, anchor="end", bold=row.written,
             fill=faint, name=f"token.{row.name}"),
        rect(left, y + 3, max(0.75, row.before * scale), 7, "panel", stroke="line",
             name=f"before.{row.name}"),
    ]  # fmt: skip
    if row.after:
        length = max(0.75, row.after * scale)
        marks.append(rect(left, y + 11, length, 9, fill, name=f"after.{row.name}"))
    end = sheet.wide - 4 if sheet.wide == NARROW else left + sheet.room + 150
    numbers = _numbers(row, sheet.wide, say)
    marks.append(text(numbers, end, y + 17, size=SMALL, anchor="end", fill=faint, name=f"numbers.{row.name}"))
    if row.cut and sheet.wide == WIDE:
        reason = say(f"decoding.choosing.cut.{row.cut}")
        marks.append(text(reason, end + 8, y + 17, size=SMALL, fill="faint", name=f"cut.{row.name}"))
    key = f"decoding.choosing.tip.{row.cut}" if row.cut else "decoding.choosing.tip"
    tip = say(key, token=row.word, before=percent(row.before, 3), after=percent(row.after, 3))
    picks = {} if row.pick is None else {"pick": row.pick, "on": row.written}
    # The whole row answers, not only the bars.
    whole = rect(0, y + 1, sheet.wide, HIGH - 2, "none", round=4, tip=tip, name=f"row.{row.name}", **picks)
    return [*marks, whole]


def _numbers(row: Row, wide: float, say: Say) -> str:
    both = f"{share(row.before)} → {share(row.after)}"
    # A telephone has no room for a sentence beside it.
    return f"{both} ({say(f'decoding.choosing.{row.cut}')})" if row.cut and wide == NARROW else both


def _legend(sheet: Sheet, say: Say) -> list[Mark]:
    before, after = say("decoding.choosing.before"), say("decoding.choosing.after")
    left = sheet.left if sheet.wide == WIDE else 2
    beside = left + 22 + width(before, SMALL) + 14
    return [
        rect(left, 4, 16, 7, "panel", stroke="line"),
        text(before, left + 21, 12, size=SMALL),
        rect(beside, 3, 16, 9, "ink"),
        text(after, beside + 21, 12, size=SMALL),
    ]


def _axis(sheet: Sheet, rows: int) -> list[Mark]:
    marks: list[Mark] = []
    for part in (0, 0.5, 1):
        x = sheet.left + sheet.room * part
        marks.append(line([(x, TOP - 4), (x, TOP + rows * HIGH)], "line", thick=0.5))
        at = percent(sheet.most * part, 1 if sheet.most < 0.1 and part else 0)
        marks.append(text(at, x, TOP - 9, size=SMALL, anchor="middle", fill="faint"))
    return marks
