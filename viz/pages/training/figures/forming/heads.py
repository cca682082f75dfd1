"""Every head of one kind as a small map of the example; above it what the model writes now."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np

from model.training.toys.film import Film, Frame
from viz.figures.drawing import Drawing, Mark, line, moved, rect, small_map, text
from viz.figures.numbers import percent
from viz.figures.svg import fitting, width

Say = Callable[..., str]
SIZE = 11  # of words
GAP, HEADING, ARROW = 14, 20, 18
LEGIBLE = 6.2  # pixels of a cell under which its row or column has no name
APART = 28  # between two trainings beside each other
LETTER = 0.93  # of what is set aside for a letter, where a heading must fit


class Sheet(NamedTuple):
    wide: float
    most: int  # maps in a row, where there are up to four heads
    cell: float  # at most
    tall: float  # a map, at most


SCREEN, HALF, TELEPHONE = Sheet(720, 4, 21, 190), Sheet(400, 2, 18, 130), Sheet(352, 2, 19, 190)


@dataclass(frozen=True)
class Shown:
    """One frame of a film, and what is asked to be seen of it."""

    film: Film
    frame: Frame
    kind: str
    name: str  # of this training where two stand beside each other
    picks: bool  # whether a click switches a head


def heads(trainings: Sequence[Shown], say: Say) -> Drawing:
    """One training or two side by side; on a telephone the second stands below the first."""
    several, title = len(trainings) > 1, say("forming.heads", kind=say(f"kind.{trainings[0].kind}"))
    blocks = [_block(each, HALF if several else SCREEN, number, say) for number, each in enumerate(trainings)]
    small = [_block(each, TELEPHONE, number, say) for number, each in enumerate(trainings)]
    beside = [mark for number, (block, _) in enumerate(blocks)
              for mark in moved(block, number * (HALF.wide + APART), 0)]  # fmt: skip
    below = [mark for number, (block, _) in enumerate(small)
             for mark in moved(block, 0, sum(high for _, high in small[:number]))]  # fmt: skip
    wide = len(blocks) * (HALF.wide + APART) - APART if several else SCREEN.wide
    narrow = Drawing(TELEPHONE.wide, sum(high for _, high in small), title, tuple(below))
    return Drawing(wide, max(high for _, high in blocks), title, tuple(beside), narrow=narrow)


def labels(film: Film, kind: str, say: Say) -> tuple[list[str], list[str]]:
    """The words of rows and columns: a decoder's row is named by the word that it predicts or, looking at
    its own side, by the one that it reads."""
    end, start = say("piece.end"), say("piece.start")
    source, target = [*film.example.source, end], [*film.example.target, end]
    read = [start, *film.example.target]
    return {"encoder": (source, source), "decoder": (target, read), "cross": (target, source)}[kind]


def _block(shown: Shown, sheet: Sheet, number: int, say: Say) -> tuple[list[Mark], float]:
    """The maps of one training, a line of them a layer, and how high they are."""
    layers, count, rows, columns = shown.frame.maps[shown.kind].shape
    row_words, column_words = labels(shown.film, shown.kind, say)
    left = max(width(word, SIZE) for word in row_words) + 8
    across = min(count, sheet.most * (2 if count > 4 or (layers > 1 and sheet is HALF) else 1))
    room = (sheet.wide - left - GAP * (across - 1)) / across
    cell = min(sheet.cell, room / columns, sheet.tall / rows)
    named = cell >= LEGIBLE
    size = min(SIZE, max(7.5, cell - 0.5))
    names = 0.8 * max(width(word, size) for word in column_words) + 10 if named else 4
    marks, y = _strip(shown, sheet, number, say)
    for layer, head in np.ndindex(layers, count):
        if head % across == 0 and (layer or head):
            y += HEADING + rows * cell + names
        x = left + head % across * (columns * cell + GAP)
        if head % across == 0 and named:
            marks += _row_names(row_words, left - 6, y + HEADING, cell, size)
        marks += _map(shown, layer, head, (x, y), cell, number, say)
        if named:
            marks += _column_names(column_words, x, y + HEADING + rows * cell, cell, size)
    return marks, y + HEADING + rows * cell + names + 8


def _strip(shown: Shown, sheet: Sheet, number: int, say: Say) -> tuple[list[Mark], float]:
    """The example, and under it what the model makes of it now: what is wrong stands out."""
    example, frame = shown.film.example, shown.frame
    step = say("forming.step", step=frame.step)
    told = f"{shown.name} · {step}" if shown.name else f"{step} · {_seed(shown, say)}"
    marks: list[Mark] = [
        text(told, 0, 11, size=12, bold=bool(shown.name), fill="faint", name=f"step.{number}"),
        text(" ".join(example.source), 0, 29, size=13, name=f"source.{number}"),
        text("→", 0, 49, size=13, fill="faint"),
    ]
    x, answer = float(ARROW), " ".join(example.target)
    for words, fits in _runs(frame.written[: len(example.target) + 2], example.target):
        if x + width(words, 14, None) > sheet.wide:  # of so wrong an answer, what has room
            words = fitting(words, sheet.wide - x, 14)
        marks.append(text(words, x, 49, size=14, bold=True, fill="ink" if fits else "change:-1"))
        x += width(words, 14, None) + 5
        if x > sheet.wide - ARROW:
            break
    if frame.written == example.target:
        marks.append(text("✓", x, 49, size=14, bold=True, fill="mark", name=f"right.{number}"))
    right = say("forming.right", answer=answer)
    # A line of its own where both are long, also once they agree: maps must not jump while one watches.
    apart = ARROW + 1.6 * width(answer, 14, None) + width(right, 12, None) > sheet.wide
    if frame.written != example.target:
        at = (float(ARROW), 66.0) if apart else (x + 4, 49.0)
        marks.append(text(right, *at, size=12, fill="faint", name=f"wrong.{number}"))
    return marks, 78 if apart else 61


def _seed(shown: Shown, say: Say) -> str:
    return say("forming.seed", seed=shown.film.recipe.seed)


def _runs(written: Sequence[str], target: Sequence[str]) -> list[tuple[str, bool]]:
    """What is written, in stretches that are right or wrong.

    >>> _runs(("big", "cats", "see"), ("small", "cats", "see", "birds"))
    [('big', False), ('cats see', True)]
    """
    fits = [place < len(target) and target[place] == word for place, word in enumerate(written)]
    stretches = groupby(zip(written, fits, strict=True), key=lambda each: each[1])
    return [(" ".join(word for word, _ in words), right) for right, words in stretches]


def _map(
    shown: Shown, layer: int, head: int, at: tuple[float, float], cell: float, number: int, say: Say
) -> list[Mark]:
    weights = shown.frame.maps[shown.kind][layer, head].astype(float)
    (rows, columns), (x, y) = weights.shape, at
    top, wide, high = y + HEADING, columns * cell, rows * cell
    place = (shown.kind, layer, head)
    silent, several = place in shown.frame.silent, shown.frame.looks.shape[0] > 1
    name = say("forming.head.layered" if several else "forming.head", layer=layer + 1, head=head + 1)
    share = shown.frame.looks[layer, head] if shown.kind == "cross" else np.nan
    said = name if np.isnan(share) else say("forming.head.share", head=name, share=percent(share, 0))
    key = ".".join(map(str, (*place, number) if number else place))
    more = {"name": f"head.{key}", "tip": _tip(shown, said, silent, say), "on": silent}
    if shown.picks:
        more["pick"] = list(place)
    best = shown.kind == "cross" and not np.isnan(share) and (layer, head) == shown.frame.best
    heading = _heading(name, "" if np.isnan(share) else percent(share, 0), wide, silent, say)
    marks = [
        rect(x, y + 3, 9, 9, f"head:{head}", round=2),
        text(
            heading,
            x + 13,
            y + 12,
            size=SIZE,
            bold=best,
            fill="faint" if silent else "ink",
            name=f"name.{key}",
        ),
        rect(x - 1, top - 1, wide + 2, high + 2, "paper", stroke="line", **more),
        small_map(weights, x, top, wide, high, name=f"map.{key}", seen=seen(shown.kind, rows, columns)),
    ]
    if shown.kind == "cross" and cell >= 6:
        true = [(row, place) for row, place in enumerate(shown.film.example.true) if place is not None]
        inner = cell * 0.3
        marks += [
            rect(x + column * cell + inner, top + row * cell + inner, cell - 2 * inner, cell - 2 * inner,
                 "none", stroke="change:-1")
            for row, column in true
        ]  # fmt: skip
    if silent:
        marks.append(line([(x, top + high), (x + wide, top)], "mark", thick=2))
    return marks


def _heading(name: str, share: str, wide: float, silent: bool, say: Say) -> str:
    """As much as has room over a map."""
    said = say("forming.off", head=name) if silent else f"{name} · {share}" if share else name
    return said if width(said, SIZE * LETTER, None) <= wide + GAP - 14 else name.split()[-1]


def _tip(shown: Shown, said: str, silent: bool, say: Say) -> str:
    if not shown.picks:
        return said
    return f"{said} {say('forming.switch.on' if silent else 'forming.switch.off')}"


def seen(kind: str, rows: int, columns: int) -> np.ndarray:
    return np.tri(rows, columns, dtype=bool) if kind == "decoder" else np.ones((rows, columns), bool)


def _row_names(words: Sequence[str], x: float, y: float, cell: float, size: float) -> list[Mark]:
    return [
        text(word, x, y + (row + 0.5) * cell + size / 3, size=size, anchor="end")
        for row, word in enumerate(words)
    ]


def _column_names(words: Sequence[str], x: float, y: float, cell: float, size: float) -> list[Mark]:
    return [
        text(word, x + (place + 0.5) * cell + 4, y + 11, size=size, turn=-50, anchor="end")
        for place, word in enumerate(words)
    ]
