"""Every head of every layer as a small map, drawn and hovered in the browser.

A click, a second tap or Enter asks to open one head.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from viz.components import source
from viz.components.library import view
from viz.components.payload import pack
from viz.figures.grid_svg import NOBODY, Names
from viz.figures.scales import ticks
from viz.state.selection import Selection

MARKUP = """
<div class="head-grid">
  <div class="above">
    <label class="filter" hidden><span class="says"></span><input type="range"></label>
    <div class="legend"></div>
  </div>
  <div class="blocks"></div>
  <p class="condensed" hidden></p>
  <details><summary></summary><table><thead></thead><tbody></tbody></table></details>
  <div class="panel" popover="manual">
    <p class="reading" role="status"></p>
    <p class="without" hidden></p>
    <p class="axes"></p>
    <div class="picture"><canvas class="enlarged"></canvas><canvas class="crosshair"></canvas></div>
    <p class="how"></p>
  </div>
</div>
"""
STYLE = source.style("head_grid/view.css")

_mount = view("head_grid", html=MARKUP, css=STYLE)


class Least(NamedTuple):
    """The value of the measure from which on heads are shown, and how often the browser was told so.

    It sifts by itself and is told only what it did not say: the maps of all heads need not travel again.
    """

    times: int
    value: float


FROM_NOTHING = Least(0, 0.0)


class Block(NamedTuple):
    """All heads of one kind of attention."""

    kind: str
    weights: np.ndarray  # (L, H, Q, K)
    mask: np.ndarray  # (L, H, Q, K), True = may look
    queries: Sequence[str]  # readable labels
    keys: Sequence[str]
    axes: str  # what rows and columns are, in words
    measures: Mapping[str, np.ndarray]  # (L, H) each, NaN where it does not exist
    names: Names = NOBODY


def head_grid(
    blocks: Sequence[Block],
    selection: Selection,
    measure: str,
    say: Callable[..., str],
    *,
    key: str = "all_heads",
    on_open: Callable[[], None],
    on_least: Callable[[], None],
    least: Least = FROM_NOTHING,
) -> None:
    """Draw the blocks as `selection` wants them coloured, sorted by `measure`, from its least value on.

    While `on_open` runs, st.session_state[key]["open"] has the head that a visitor wants to see large: kind,
    layer, head. While `on_least` runs, ["least"] has the measure and the value from which on heads are shown.
    """
    data = payload(blocks, selection, measure, say, least)
    _mount(key=key, data=data, on_open_change=on_open, on_least_change=on_least)


def payload(
    blocks: Sequence[Block],
    selection: Selection,
    measure: str,
    say: Callable[..., str],
    least: Least = FROM_NOTHING,
) -> bytes:
    """The blocks one after the other, and in the header all that is said about them.

    Of each row only the part where it may look travels: half of a decoder's map is forbidden.
    """
    header = {
        "measure": measure,
        "least": least,
        "colour": selection.colour,
        "ticks": _ticks(selection.colour),
        "selected": _selected(blocks, selection),
        "text": _text(blocks, selection.colour, measure, say),
        "blocks": [_described(block, say) for block in blocks],
    }
    parts = [_seen_parts(block) for block in blocks]
    weights, masks = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return pack(header, weights, masks)


def _seen_parts(block: Block) -> tuple[np.ndarray, np.ndarray]:
    """Weights and mask of each row from its first key to its last, one after the other."""
    masks = np.broadcast_to(block.mask, block.weights.shape)
    wanted = np.zeros(block.weights.shape, bool)
    for row, (first, end) in enumerate(_seen(block)):
        wanted[..., row, first:end] = True
    return block.weights[wanted], masks[wanted]


def _seen(block: Block) -> list[tuple[int, int]]:
    """From which key to before which each row may look, in any layer and head."""
    seen = np.atleast_2d(np.broadcast_to(block.mask, block.weights.shape).any((0, 1)))  # (Q, K)
    return [(int(row.argmax()), len(row) - int(row[::-1].argmax())) for row in seen]


def _ticks(colour: str) -> list[tuple[float, str]]:
    """Few, because the scale is short; the lowest of a logarithmic scale stands for all below it."""
    (place, number), *others = ticks(colour, few=True)
    return [(place, f"≤ {number}" if colour == "log" else number), *others]


def _described(block: Block, say: Callable[..., str]) -> dict:
    layers, heads, queries, keys = block.weights.shape
    if (queries, keys) != (len(block.queries), len(block.keys)):
        raise ValueError(
            f"{block.kind}: maps of {queries} × {keys} do not fit "
            f"{len(block.queries)} queries × {len(block.keys)} keys"
        )
    return {
        "kind": block.kind,
        "name": say(f"kind.{block.kind}"),
        "axes": block.axes,
        "layers": layers,
        "heads": heads,
        "queries": list(block.queries),
        "keys": list(block.keys),
        "seen": _seen(block),
        "measures": {name: _numbers(values) for name, values in block.measures.items()},
        "names": {layer * heads + head: list(names) for (layer, head), names in block.names.items()},
    }


def _numbers(values: np.ndarray) -> list[float | None]:
    """JSON has no NaN."""
    return [None if np.isnan(value) else round(float(value), 4) for value in values.ravel()]


def _selected(blocks: Sequence[Block], selection: Selection) -> dict | None:
    for place, block in enumerate(blocks):
        if block.kind == selection.kind:
            first = selection.layer * block.weights.shape[1]
            maps = [first + head for head in selection.head]
            return {"block": place, "map": maps[0], "maps": maps}
    return None


def _text(blocks: Sequence[Block], colour: str, measure: str, say: Callable[..., str]) -> dict:
    """Sentences for the browser; what only it knows stays in braces."""
    gaps = "kind layer head names looking seen weight entropy least shown all"
    left = {name: f"{{{name}}}" for name in gaps.split()}
    look = say("look.short")
    return {
        "reading": say("all_heads.reading", **left),
        "name": say("all_heads.name", **left),
        "without": say("all_heads.without", **left),
        "cell": say("all_heads.cell", **left),
        "layer": say("all_heads.layer", **left),
        "head": say("all_heads.head", **left),
        "filter": say("all_heads.filter", measure=say(f"measure.{measure}"), **left),
        "nothing": say("all_heads.nothing"),
        "masked": say("all_heads.masked"),
        "condensed": say("all_heads.condensed"),
        "legend": say(f"all_heads.legend.{colour}"),
        "mouse": say("all_heads.mouse", look=look),
        "touch": say("all_heads.touch", look=look),
        "keys": say("all_heads.keys", look=look),
        "table": say("all_heads.table"),
        "which": say("all_heads.which"),
        "names": say("all_heads.names"),
        "whose": say("all_heads.whose", **left),
        "strongest": say("all_heads.strongest"),
        "pair": say("all_heads.pair", **left),
        "measures": {name: say(f"measure.{name}") for name in blocks[0].measures},
    }
