"""The heatmap as a drawing: rows look, columns are looked at, every number in the title of its cell."""

from collections.abc import Sequence

import numpy as np

from viz.figures.numbers import fixed
from viz.figures.palette import DARK, LIGHT, OPACITY, STROKE, Theme
from viz.figures.scales import hexes, stops, ticks
from viz.figures.svg import BOLD, document, escape, tag, width, write

SIZE = 12  # of letters
BAR = 240  # the length of the colour scale
EDGE = 16  # pixels around the drawing


def heatmap_svg(
    weights: np.ndarray,  # (Q, K)
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    rows: str,
    columns: str,
    title: str,
    mask: np.ndarray | None = None,  # (Q, K), True = may look
    most: float = 1.0,
    least: float = 0.0,  # below zero: a difference, coloured to both sides of zero
    scale: str = "",
    colour: str = "linear",
    row: int | None = None,  # framed
    column: int | None = None,
    divide: int | None = None,  # a line before this column
    titles: bool = True,
    dark: bool = False,
) -> str:
    """Colour cell (i, j) by how much i looks at j; hovering it reads the number.

    `rows`, `columns` and `scale` are the words for those who look, those who are looked at and what
    is measured. Without `titles` the file is a third as large and only its scale has numbers.
    """
    if weights.shape != (len(queries), len(keys)):
        raise ValueError(f"{weights.shape=} does not fit {len(queries)} queries × {len(keys)} keys")
    theme, count = DARK if dark else LIGHT, max(len(queries), len(keys))
    size = 24 if count <= 20 else max(13, 520 // count)
    seen = np.ones(weights.shape, bool) if mask is None else np.broadcast_to(mask, weights.shape)
    shades = hexes((weights - least) / (most - least), theme, colour, difference=least < 0)
    cells = (
        _titled(weights, shades, seen, queries, keys, size) if titles else _merged(shades, seen, size, theme)
    )
    left, top = (
        room + round(max(width(word, SIZE) for word in words)) for room, words in ((44, queries), (64, keys))
    )
    across, down = len(keys) * size, len(queries) * size
    place = f"translate({left} {top})"
    parts = [
        tag("text", escape(title), x=EDGE, y=26, font_size=15, font_weight=BOLD),
        *_axes(left, top, size, (queries, keys), (rows, columns)),
        tag("g", *cells, *_frames(row, column, across, down, size, theme),
            *_divide(divide, down, size, theme), class_="cells", data_size=size,
            transform=place),
        _legend(left, top + down + 34, scale, (least, most), colour, dark),
    ]  # fmt: skip
    wide = max(left + max(across, BAR + 24, width(columns, SIZE) * 1.1) + 20, 2 * EDGE + 9 * len(title))
    high = max(top + down + 78, 40 + 0.6 * SIZE * len(rows))
    return document(parts, wide=wide, high=high, title=title, theme=theme)


def _axes(
    left: float, top: float, size: float, labels: tuple[Sequence[str], Sequence[str]], names: tuple[str, str]
) -> list[str]:
    """The words of rows and columns, and what rows and columns are."""
    quiet = {"font_size": SIZE, "opacity": OPACITY["quiet"]}
    down = top + len(labels[0]) * size
    return [
        tag("text", escape(names[1]), x=float(left), y=48, **quiet),
        tag("text", escape(names[0]), transform=_upright(26, down), **quiet),
        *(write(word, left - 6.0, top + (i + 0.5) * size + 4.0, font_size=SIZE, text_anchor="end")
          for i, word in enumerate(labels[0])),
        *(write(word, 0, 0, transform=_upright(left + (j + 0.5) * size + 4, top - 6), font_size=SIZE)
          for j, word in enumerate(labels[1])),
    ]  # fmt: skip


def _titled(
    weights: np.ndarray, shades: np.ndarray, seen: np.ndarray, queries: Sequence[str], keys: Sequence[str],
    size: float,
) -> list[str]:  # fmt: skip
    def cell(i: int, j: int) -> str:
        number = escape(f"{queries[i]} → {keys[j]}: {fixed(weights[i, j], 4)}")
        side = size - 1
        return tag(
            "rect", tag("title", number), x=j * size, y=i * size, width=side, height=side, fill=shades[i, j]
        )

    return [cell(i, j) for i, j in np.argwhere(seen)]


def _merged(shades: np.ndarray, seen: np.ndarray, size: float, theme: Theme) -> list[str]:
    """The cells of one colour as strokes of one path, a cell wide, and the gaps over them."""
    strokes = [
        tag("path", stroke=shade, d="".join(f"M{j} {i}h1" for i, j in np.argwhere(seen & (shades == shade))))
        for shade in np.unique(shades[seen])
    ]
    rows, columns = shades.shape
    gaps = [f"M0 {i * size - 0.5}H{columns * size}" for i in range(1, rows + 1)]
    gaps += [f"M{j * size - 0.5} 0V{rows * size}" for j in range(1, columns + 1)]
    return [
        tag("g", *strokes, transform=f"scale({size}) translate(0 .5)"),
        tag("path", d="".join(gaps), stroke=theme.paper),
    ]


def _upright(x: float, y: float) -> str:
    return f"translate({x:.1f} {y:.1f}) rotate(-90)"


def _frames(
    row: int | None, column: int | None, across: float, down: float, size: float, theme: Theme
) -> list[str]:
    """Around the row and the column that were chosen."""
    boxes = [(0.0, row * size, across, size)] if row is not None else []
    boxes += [(column * size, 0.0, size, down)] if column is not None else []
    look = {"rx": 3, "fill": "none", "stroke": theme.mark, "stroke_width": STROKE["frame"], "class_": "frame"}
    return [
        tag("rect", x=x - 1.5, y=y - 1.5, width=wide + 2, height=high + 2, **look)
        for x, y, wide, high in boxes
    ]


def _divide(column: int | None, down: float, size: float, theme: Theme) -> list[str]:
    """Between columns of two kinds."""
    if not column:
        return []
    x = column * size - 0.5
    return [tag("path", d=f"M{x} -6V{down}", stroke=theme.ink, stroke_width=STROKE["frame"])]


def _legend(x: float, y: float, scale: str, ends: tuple[float, float], colour: str, dark: bool) -> str:
    name = "dark-scale" if dark else "light-scale"  # a page may hold one of each
    shades = stops(DARK if dark else LIGHT, difference=ends[0] < 0)
    gradient = [
        tag("stop", offset=f"{100 * place / (len(shades) - 1):.1f}%", stop_color=shade)
        for place, shade in enumerate(shades)
    ]
    numbers = [
        tag("text", number, x=float(x + BAR * place), y=y + 24.0, font_size=11, text_anchor="middle")
        for place, number in ticks(colour, *ends)
    ]
    return tag(
        "g",
        tag("defs", tag("linearGradient", *gradient, id=name)),
        tag("text", escape(scale), x=float(x), y=y - 8.0, font_size=11, opacity=OPACITY["quiet"]),
        tag("rect", x=float(x), y=float(y), width=BAR, height=8, fill=f"url(#{name})"),
        *numbers,
    )
