"""Every head of every kind on one sheet, as a drawing that opens on its own.

Labels are text; each small map is a picture of one pixel a weight, scaled without smoothing.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from viz.figures.bitmap import PIXELATED, address
from viz.figures.palette import DARK, LIGHT, OPACITY
from viz.figures.scales import pixels
from viz.figures.svg import document, escape, fitting, tag, width, write

CELL, GAP, LEFT, TOP = 72, 8, 44, 64  # pixels: a map, the space around it, layer numbers, a block's title
NAMED, SMALL = 12, 9  # what a row with names is higher, and the size of names

Names = Mapping[tuple[int, int], Sequence[str]]  # by layer and head what it is called; most heads have none
NOBODY: Names = MappingProxyType({})


class Maps(NamedTuple):
    """All heads of one kind."""

    name: str
    weights: np.ndarray  # (L, H, Q, K)
    mask: np.ndarray  # (L, H, Q, K), True = may look
    names: Names = NOBODY


def grid_svg(
    blocks: Sequence[Maps], say: Callable[..., str], *, title: str, colour: str = "linear", dark: bool = False
) -> str:
    """The blocks under each other, layers as rows and heads as columns, numbered from 1."""
    theme = DARK if dark else LIGHT
    parts, high, wide = [write(title, LEFT, 28, font_size=16)], 44.0, 0.0
    for block in blocks:
        layers, heads = block.weights.shape[:2]
        parts.append(write(block.name, LEFT, high + 20, font_size=14))
        for head in range(heads):
            label = say("all_heads.head", head=head + 1)
            parts.append(write(label, _x(head), high + TOP - 22, font_size=11))
        high += TOP
        for layer in range(layers):
            y = high - 16
            parts.append(write(say("all_heads.layer", layer=layer + 1), 8, y + CELL / 2, font_size=11))
            for head in range(heads):
                shown = pixels(block.weights[layer, head], theme, colour)
                picture = address(shown, block.mask[layer, head])
                parts.append(
                    tag(
                        "image", x=_x(head), y=y, width=CELL, height=CELL, href=picture, **PIXELATED
                    )
                )  # fmt: skip
                if names := block.names.get((layer, head)):
                    parts.append(_named(names, _x(head), y))
            named = any(at == layer for at, _ in block.names)
            high += CELL + GAP + (NAMED if named else 0)
        wide = max(wide, _x(heads) + GAP)
    return document(parts, wide=wide, high=high + GAP, title=title, theme=theme)


def _x(head: int) -> int:
    return LEFT + head * (CELL + GAP)


def _named(names: Sequence[str], x: float, y: float) -> str:
    """Under its map as much of a head's first name as has room; where one points, all of them."""
    more = f" +{len(names) - 1}" if names[1:] else ""
    shown = fitting(names[0], CELL + GAP - 2 - width(more, SMALL), SMALL) + more
    whole, look = tag("title", escape(" · ".join(names))), {"font_size": SMALL, "opacity": OPACITY["quiet"]}
    return tag("text", whole, escape(shown), x=x, y=y + CELL + 11, **look)
