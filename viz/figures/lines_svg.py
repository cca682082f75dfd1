"""The head view as a drawing: who looks on the left, who is looked at on the right, true vectors."""

from collections.abc import Sequence

import numpy as np

from viz.figures.numbers import fixed
from viz.figures.svg import (
    DARK,
    LEAST,
    LIGHT,
    Theme,
    document,
    escape,
    tag,
    width,
    write,
)
from viz.figures.theme import HEAD_HUES

SIZE = 13  # of letters
MIDDLE = 340  # the width of the lines
NUMBER = 42  # the width of a number beside a word
GAP = 6


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
    theme, hues = (DARK, HEAD_HUES["dark"]) if dark else (LIGHT, HEAD_HUES["light"])
    colours = [hues[head % len(hues)] for head in heads]
    count = max(len(queries), len(keys))
    height = 22 if count <= 25 else max(13, 550 // count)
    left = max(NUMBER + GAP + max(width(word, SIZE) for word in queries), width(rows, 11) - MIDDLE / 2 + GAP)
    right = max(NUMBER + GAP + max(width(word, SIZE) for word in keys), width(columns, 11) - MIDDLE / 2 + GAP)
    start, top = 16 + left, 84
    wide = max(start + MIDDLE + right + 16, 32 + 0.6 * 15 * len(title), 32 + 32 * len(heads))
    share = np.clip(weights / most, 0, 1)
    faintest = 0.05 if row is None and column is None else 0.15  # fewer lines, so more of each
    combined = weights.mean(0) if combined is None else combined

    parts = [tag("text", escape(title), x=16, y=26, font_size=15, font_weight=600)]
    parts += [
        _chip(16 + 32 * place, 36, head, hue)
        for place, (head, hue) in enumerate(zip(heads, colours, strict=True))
    ]
    parts.append(_heading(rows, 16, "start"))
    parts.append(_heading(columns, wide - 16, "end"))
    step = min(3.0, 0.7 * height / (len(heads) - 1)) if len(heads) > 1 else 0.0
    for place, hue in enumerate(colours):
        aside = (place - (len(heads) - 1) / 2) * step
        first = top + height / 2 + aside
        drawn = [
            _line(start, first + i * height, first + j * height, share[place, i, j], faintest)
            for i, j in np.argwhere(share[place] >= LEAST)
            if row in (None, i) and column in (None, j)
        ]
        parts.append(tag("g", *drawn, stroke=hue, fill="none"))

    bar = colours[0] if len(heads) == 1 else theme.ink
    gets = combined[row] if row is not None else np.zeros(len(keys))
    gives = combined[:, column] if row is None and column is not None else np.zeros(len(queries))
    for i, word in enumerate(queries):
        here = _Word(start - GAP, top + i * height, -1, left - GAP, height)
        parts += here.draw(word, gives[i], most, bar, row == i, theme)
    for j, word in enumerate(keys):
        here = _Word(start + MIDDLE + GAP, top + j * height, 1, right - GAP, height)
        parts += here.draw(word, gets[j], most, bar, column == j, theme)
    return document(parts, wide=wide, high=top + count * height + 16, title=title, theme=theme)


class _Word:
    """A place for a word beside the lines; it grows away from them, to the left (-1) or right (1)."""

    def __init__(self, x: float, y: float, away: int, room: float, height: float) -> None:
        self.x, self.y, self.away, self.room, self.height = x, y, away, room, height

    def draw(self, word: str, weight: float, most: float, bar: str, chosen: bool, theme: Theme) -> list[str]:
        parts, base, share = [], self.y + self.height * 0.5 + SIZE * 0.36, min(float(weight) / most, 1)
        near, far = ("end", "start") if self.away < 0 else ("start", "end")
        if share >= LEAST:
            parts.append(self._box(self.room * share, fill=bar, fill_opacity=0.25))
            end = self.x + self.away * self.room
            parts.append(write(fixed(weight), end, base, font_size=11, text_anchor=far, opacity=0.85))
        if chosen:
            parts.append(self._box(self.room, fill="none", stroke=theme.mark, stroke_width=1.5))
        parts.append(write(word, self.x + self.away * 3, base, text_anchor=near))
        return parts

    def _box(self, wide: float, **look: object) -> str:
        left = float(self.x if self.away > 0 else self.x - wide)
        return tag("rect", x=left, y=self.y + 1.0, width=float(wide), height=self.height - 2, rx=3, **look)


def _line(start: float, begin: float, end: float, share: float, faintest: float) -> str:
    middle, right = start + MIDDLE / 2, start + MIDDLE
    path = f"M{start:.1f} {begin:.1f}C{middle:.1f} {begin:.1f} {middle:.1f} {end:.1f} {right:.1f} {end:.1f}"
    opacity = faintest + (1 - faintest) * share
    return tag("path", d=path, stroke_width=float(0.6 + 2.4 * share), opacity=float(opacity))


def _chip(x: float, y: float, head: int, hue: str) -> str:
    return tag(
        "g",
        tag("rect", x=x, y=y, width=28, height=20, rx=4, fill=hue, fill_opacity=0.16),
        tag("rect", x=x, y=y + 18, width=28, height=4, rx=2, fill=hue),
        tag("text", str(head + 1), x=x + 14, y=y + 14, font_size=12, font_weight=600, text_anchor="middle"),
    )


def _heading(words: str, x: float, anchor: str) -> str:
    return tag("text", escape(words), x=float(x), y=76, font_size=11, text_anchor=anchor, opacity=0.75)
