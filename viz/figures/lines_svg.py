"""The head view as a drawing: who looks on the left, who is looked at on the right, true vectors."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from viz.figures.lines import LEAST, THINNEST, apart, faintest, row_height, thickest
from viz.figures.numbers import fixed
from viz.figures.palette import DARK, LIGHT, OPACITY, STROKE, Theme
from viz.figures.svg import BOLD, document, escape, tag, width, write

SIZE = 13  # of letters
MIDDLE = 340  # the width of the lines
NUMBER = 42  # the width of a number beside a word
GAP, EDGE, TOP = 6, 16, 84  # pixels: beside the lines, around the drawing, above the first word


def lines_svg(
    weights: np.ndarray,  # (H, Q, K), one a chosen head
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    heads: Sequence[int],
    mask: np.ndarray | None = None,  # (Q, K), True = may look
    combined: np.ndarray | None = None,  # (Q, K), what is written beside words; else the mean
    rows: str,
    columns: str,
    title: str,
    most: float = 1.0,
    row: int | None = None,  # only the lines of this word
    column: int | None = None,
    dark: bool = False,
) -> str:
    """Every weight of a hundredth of `most` and more as a line, one hue a head, numbered from 1.

    `rows` and `columns` are the words for those who look and those who are looked at.
    """
    if weights.shape != (len(heads), len(queries), len(keys)):
        raise ValueError(
            f"{weights.shape=} does not fit {len(heads)} heads × {len(queries)} queries × {len(keys)} keys"
        )
    if mask is not None:
        weights = np.where(mask, weights, 0)
    combined = weights.mean(0) if combined is None else combined
    theme, count = DARK if dark else LIGHT, max(len(queries), len(keys))
    hues = [theme.heads[head % len(theme.heads)] for head in heads]
    left, right = _room(queries, rows), _room(keys, columns)
    height, start = row_height(count), EDGE + left
    wide = max(start + MIDDLE + right + EDGE, 2 * EDGE + 9 * len(title), 2 * EDGE + 32 * len(heads))
    bar = hues[0] if len(heads) == 1 else theme.ink
    gives = combined[:, column] if row is None and column is not None else None
    gets = combined[row] if row is not None else None
    looking = _Side(start - GAP, -1, left - GAP, height, most, bar, theme)
    seen = _Side(start + MIDDLE + GAP, 1, right - GAP, height, most, bar, theme)
    parts = [
        tag("text", escape(title), x=EDGE, y=26, font_size=15, font_weight=BOLD),
        *(_chip(EDGE + 32 * place, 36, head, hues[place]) for place, head in enumerate(heads)),
        _heading(rows, EDGE, "start"),
        _heading(columns, wide - EDGE, "end"),
        *_lines(np.clip(weights / most, 0, 1), hues, start, height, row, column),
        *looking.words(queries, gives, row),
        *seen.words(keys, gets, column),
    ]
    return document(parts, wide=wide, high=TOP + count * height + EDGE, title=title, theme=theme)


def _room(words: Sequence[str], heading: str) -> float:
    """How wide one side must be for its words and their numbers, and for half of its heading."""
    longest = max(width(word, SIZE) for word in words)
    return max(NUMBER + GAP + longest, width(heading, 11) - MIDDLE / 2 + GAP)


def _lines(
    share: np.ndarray, hues: Sequence[str], start: float, height: float, row: int | None, column: int | None
) -> list[str]:  # (H, Q, K)
    """A group for each head: the lines of all words, or of those that were chosen."""
    step, groups = apart(len(hues), height), []
    for place, hue in enumerate(hues):
        first = TOP + height / 2 + (place - (len(hues) - 1) / 2) * step
        drawn = [
            _line(
                start,
                first + i * height,
                first + j * height,
                share[place, i, j],
                height,
                faintest(row, column),
            )
            for i, j in np.argwhere(share[place] >= LEAST)
            if row in (None, i) and column in (None, j)
        ]
        groups.append(tag("g", *drawn, stroke=hue, fill="none"))
    return groups


def _line(start: float, begin: float, end: float, share: float, height: float, least: float) -> str:
    middle, right = start + MIDDLE / 2, start + MIDDLE
    path = f"M{start:.1f} {begin:.1f}C{middle:.1f} {begin:.1f} {middle:.1f} {end:.1f} {right:.1f} {end:.1f}"
    thick = THINNEST + (thickest(height) - THINNEST) * share
    return tag("path", d=path, stroke_width=float(thick), opacity=float(least + (1 - least) * share))


class _Side(NamedTuple):
    """The words beside the lines; they grow away from them, to the left (-1) or to the right (1)."""

    x: float
    away: int
    room: float
    height: float
    most: float
    bar: str
    theme: Theme

    def words(self, words: Sequence[str], weights: np.ndarray | None, chosen: int | None) -> list[str]:
        """Each word, with a bar and a number for its weight if weights are shown; one may be chosen."""
        parts, near = [], "end" if self.away < 0 else "start"
        for place, word in enumerate(words):
            weight = 0.0 if weights is None else float(weights[place])
            share = min(weight / self.most, 1)
            if share >= LEAST:
                parts += self._weight(place, weight, share)
            if place == chosen:
                frame = {"fill": "none", "stroke": self.theme.mark, "stroke_width": STROKE["frame"]}
                parts.append(self._box(place, self.room, **frame))
            meant = share >= LEAST if weights is not None else chosen is None
            opacity = None if meant or place == chosen else OPACITY["away"]
            x, y = self.x + self.away * 3, self._base(place)
            parts.append(write(word, x, y, text_anchor=near, opacity=opacity))
        return parts

    def _weight(self, place: int, weight: float, share: float) -> list[str]:
        far = "start" if self.away < 0 else "end"
        number = {"font_size": 11, "text_anchor": far, "opacity": OPACITY["number"]}
        return [
            self._box(place, self.room * share, fill=self.bar, fill_opacity=OPACITY["tint"]),
            write(fixed(weight), self.x + self.away * self.room, self._base(place), **number),
        ]

    def _base(self, place: int) -> float:
        """The line on which a word is written."""
        return self._top(place) + self.height * 0.5 + SIZE * 0.36

    def _top(self, place: int) -> float:
        return TOP + place * self.height

    def _box(self, place: int, wide: float, **look: object) -> str:
        left, top = float(self.x if self.away > 0 else self.x - wide), self._top(place) + 1.0
        return tag("rect", x=left, y=top, width=float(wide), height=self.height - 2, rx=3, **look)


def _chip(x: float, y: float, head: int, hue: str) -> str:
    number = {"font_size": 12, "font_weight": BOLD, "text_anchor": "middle"}
    return tag(
        "g",
        tag("rect", x=x, y=y, width=28, height=20, rx=4, fill=hue, fill_opacity=OPACITY["chip"]),
        tag("rect", x=x, y=y + 18, width=28, height=4, rx=2, fill=hue),
        tag("text", str(head + 1), x=x + 14, y=y + 14, **number),
    )


def _heading(words: str, x: float, anchor: str) -> str:
    look = {"font_size": 11, "text_anchor": anchor, "opacity": OPACITY["quiet"]}
    return tag("text", escape(words), x=float(x), y=76, **look)
