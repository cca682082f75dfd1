"""The heatmap as a drawing: rows look, columns are looked at, every number in the title of its cell."""

from collections.abc import Sequence

import numpy as np

from viz.figures.heatmap import SHADES, TICKS
from viz.figures.numbers import fixed, rounded
from viz.figures.svg import (
    DARK,
    LIGHT,
    Theme,
    document,
    escape,
    tag,
    width,
    write,
)

SIZE = 12  # of letters
BAR = 240  # the length of the colour scale
DIVERGING = "#d55e00", "#0072b2"  # less and more: orange and blue tell apart for every colour vision


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
    if least < 0:
        theme = theme._replace(scale=(DIVERGING[0], theme.paper, DIVERGING[1]))
    size = 24 if count <= 20 else max(13, 520 // count)
    seen = np.ones(weights.shape, bool) if mask is None else np.broadcast_to(mask, weights.shape)
    left = 44 + round(max(width(word, SIZE) for word in queries))
    top = 64 + round(max(width(word, SIZE) for word in keys))
    across, down = len(keys) * size, len(queries) * size

    shades = _shades(np.clip((weights - least) / (most - least), 0, 1), colour, theme)
    cells = (
        _titled(weights, shades, seen, queries, keys, size) if titles else _merged(shades, seen, size, theme)
    )
    frames = []
    if row is not None:
        frames.append(_frame(0, row * size, across, size, theme))
    if column is not None:
        frames.append(_frame(column * size, 0, size, down, theme))
    place = f"translate({left} {top})"
    parts = [
        tag("text", escape(title), x=16, y=26, font_size=15, font_weight=600),
        tag("text", escape(columns), x=float(left), y=48, font_size=SIZE, opacity=0.75),
        tag("text", escape(rows), transform=_upright(26, top + down), font_size=SIZE, opacity=0.75),
        *(write(word, left - 6.0, top + (i + 0.5) * size + 4.0, font_size=SIZE, text_anchor="end")
          for i, word in enumerate(queries)),
        *(write(word, 0, 0, transform=_upright(left + (j + 0.5) * size + 4, top - 6), font_size=SIZE)
          for j, word in enumerate(keys)),
        tag("g", *cells, *frames, class_="cells", data_size=size, transform=place),
        _legend(left, top + down + 34, scale, (least, most), colour, theme, dark),
    ]  # fmt: skip
    wide = max(left + max(across, BAR + 24, width(columns, SIZE) * 1.1) + 20, 32 + 0.6 * 15 * len(title))
    high = max(top + down + 78, 40 + 0.6 * SIZE * len(rows))
    return document(parts, wide=wide, high=high, title=title, theme=theme)


def _titled(weights, shades, seen, queries, keys, size) -> list[str]:
    def cell(i: int, j: int) -> str:
        number = escape(f"{queries[i]} → {keys[j]}: {fixed(weights[i, j], 4)}")
        side = size - 1
        return tag(
            "rect", tag("title", number), x=j * size, y=i * size, width=side, height=side, fill=shades[i, j]
        )

    return [cell(i, j) for i, j in np.argwhere(seen)]


def _merged(shades, seen, size, theme) -> list[str]:
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


def _shades(share: np.ndarray, colour: str, theme: Theme) -> np.ndarray:
    """The colour of each share, one of 256 evenly between those of the theme."""
    stops = np.array([tuple(bytes.fromhex(stop[1:])) for stop in theme.scale], float)
    places = np.linspace(0, 1, len(stops))
    levels = np.rint(SHADES[colour](share) * 255) / 255
    mixed = np.stack([np.interp(levels, places, stops[:, part]) for part in range(3)], -1)
    hexes = np.rint(mixed).astype(int) @ (65536, 256, 1)
    return np.vectorize("#{:06x}".format, otypes=["U7"])(hexes)


def _upright(x: float, y: float) -> str:
    return f"translate({x:.1f} {y:.1f}) rotate(-90)"


def _frame(x: float, y: float, wide: float, high: float, theme: Theme) -> str:
    where = {"x": x - 1.5, "y": y - 1.5, "width": wide + 2, "height": high + 2}
    return tag("rect", **where, rx=3, fill="none", stroke=theme.mark, stroke_width=2, class_="frame")


def _legend(
    x: float, y: float, scale: str, ends: tuple[float, float], colour: str, theme: Theme, dark: bool
) -> str:
    name = "dark-scale" if dark else "light-scale"  # a page may hold one of each
    least, most = ends
    stops = [
        tag("stop", offset=f"{100 * place / (len(theme.scale) - 1):.1f}%", stop_color=shade)
        for place, shade in enumerate(theme.scale)
    ]
    marks = [
        tag(
            "text", rounded(least + share * (most - least)), x=float(x + BAR * SHADES[colour](share)),
            y=y + 24.0, font_size=11, text_anchor="middle",
        )
        for share in TICKS[colour]
    ]  # fmt: skip
    return tag(
        "g",
        tag("defs", tag("linearGradient", *stops, id=name)),
        tag("text", escape(scale), x=float(x), y=y - 8.0, font_size=11, opacity=0.75),
        tag("rect", x=float(x), y=float(y), width=BAR, height=8, fill=f"url(#{name})"),
        *marks,
    )
