"""The lines of a head, so small that only their shape is left: a picture for a list."""

from base64 import b64encode

import numpy as np

from viz.figures.palette import DARK, LIGHT

WIDE, HIGH, EDGE = 112, 64, 4
LEAST = 0.1  # of the weight: fainter lines would be fog
THICKEST = 2.0  # pixels


def thumbnail(weights: np.ndarray, head: int) -> str:  # (Q, K)
    """As HTML. The lines are a mask, through which the page shows the head's hue in its own theme."""
    light, dark = (theme.heads[head % len(theme.heads)] for theme in (LIGHT, DARK))
    mask = b64encode(_lines(weights).encode()).decode()
    look = (
        f"background:light-dark({light},{dark});mask:url(data:image/svg+xml;base64,{mask}) center no-repeat"
    )
    return f'<i class="lines" style="{look};width:{WIDE}px;height:{HIGH}px"></i>'


def _lines(weights: np.ndarray) -> str:
    rows, columns = (np.linspace(EDGE, HIGH - EDGE, count) for count in weights.shape)
    middle, right = WIDE // 2, WIDE - EDGE
    paths = [
        f'<path d="M{EDGE} {rows[i]:.0f}C{middle} {rows[i]:.0f} {middle} {columns[j]:.0f} '
        f'{right} {columns[j]:.0f}" stroke-width="{THICKEST * weights[i, j]:.1f}"/>'
        for i, j in np.argwhere(weights >= LEAST)
    ]
    space = 'xmlns="http://www.w3.org/2000/svg"'
    group = f'<g fill="none" stroke="black">{"".join(paths)}</g>'
    return f'<svg {space} viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}" height="{HIGH}">{group}</svg>'
