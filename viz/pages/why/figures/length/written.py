"""One sentence and what each of the five made of it, a row each, to be picked."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from viz.figures.drawing import Drawing, Mark, rect, text
from viz.figures.numbers import fixed, signed
from viz.figures.svg import LETTER, fitting, width
from viz.pages.why.figures.length import STROKES

Say = Callable[..., str]
RUNNING = 0.92  # words in a row run narrower than single letters do
LINE, LINES = 18, 4  # pixels of a line of a translation, and as many as are shown
BAR = 64  # pixels of a score of 100


class Written(NamedTuple):
    """What one of them wrote."""

    name: str
    words: str
    log_prob: float  # of a piece, by its own lights
    near: float  # chrF against the translation above: 100 is the same


class Sheet(NamedTuple):
    """Where things stand in a row; on a telephone below each other."""

    wide: float
    words: tuple[float, float]  # left and right edge of the translation
    near: float  # where the two numbers stand
    log_prob: float
    stacked: bool


SCREEN = Sheet(1120, (254, 862), 884, 1036, False)
TELEPHONE = Sheet(360, (12, 352), 12, 200, True)


def written(rows: Sequence[Written], chosen: str, say: Say) -> Drawing:
    """The rows can be picked by their names."""
    wide, narrow = (_sheet(sheet, rows, chosen, say) for sheet in (SCREEN, TELEPHONE))
    return Drawing(wide.wide, wide.high, wide.title, wide.marks, narrow=narrow)


def broken(words: str, room: float, lines: int = LINES) -> list[str]:
    """A text in lines that fit; what has no room ends in three dots.

    >>> broken("one two three four", 60, 2)
    ['one two', 'three…']
    """
    found: list[str] = [""]
    for word in words.split():
        longer = f"{found[-1]} {word}".strip()
        if found[-1] and width(longer, LETTER, None) * RUNNING > room:
            found.append(word)
        else:
            found[-1] = longer
    shown = [fitting(line, room / RUNNING, LETTER) for line in found[:lines]]
    if len(found) > lines:
        shown[-1] = f"{shown[-1].removesuffix('…')}…"
    return shown


def _sheet(sheet: Sheet, rows: Sequence[Written], chosen: str, say: Say) -> Drawing:
    marks, y = _headings(sheet, say)
    for row in rows:
        drawn, y = _row(sheet, row, row.name == chosen, y, say)
        marks += drawn
    return Drawing(sheet.wide, y + 2, say("why.length.written"), tuple(marks))


def _headings(sheet: Sheet, say: Say) -> tuple[list[Mark], float]:
    if sheet.stacked:
        return [], 2
    look = {"size": 11, "fill": "faint"}
    return [
        text(say("why.length.near"), sheet.near, 12, **look),
        text(say("why.length.sure"), sheet.log_prob, 12, **look),
    ], 20


def _row(sheet: Sheet, row: Written, on: bool, y: float, say: Say) -> tuple[list[Mark], float]:
    left, right = sheet.words
    lines = broken(row.words or say("why.length.nothing"), right - left)
    top = y + (LINE if sheet.stacked else 0)
    end = top + LINE * len(lines) + (LINE if sheet.stacked else 0) + 8
    tip = f"{say(f'network.{row.name}')}: {row.words}"
    ground = rect(
        1, y, sheet.wide - 2, end - y - 2, "panel" if on else "none", round=4, pick=row.name, on=on, tip=tip,
        name=f"row.{row.name}",
    )  # fmt: skip
    marks = [ground, rect(8, y + 5, 5, 12, STROKES[row.name], round=1)]
    marks.append(text(say(f"network.{row.name}"), 20, y + 15, bold=True, name=f"{row.name}.name"))
    fill = "ink" if row.words else "faint"
    marks += [
        text(line, left, top + 15 + LINE * place, fill=fill, name=f"{row.name}.line.{place}")
        for place, line in enumerate(lines)
    ]
    return [*marks, *_numbers(sheet, row, y if not sheet.stacked else end - LINE - 6, say)], end


def _numbers(sheet: Sheet, row: Written, y: float, say: Say) -> list[Mark]:
    near, sure = fixed(row.near, 0), signed(row.log_prob)
    if sheet.stacked:
        words = say("why.length.numbers", near=near, sure=sure)
        return [text(words, sheet.near, y + 13, size=11, fill="faint", name=f"{row.name}.numbers")]
    bar = BAR * row.near / 100
    return [
        rect(sheet.near, y + 5, BAR, 11, "panel", round=2),
        rect(sheet.near, y + 5, max(bar, 0.75), 11, STROKES[row.name], round=2),
        text(near, sheet.near + BAR + 8, y + 15, name=f"{row.name}.near"),
        text(sure, sheet.log_prob, y + 15, name=f"{row.name}.sure"),
    ]
