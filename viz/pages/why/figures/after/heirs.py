"""Figure 1 of the paper five times: the parts that an heir keeps are lit, and those it changes otherwise."""

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from viz.figures.drawing import Drawing, Mark, line, moved, rect, small_map, text
from viz.figures.svg import fitting, width
from viz.pages.why.numbers.after.heirs import DECODER, ENCODER, HEIRS, Heir

Say = Callable[..., str]
FILLS = {"kept": "series:0", "changed": "series:1", "gone": "none"}
WORDS = {"kept": "paper", "changed": "paper", "gone": "faint"}
SEEN = 5  # positions of the small picture of who may look at whom
TITLE = 30  # pixels


class Sheet(NamedTuple):
    """How large the boxes of one figure are."""

    box: float
    high: float
    gap: float
    letter: float

    @property
    def wide(self) -> float:
        return 2 * self.box + 3 * self.gap

    @property
    def tall(self) -> float:
        return TITLE + (len(DECODER) + 1) * (self.high + self.gap) + self.gap


SCREEN = Sheet(106, 22, 9, 10.5)
TELEPHONE = Sheet(160, 30, 10, 13)
BETWEEN, CHIP = 14, 34


def heirs(chosen: str, say: Say) -> Drawing:
    """All side by side; on a telephone the chosen one below the names of all."""
    marks: list[Mark] = []
    for place, (name, heir) in enumerate(HEIRS.items()):
        x = place * (SCREEN.wide + BETWEEN)
        on = name == chosen
        marks.append(
            rect(x, 0, SCREEN.wide, SCREEN.tall, "none", stroke="line", round=6, pick=name, on=on,
                 label=heir.title, tip=heir.source, name=name)
        )  # fmt: skip
        marks += moved(_figure(SCREEN, name, heir, say), x, 0)
    legend, high = _legend(SCREEN.tall + 8, say)
    wide = len(HEIRS) * (SCREEN.wide + BETWEEN) - BETWEEN
    title = say("export.why_after_heirs")
    return Drawing(wide, high, title, tuple(marks + legend), narrow=_narrow(chosen, title, say))


def _narrow(chosen: str, title: str, say: Say) -> Drawing:
    words = {name: width(heir.title, 12) for name, heir in HEIRS.items()}
    more = (TELEPHONE.wide - sum(words.values())) / len(words)  # room around each name
    marks: list[Mark] = []
    x = 0.0
    for name, heir in HEIRS.items():
        on, wide = name == chosen, words[name] + more
        marks.append(
            rect(x + 1, 2, wide - 3, CHIP - 8, "none", stroke="line", round=5, pick=name, on=on,
                 label=heir.title, tip=heir.source, name=name)
        )  # fmt: skip
        marks.append(text(heir.title, x + wide / 2, 19, anchor="middle", bold=on))
        x += wide
    marks += moved(_figure(TELEPHONE, chosen, HEIRS[chosen], say), 0, CHIP)
    legend, high = _legend(CHIP + TELEPHONE.tall + 4, say)
    return Drawing(TELEPHONE.wide, high, title, tuple(marks + legend))


def _figure(sheet: Sheet, name: str, heir: Heir, say: Say) -> list[Mark]:
    marks = [
        text(heir.title, sheet.gap, 20, size=14, bold=True),
        text(str(heir.year), sheet.wide - sheet.gap, 20, size=12, anchor="end", fill="faint"),
    ]
    for place, parts in enumerate((ENCODER, (*DECODER, "output"))):
        x = sheet.gap + place * (sheet.box + sheet.gap)
        for row, part in enumerate(parts):
            marks += _box(sheet, name, heir, part, x, _down(sheet, row), say)
        marks += _joints(sheet, heir, parts, x)
    return marks + _memory(sheet, heir)


def _down(sheet: Sheet, row: int) -> float:
    """The embedding stands at the bottom, as in the paper."""
    return sheet.tall - (row + 1) * (sheet.high + sheet.gap)


def _box(sheet: Sheet, name: str, heir: Heir, part: str, x: float, y: float, say: Say) -> list[Mark]:
    state = heir.state(part)
    named = part.replace(".", "_")
    changed = state == "changed"
    words = say(f"why.after.changed.{heir.changed[part]}") if changed else say(f"why.after.part.{named}")
    attends = state == "kept" and part in ("encoder.attention", "decoder.attention", "decoder.cross")
    icon = sheet.high - 8 if attends else 0
    room = sheet.box - 10 - icon
    marks = [
        rect(x, y, sheet.box, sheet.high, FILLS[state], round=4, stroke="line" if state == "gone" else "none",
             name=f"{name}.{part}"),
        text(fitting(words, room, sheet.letter * 0.85), x + 6, y + sheet.high / 2 + sheet.letter * 0.36,
             size=sheet.letter, fill=WORDS[state]),
    ]  # fmt: skip
    if attends:
        seen = np.tri(SEEN, dtype=bool) if part in heir.causal else np.ones((SEEN, SEEN), bool)
        left, top = x + sheet.box - icon - 4, y + 4
        marks.append(rect(left, top, icon, icon, "paper"))
        marks.append(
            small_map(
                np.full((SEEN, SEEN), 0.55), left, top, icon, icon, seen=seen, name=f"{name}.{part}.seen"
            )
        )
    return marks


def _joints(sheet: Sheet, heir: Heir, parts: tuple[str, ...], x: float) -> list[Mark]:
    """From each lit part up to the next one, past those that are left out."""
    lit = [row for row, part in enumerate(parts) if heir.state(part) != "gone"]
    middle, right = x + sheet.box / 2, x + sheet.box
    marks = []
    for row, above in pairwise(lit):
        low, high = _down(sheet, row), _down(sheet, above)
        points = [(middle, low), (middle, high + sheet.high)]
        if above > row + 1:
            aside, half = right + sheet.gap / 2, sheet.high / 2
            points = [(right, low + half), (aside, low + half), (aside, high + half), (right, high + half)]
        marks.append(line(points, "faint"))
    return marks


def _memory(sheet: Sheet, heir: Heir) -> list[Mark]:
    """From the encoder's top to the cross-attention; or to the output, where there is no decoder."""
    top, cross = len(ENCODER) - 1, DECODER.index("decoder.cross")
    if heir.state("encoder.attention") == "gone":
        return []
    to = cross if heir.state("decoder.cross") == "kept" else len(DECODER)
    x, edge = sheet.gap + sheet.box / 2, 2 * sheet.gap + sheet.box
    up = _down(sheet, top) - sheet.gap / 2
    middle = edge - sheet.gap / 2
    y = _down(sheet, to) + sheet.high / 2
    points = [(x, _down(sheet, top)), (x, up), (middle, up), (middle, y), (edge, y)]
    return [line(points, "faint")]


def _legend(y: float, say: Say) -> tuple[list[Mark], float]:
    marks: list[Mark] = []
    x = 0.0
    for state, fill in FILLS.items():
        marks.append(rect(x, y, 14, 14, fill, round=3, stroke="line" if state == "gone" else "none"))
        words = say(f"why.after.state.{state}")
        marks.append(text(words, x + 20, y + 11, size=11))
        x += width(words, 11, None) + 40
    return marks, y + 20
