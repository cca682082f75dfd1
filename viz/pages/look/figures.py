"""How alike the vectors of one word are in two sentences, on their way up the layers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from viz.figures.numbers import fixed, rounded
from viz.figures.palette import CLEAR, LIGHT, STROKE
from viz.figures.svg import document, tag, write

if TYPE_CHECKING:
    import plotly.graph_objects as go


def cosines(first: np.ndarray, second: np.ndarray) -> np.ndarray:  # (L, D) both -> (L)
    """
    >>> cosines(np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([[2.0, 0.0], [1.0, 0.0]]))
    array([1., 0.])
    """
    lengths = np.linalg.norm(first, axis=-1) * np.linalg.norm(second, axis=-1)
    return (first * second).sum(-1) / np.where(lengths > 0, lengths, 1)


def cosine_by_layer(first: np.ndarray, second: np.ndarray, say: Callable[..., str]) -> go.Figure:
    """One point a height: 1 means the same direction. Height 0 is what goes into the first layer."""
    import plotly.graph_objects as go  # only here, so that a start without this picture need not wait for it

    alike = cosines(first, second).astype(np.float32)
    figure = go.Figure(
        go.Scatter(
            x=np.arange(len(alike)),
            y=alike,
            mode="lines+markers",
            hovertemplate="%{x}: %{y:.4f}<extra></extra>",
        )
    )
    figure.update_layout(
        height=240,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        paper_bgcolor=CLEAR,
        plot_bgcolor=CLEAR,
        dragmode=False,
    )
    figure.update_xaxes(title=say("cosine.axis.layer"), dtick=1, zeroline=False)
    figure.update_yaxes(title=say("cosine.axis.cosine"), range=[min(0, float(alike.min())) - 0.05, 1.05])
    return figure


def cosine_svg(alike: np.ndarray, say: Callable[..., str], *, title: str) -> str:
    """The same as a drawing that opens on its own, with every number written beside its point."""
    left, top, wide, high = 64, 68, 480, 200
    lowest = min(0.0, float(alike.min()))

    def height(value: float) -> float:
        return top + high * (1 - (float(value) - lowest) / (1 - lowest))

    across = [left + wide * place / max(1, len(alike) - 1) for place in range(len(alike))]
    down = [height(value) for value in alike]
    line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in zip(across, down, strict=True))
    points = [
        tag("circle", cx=x, cy=y, r=3, fill=LIGHT.mark) + write(fixed(value, 4), x + 4, y - 8, font_size=11)
        for x, y, value in zip(across, down, alike, strict=True)
    ]
    layers = [
        write(str(place), x, top + high + 20.0, font_size=11, text_anchor="middle")
        for place, x in enumerate(across)
    ]
    ends = [
        write(rounded(value, 2), left - 10.0, height(value) + 4, font_size=11, text_anchor="end")
        for value in sorted({lowest, 0.0, 1.0})
    ]
    names = [
        write(title, 16, 26, font_size=15),
        write(say("cosine.axis.layer"), float(left), top + high + 42.0, font_size=12),
        write(say("cosine.axis.cosine"), 8, top - 8.0, font_size=12),
    ]
    path = tag("path", d=line, fill="none", stroke=LIGHT.mark, stroke_width=STROKE["frame"])
    parts = [path, *points, *layers, *ends, *names]
    return document(parts, wide=left + wide + 70, high=top + high + 60, title=title, theme=LIGHT)
