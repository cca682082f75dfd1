"""One map on a canvas: rows look, columns are looked at. It answers to pointing, keys and clicks.

It is drawn by ourselves because Plotly would take most of the time from Enter to picture, and 4.7 MB.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from viz.components import payload, source
from viz.components.library import view
from viz.figures.scales import ticks

MARKUP = """
<div class="heat-map" role="figure">
  <div class="looked-at"></div>
  <div class="body">
    <div class="looking"></div>
    <div class="columns"></div>
    <div class="rows"></div>
    <div class="cells" tabindex="0" role="application">
      <canvas class="canvas"></canvas>
      <div class="frames"></div>
      <div class="tip" role="status" hidden></div>
    </div>
  </div>
  <div class="legend">
    <span class="unit"></span><div class="scale"><div class="bar"></div><div class="ticks"></div></div>
  </div>
  <details class="table"><summary></summary><div class="scroll" tabindex="0"><table></table></div></details>
</div>
"""


class Abreast(NamedTuple):
    """Of maps side by side the most rows, the most columns and the longest name of a column."""

    rows: int
    columns: int
    longest: str


STYLE = source.style("heatmap/view.css")

_mount = view("heatmap", html=MARKUP, css=STYLE)


def heatmap(
    weights: np.ndarray,  # (Q, K)
    mask: np.ndarray,  # (Q, K), True = may look
    queries: Sequence[str],
    keys: Sequence[str],
    say: Callable[..., str],
    *,
    key: str,
    label: str,
    rows: str,
    columns: str,
    unit: str,
    most: float = 1.0,
    least: float = 0.0,  # below zero: a difference, coloured to both sides of zero
    colour: str = "linear",
    row: int | None = None,
    column: int | None = None,
    also: Sequence[int] = (),  # further rows that are framed
    divide: int | None = None,  # a line before this column
    tall: int | None = None,  # pixels for all rows together, however many; None: rows wide enough for words
    on_pick: Callable[[], None] | None = None,
    abreast: Abreast | None = None,  # beside another map: rows of both begin at one height
) -> None:
    """Draw it. With `on_pick` a click is kept, and the head view points where the mouse points.

    `label`, `rows`, `columns` and `unit` are finished words; `row` and `column` are framed.
    """
    data = packed(
        weights, mask, queries, keys, say, label=label, rows=rows, columns=columns, unit=unit,
        most=most, least=least, colour=colour, row=row, column=column, also=also, divide=divide,
        tall=tall, linked=on_pick is not None, abreast=abreast,
    )  # fmt: skip
    _mount(key=key, data=data, on_pick_change=on_pick or (lambda: None))


def packed(
    weights: np.ndarray, mask: np.ndarray, queries: Sequence[str], keys: Sequence[str],
    say: Callable[..., str], *, label: str, rows: str, columns: str, unit: str,
    most: float = 1.0, least: float = 0.0, colour: str = "linear",
    row: int | None = None, column: int | None = None, also: Sequence[int] = (), divide: int | None = None,
    tall: int | None = None, linked: bool = False, abreast: Abreast | None = None,
) -> bytes:  # fmt: skip
    """All that the browser draws from."""
    if weights.shape != (len(queries), len(keys)):
        raise ValueError(f"{weights.shape=} does not fit {len(queries)} queries × {len(keys)} keys")
    header = {
        "queries": list(queries),
        "keys": list(keys),
        "axes": (rows, columns),
        "row": row,
        "column": column,
        "also": list(also),
        "divide": divide,
        "tall": tall,
        "least": least,
        "colour": colour,
        "ticks": ticks(colour, least, most),
        "linked": linked,
        **({"abreast": abreast._asdict()} if abreast else {}),
        "text": {
            "label": label,
            "unit": unit,
            "forbidden": say("heatmap.forbidden"),
            "table": say("head_view.table"),
        },
    }
    return payload.pack(header, weights, mask, most, least)
