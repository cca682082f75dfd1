"""Heads by what breaks without them: the map of names, one head over all phenomena, heads × phenomena."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from viz.figures.charts import legend
from viz.figures.drawing import Drawing, Mark, line, rect, text
from viz.figures.numbers import percent, signed
from viz.figures.svg import fitting, width
from viz.state.causal import Effect, Where

CELL, HIGH, LEFT = 82, 31, 26
ROW, WIDE = 19, 420
Say = Callable[..., str]
Names = Mapping[tuple[int, int], Sequence[tuple[str, str]]]  # by layer and head: name and family


class Row(NamedTuple):
    """One bar of a list of effects: of one head over phenomena, or of one phenomenon over heads."""

    name: str
    key: str
    pick: Any  # what a click on it asks for
    on: bool
    effect: Effect


def block(
    kind: str, layers: int, heads: int, names: Names, quiet: Mapping[tuple[int, int], str], title: str,
    chosen: tuple[int, int] | None, head_name: Callable[[str, int, int], str],
) -> Drawing:  # fmt: skip
    """One kind of attention: named heads in the tint of their family, the first layer on top."""
    marks: list[Mark] = [text(title, 0, 13, bold=True)]
    for head in range(heads):
        marks.append(
            text(str(head + 1), LEFT + (head + 0.5) * CELL, 30, size=11, anchor="middle", fill="faint")
        )
    for layer in range(layers):
        y = 36 + layer * HIGH
        marks.append(text(str(layer + 1), LEFT - 10, y + HIGH / 2 + 3, size=11, anchor="end", fill="faint"))
        for head in range(heads):
            marks += _cell(kind, layer, head, names.get((layer, head), ()), quiet.get((layer, head), ""),
                           (layer, head) == chosen, head_name)  # fmt: skip
    return Drawing(LEFT + heads * CELL, 40 + layers * HIGH, title, tuple(marks))


def _cell(
    kind: str, layer: int, head: int, names: Sequence[tuple[str, str]], quiet: str, on: bool,
    head_name: Callable[[str, int, int], str],
) -> list[Mark]:  # fmt: skip
    x, y, room = LEFT + head * CELL, 36 + layer * HIGH, CELL - 10
    fill = f"family:{names[0][1]}" if names else "none"
    marks = [rect(x, y, CELL - 3, HIGH - 3, fill, stroke="line", round=4)]
    lines = _lines(names[0][0], room) if names else []
    for place, words in enumerate(lines):
        at = y + (HIGH - 3) / 2 + 4 + (place - (len(lines) - 1) / 2) * 12
        marks.append(text(words, x + (CELL - 3) / 2, at, size=11, anchor="middle"))
    if len(names) > 1:
        marks.append(
            text(f"+{len(names) - 1}", x + CELL - 6, y + HIGH - 7, size=9, anchor="end", fill="faint")
        )
    if not names and quiet:
        words = fitting(quiet, room, 10)
        marks.append(text(words, x + (CELL - 3) / 2, y + 19, size=10, anchor="middle", fill="faint"))
    tip = " · ".join([head_name(kind, layer, head), *(name for name, _ in names), *filter(None, [quiet])])
    marks.append(
        rect(x, y, CELL - 3, HIGH - 3, round=4, pick=[kind, layer, head], on=on, tip=tip,
             name=f"{kind}.{layer}.{head}")
    )  # fmt: skip
    return marks


def _lines(name: str, room: float) -> list[str]:
    """A name on one line, or on two."""
    words = name.split()
    if width(name, 10) <= room or len(words) == 1:  # letters are a little narrower than we reckon
        return [fitting(name, room + 8, 11)]
    cut = min(range(1, len(words)), key=lambda at: abs(len(" ".join(words[:at])) - len(name) / 2))
    return [fitting(" ".join(part), room + 8, 11) for part in (words[:cut], words[cut:])]


def family_legend(families: Sequence[tuple[str, str]], title: str) -> Drawing:
    """Every family with its tint: key and name."""
    marks: list[Mark] = []
    x = y = 0.0
    for key, name in families:
        room = width(name, 11) + 30
        if x and x + room > 680:
            x, y = 0.0, y + 18
        marks.append(rect(x, y + 2, 14, 12, f"family:{key}", stroke="line", round=3))
        marks.append(text(name, x + 19, y + 12, size=11, name=f"family.{key}"))
        x += room
    return Drawing(680, y + 18, title, tuple(marks))


def effects(rows: Sequence[Row], title: str, say: Say) -> Drawing:
    """What the head's silence takes of every gap: interval, the untrained twin, the other heads of its layer.

    The scale is the whole gap: what is drawn long matters, and noise is not drawn as drama.
    """
    left = max((width(row.name, 12) for row in rows), default=0) + 12
    room = WIDE - left - 50
    marks: list[Mark] = [
        text(say("named.axis.none"), left, 11, size=10, fill="faint"),
        text(say("named.axis.all"), left + room, 11, size=10, anchor="end", fill="faint"),
    ]
    for place, row in enumerate(rows):
        marks += _effect(row, 16 + place * ROW, left, room, say)
    bottom = 16 + ROW * len(rows)
    marks.append(line([(left, 14), (left, bottom)], "line"))
    named = [(say("named.legend.value"), "mark", False), (say("named.legend.null"), "change:-1", True),
             (say("named.legend.others"), "change:-1", False)]  # fmt: skip
    more, down = legend(named, 0, bottom + 4, WIDE)
    return Drawing(WIDE, bottom + down + 8, title, tuple(marks + more))


def _effect(row: Row, y: float, left: float, room: float, say: Say) -> list[Mark]:
    name, effect = row.name, row.effect

    def at(change: float) -> float:
        return left + room * min(1.0, max(0.0, -change / effect.gap))

    tip = say(
        "named.effect.tip", name=name, share=percent(effect.share), change=signed(effect.value),
        low=signed(effect.low), high=signed(effect.high), gap=signed(effect.gap), n=effect.n,
    )  # fmt: skip
    marks = [
        text(name, left - 8, y + 13, anchor="end", bold=effect.role),
        rect(left, y + 3, room, ROW - 7, "panel"),
        rect(left, y + 3, max(at(effect.value) - left, 0.75), ROW - 7, "mark" if effect.role else "faint",
             name=f"effect.{row.key}"),
        line([(at(effect.low), y + 9), (at(effect.high), y + 9)], "ink", thick=1.5),
    ]  # fmt: skip
    for value, dash in ((effect.null, True), (effect.others and -effect.others, False)):
        if value is not None:
            marks.append(
                line([(at(value), y + 1), (at(value), y + ROW - 2)], "change:-1", thick=2, dash=dash)
            )
    marks.append(text(signed(effect.value), WIDE, y + 13, size=11, anchor="end"))
    marks.append(rect(0, y, WIDE, ROW, tip=tip, pick=row.pick, on=row.on, name=f"pick.{row.key}"))
    return marks


def matrix(
    heads: Sequence[tuple[Where, str]], phenomena: Sequence[tuple[str, str]], lost: np.ndarray,
    roles: set[tuple[Where, str]], title: str, *, chosen: Where, sort: str, say: Say,
) -> Drawing:  # fmt: skip
    """Heads × phenomena: the share of the gap that goes with each head; what is a role is framed."""
    left = max((width(name, 12) for _, name in heads), default=0) + 14
    top = max((width(name, 12) for _, name in phenomena), default=0) * 0.72 + 30
    cell, high = 36.0, 20
    marks: list[Mark] = []
    for column, (key, name) in enumerate(phenomena):
        x = left + column * cell
        marks.append(text(name, x + cell / 2, top - 28, turn=-45, bold=key == sort))
        marks.append(
            text(
                "▾",
                x + cell / 2 - 1,
                top - 8,
                size=11,
                anchor="middle",
                fill="ink" if key == sort else "faint",
            )
        )
        marks.append(
            rect(x, top - 22, cell - 2, 18, pick=["sort", key], on=key == sort, name=f"sort.{key}", round=3,
                 tip=say("matrix.sort.tip", name=name))
        )  # fmt: skip
    for row, (head, name) in enumerate(heads):
        y = top + row * high
        marks.append(text(name, left - 8, y + 13, anchor="end", bold=head == chosen))
        for column, (key, said) in enumerate(phenomena):
            share = float(lost[row, column])
            name_of_cell = f"{'.'.join(map(str, head))}.{key}"
            marks.append(
                rect(left + column * cell, y, cell - 2, high - 2, f"change:{-share:.3f}", round=2,
                     stroke="ink" if (head, key) in roles else "none",
                     tip=f"{name}, {said}: {percent(share)}", name=name_of_cell)
            )  # fmt: skip
        marks.append(
            rect(0, y - 1, left - 4, high, pick=["head", *head], on=head == chosen, tip=name,
                 name=f"head.{'.'.join(map(str, head))}")
        )  # fmt: skip
    wide = left + cell * len(phenomena) + top * 0.75
    return Drawing(wide, top + high * len(heads) + 4, title, tuple(marks))
