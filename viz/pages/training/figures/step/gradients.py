"""The gradient that reaches every head: a cell each, with a stripe for each of its four matrices."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from model.network.kinds import KINDS
from model.training.one_step.gradients import MATRICES, Reached
from viz.figures.charts import bars
from viz.figures.drawing import Drawing, Mark, moved, rect, text
from viz.figures.numbers import compact
from viz.figures.scales import SHADES

Say = Callable[..., str]
BLOCK, GAP = 372, 30  # pixels
LEFT, TOP, LAYER, APART = 18, 40, 37, 4
LEGEND, SMALL = 20, 11
HEAD_BARS = 400


class Chosen(NamedTuple):
    kind: str
    layer: int
    head: int
    matrix: str


def grid(found: Reached, chosen: Chosen, say: Say) -> Drawing:
    """Three blocks of layers × heads; the colour of a stripe is ‖∂L/∂W‖ ÷ ‖W‖ over that head's part."""
    most = max(float(found.relative(kind).max()) for kind in KINDS)
    layers = found.relative("encoder").shape[0]
    tall = TOP + layers * LAYER + 14
    marks: list[Mark] = []
    narrow: list[Mark] = []
    for place, kind in enumerate(KINDS):
        block = _block(kind, found.relative(kind), most, chosen, say)
        marks += moved(block, place * (BLOCK + GAP), 0)
        narrow += moved(block, 0, place * tall)
    wide = len(KINDS) * (BLOCK + GAP) - GAP
    marks += moved(_legend(most, say), wide - 330, tall)
    narrow += moved(_legend(most, say), 10, tall * len(KINDS))
    title = say("training.step.grid")
    small = Drawing(BLOCK, tall * len(KINDS) + 34, title, tuple(narrow))
    return Drawing(wide, tall + 34, title, tuple(marks), narrow=small)


def _block(kind: str, values: np.ndarray, most: float, chosen: Chosen, say: Say) -> list[Mark]:
    layers, heads, _ = values.shape
    room = (BLOCK - LEFT) / heads
    stripe = (room - APART) / len(MATRICES)
    marks = [text(say(f"kind.{kind}"), 0, 12, bold=True, size=LEGEND * 0.6)]
    for head in range(heads):
        x = LEFT + head * room
        look = {"anchor": "middle", "fill": f"head:{head}", "bold": True, "size": SMALL}
        marks.append(text(str(head + 1), x + (room - APART) / 2, TOP - 8, **look))
        for place, name in enumerate(MATRICES):
            at = x + (place + 0.5) * stripe
            low = TOP + layers * LAYER + 6
            marks.append(text(name.upper(), at, low, size=8, anchor="middle", fill="faint"))
    for layer in range(layers):
        y = TOP + layer * LAYER
        marks.append(text(str(layer + 1), LEFT - 8, y + LAYER / 2, size=SMALL, anchor="end"))
        for head in range(heads):
            x = LEFT + head * room
            for place, name in enumerate(MATRICES):
                where = Chosen(kind, layer, head, name)
                marks.append(_stripe(where, values[layer, head, place], most, chosen, x + place * stripe, y,
                                     stripe, say))  # fmt: skip
    return marks + _framed(kind, chosen, room)


def _stripe(
    where: Chosen, value: float, most: float, chosen: Chosen, x: float, y: float, wide: float, say: Say
) -> Mark:
    shade = float(SHADES["root"](np.asarray(value / most)))
    tip = say(
        "training.step.part.tip", matrix=where.matrix.upper(), kind=say(f"kind.short.{where.kind}"),
        layer=where.layer + 1, head=where.head + 1, value=compact(float(value)),
    )  # fmt: skip
    name = ".".join(map(str, where))
    more = {"pick": list(where), "on": where == chosen, "tip": tip, "name": name}
    return rect(x, y, wide - 0.6, LAYER - 6, f"scale:{shade:.3f}", **more)


def _framed(kind: str, chosen: Chosen, room: float) -> list[Mark]:
    """A frame around the chosen head."""
    if kind != chosen.kind:
        return []
    x, y = LEFT + chosen.head * room, TOP + chosen.layer * LAYER
    return [rect(x - 2, y - 2, room - APART + 3, LAYER - 2, "none", stroke="ink", round=3, name="chosen")]


def _legend(most: float, say: Say) -> list[Mark]:
    steps, wide = 24, 150
    marks = [rect(150 + place * wide / steps, 6, wide / steps + 0.5, 9, f"scale:{place / (steps - 1):.3f}")
             for place in range(steps)]  # fmt: skip
    marks.append(text(say("training.step.scale"), 142, 15, size=SMALL, anchor="end", fill="faint"))
    for share in (0, 0.25, 1):
        at = 150 + wide * float(SHADES["root"](np.asarray(share)))
        marks.append(text(compact(most * share), at, 28, size=10, anchor="middle", fill="faint"))
    return marks


def one_head(found: Reached, chosen: Chosen, say: Say) -> Drawing:
    """The chosen head's four numbers."""
    values = found.relative(chosen.kind)[chosen.layer, chosen.head]
    marks = bars(
        values, [f"W^{name.upper()}" for name in MATRICES], wide=HEAD_BARS, high=21, y=4, written="{:.2g}",
        fills=["mark" if name == chosen.matrix else "ink" for name in MATRICES],
        names=[f"part.{name}" for name in MATRICES], picks=list(MATRICES),
        on=list(MATRICES).index(chosen.matrix),
    )  # fmt: skip
    return Drawing(HEAD_BARS, 10 + 21 * len(MATRICES), say("training.step.one_head"), tuple(marks))
