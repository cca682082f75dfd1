"""One attention head as a Plotly figure for notebooks: rows look, columns are looked at.

The app draws its own heatmaps and does not import this module: Plotly takes a while to load.
"""

from collections.abc import Callable, Sequence

import numpy as np
import plotly.graph_objects as go

from viz.figures.labels import escaped
from viz.figures.palette import CLEAR
from viz.figures.scales import SHADES, ticks

# The height of the grid in pixels: room for its title, and at most a screen while rows are legible.
LEAST, MOST, ROW, LEAST_ROW = 250, 520, 20, 13
MOST_LABELS = 100  # an axis with more pieces names every second, third, …; hovering names them all
AROUND = 140  # labels, titles and the colour scale


def attention_heatmap(
    pattern: np.ndarray,  # (Q, K), each row sums to one
    queries: Sequence[str],
    keys: Sequence[str],
    say: Callable[..., str],
    *,
    mask: np.ndarray | None = None,  # (Q, K) or (1, K), True = may look
    rows: str = "axis.source.query",
    columns: str = "axis.source.key",
    most: float = 1.0,
    colour: str = "linear",
    unit: str = "heatmap.weight",
) -> go.Figure:
    """Colour cell (i, j) by how much position i looks at position j, or not where it may not look.

    `rows`, `columns` and `unit` are the keys of what `say` calls those who look, those who are looked
    at, and the numbers. The scale runs from 0 to `most`.
    """
    if pattern.shape != (len(queries), len(keys)):
        raise ValueError(f"{pattern.shape=} does not fit {len(queries)} queries × {len(keys)} keys")
    weights = np.asarray(pattern, dtype=np.float32)
    if mask is not None:
        # broadcast_to refuses a mask of another shape, which Plotly would show as an empty page.
        weights = np.where(np.broadcast_to(mask, weights.shape), weights, np.float32(np.nan))
    if colour == "linear":
        shades, number, extra, end = weights, "%{z:.4f}", {}, most
    else:  # the colour is another number than the one to read
        shades = SHADES[colour](weights / most).astype(np.float32)
        number, extra, end = "%{customdata:.4f}", {"customdata": weights}, 1.0
    marked = ticks(colour, most=most)
    title = (
        say(unit)
        if colour == "linear"
        else say("heatmap.scale", unit=say(unit), scale=say(f"colour.{colour}"))
    )
    grid = go.Heatmap(
        z=shades,
        zmin=0,
        zmax=end,
        xgap=1,
        ygap=1,
        hoverongaps=False,
        hovertemplate=f"%{{y}} → %{{x}}: {number}<extra></extra>",
        colorbar=scale_bar(title, [place * end for place, _ in marked], [number for _, number in marked]),
        **extra,
    )
    return go.Figure(grid, grid_layout(queries, keys, say(rows), say(columns)))


def grid_layout(queries: Sequence[str], keys: Sequence[str], rows: str, columns: str) -> dict:
    """Rows and columns of a map by name; the page shines through it, light or dark.

    Given whole when a figure is made: each later update of one costs Plotly ten milliseconds.
    """
    return {
        "height": AROUND + max(LEAST, len(queries) * LEAST_ROW, min(MOST, len(queries) * ROW)),
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "dragmode": False,  # a finger on the grid scrolls the page
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        "modebar": {"bgcolor": CLEAR},
        "xaxis": {
            "title": {"text": columns},
            "side": "top",
            "autotickangles": [0, -90],
            **_positions(keys),
        },
        "yaxis": {"title": {"text": rows}, "autorange": "reversed", **_positions(queries)},
    }


def scale_bar(title: str, places: Sequence[float], numbers: Sequence[str]) -> dict:
    """A thin bar below the grid: beside it, it would take the width that narrow screens lack."""
    return {
        "orientation": "h",
        "title": {"text": title, "side": "top"},
        "tickvals": list(places),
        "ticktext": list(numbers),
        "thickness": 8,
        "outlinewidth": 0,
        "lenmode": "pixels",
        "len": 240,
        "x": 0,
        "xpad": 0,
        "xanchor": "left",
        "y": 0,
        "yanchor": "top",
    }


def _positions(words: Sequence[str]) -> dict:
    # Positions are the coordinates, words only their labels: a sentence may say "the" twice.
    return {
        "tickmode": "linear",
        "dtick": -(-len(words) // MOST_LABELS),
        "labelalias": {str(i): escaped(word) for i, word in enumerate(words)},
        "tickfont": {"size": 13 if len(words) <= MOST_LABELS / 2 else 10},
        "ticks": "",
        "automargin": True,
        "showgrid": False,
        "zeroline": False,
    }
