"""Every head of every kind on one sheet, as a drawing that opens on its own.

Labels are text; each small map is a picture of one pixel a weight, scaled without smoothing.
"""

import base64
import io
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from PIL import Image

from viz.figures.palette import DARK, LIGHT, Theme
from viz.figures.scales import pixels
from viz.figures.svg import document, tag, write

CELL, GAP, LEFT, TOP = 72, 8, 44, 64  # pixels: a map, the space around it, layer numbers, a block's title


class Maps(NamedTuple):
    """All heads of one kind."""

    name: str
    weights: np.ndarray  # (L, H, Q, K)
    mask: np.ndarray  # (L, H, Q, K), True = may look


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
            parts.append(write(label, LEFT + head * (CELL + GAP), high + TOP - 22, font_size=11))
        for layer in range(layers):
            y = high + TOP - 16 + layer * (CELL + GAP)
            parts.append(write(say("all_heads.layer", layer=layer + 1), 8, y + CELL / 2, font_size=11))
            for head in range(heads):
                picture = _picture(block.weights[layer, head], block.mask[layer, head], theme, colour)
                parts.append(
                    tag(
                        "image", x=LEFT + head * (CELL + GAP), y=y, width=CELL, height=CELL, href=picture,
                        preserveAspectRatio="none", style="image-rendering: pixelated",
                    )
                )  # fmt: skip
        high += TOP + layers * (CELL + GAP)
        wide = max(wide, LEFT + heads * (CELL + GAP) + GAP)
    return document(parts, wide=wide, high=high + GAP, title=title, theme=theme)


def _picture(weights: np.ndarray, mask: np.ndarray, theme: Theme, colour: str) -> str:
    """A PNG as a data address; where one may not look it is clear."""
    coloured = np.dstack([pixels(weights, theme, colour), np.where(mask, 255, 0).astype(np.uint8)])
    file = io.BytesIO()
    Image.fromarray(coloured, "RGBA").save(file, "PNG", optimize=False)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()
