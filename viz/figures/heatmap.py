"""One attention head as a grid: rows look, columns are looked at."""

from collections.abc import Callable, Sequence

import numpy as np
import plotly.graph_objects as go

from viz.figures.labels import labels

# The height of the grid in pixels: room for its title, and at most a screen while rows are legible.
LEAST, MOST, ROW, LEAST_ROW = 250, 520, 20, 13
MOST_LABELS = 100  # an axis with more pieces names every second, third, …; hovering names them all
AROUND = 140  # labels, titles and the colour scale
CLEAR = "rgba(0, 0, 0, 0)"


def attention_heatmap(
    pattern: np.ndarray,  # (Q, K), each row sums to one
    queries: Sequence[str],
    keys: Sequence[str],
    say: Callable[..., str],
    *,
    mask: np.ndarray | None = None,  # (Q, K) or (1, K), True = may look
    rows: str = "axis.source.query",
    columns: str = "axis.source.key",
) -> go.Figure:
    """Colour cell (i, j) by how much position i looks at position j, or not where it may not look.

    `queries` and `keys` are pieces of the vocabulary; `rows` and `columns` are the keys of what
    `say` calls those who look and those who are looked at.
    """
    if pattern.shape != (len(queries), len(keys)):
        raise ValueError(f"{pattern.shape=} does not fit {len(queries)} queries × {len(keys)} keys")
    weights = np.asarray(pattern, dtype=np.float32)
    if mask is not None:
        # broadcast_to refuses a mask of another shape, which Plotly would show as an empty page.
        weights = np.where(np.broadcast_to(mask, weights.shape), weights, np.float32(np.nan))
    figure = go.Figure(
        go.Heatmap(
            z=weights,
            zmin=0,
            zmax=1,
            xgap=1,
            ygap=1,
            hoverongaps=False,
            hovertemplate="%{y} → %{x}: %{z:.3f}<extra></extra>",
            colorbar=_scale(say("heatmap.weight")),
        )
    )
    figure.update_layout(
        height=AROUND + max(LEAST, len(queries) * LEAST_ROW, min(MOST, len(queries) * ROW)),
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        dragmode=False,  # a finger on the grid scrolls the page
        # The page shines through, light or dark; also where a position may not look.
        paper_bgcolor=CLEAR,
        plot_bgcolor=CLEAR,
        modebar={"bgcolor": CLEAR},
    )
    across, down = _positions(keys, say), _positions(queries, say)
    figure.update_xaxes(title=say(columns), side="top", autotickangles=[0, -90], **across)
    figure.update_yaxes(title=say(rows), autorange="reversed", **down)
    return figure


def _positions(pieces: Sequence[str], say: Callable[..., str]) -> dict:
    # Positions are the coordinates, words only their labels: a sentence may say "the" twice.
    return {
        "tickmode": "linear",
        "dtick": -(-len(pieces) // MOST_LABELS),
        "labelalias": {str(i): label for i, label in enumerate(labels(pieces, say))},
        "tickfont": {"size": 13 if len(pieces) <= MOST_LABELS / 2 else 10},
        "ticks": "",
        "automargin": True,
        "showgrid": False,
        "zeroline": False,
    }


def _scale(title: str) -> dict:
    """A thin bar below the grid: beside it, it would take the width that narrow screens lack."""
    return {
        "orientation": "h",
        "title": {"text": title, "side": "top"},
        "tickvals": [0, 0.25, 0.5, 0.75, 1],
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
