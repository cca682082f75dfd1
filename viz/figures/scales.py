"""Colour scales: where on a scale a number lies, which colour stands there, and which ticks it has.

A scale runs from 0 to 1, or to both sides of zero for a difference. The browser draws with the same
numbers (viz/components/browser/shared/scale.js).
"""

from collections.abc import Callable

import numpy as np

from viz.figures.numbers import rounded
from viz.figures.palette import LESS, MORE, Theme

LEVELS = 256  # colours of a scale
DECADES = 3  # how far down a logarithmic scale goes
SHADES: dict[str, Callable[[np.ndarray], np.ndarray]] = {  # where on the scale a share of the most lies
    "linear": lambda share: share,
    "root": np.sqrt,
    "log": lambda share: np.maximum(0, 1 + np.log10(np.maximum(share, 10.0**-DECADES)) / DECADES),
}
TICKS = {"linear": (0, 0.25, 0.5, 0.75, 1), "root": (0, 0.05, 0.25, 0.5, 1), "log": (0.001, 0.01, 0.1, 1)}


def stops(theme: Theme, difference: bool = False) -> tuple[str, ...]:
    """The colours between which a scale runs evenly; nothing but paper at the middle of a difference."""
    return (LESS, theme.paper, MORE) if difference else theme.scale


def pixels(
    share: np.ndarray, theme: Theme, colour: str = "linear", difference: bool = False
) -> np.ndarray:  # (…) -> (…, 3)
    """The colour of each share of a scale as red, green and blue; one of 256."""
    ends = np.array([tuple(bytes.fromhex(stop[1:])) for stop in stops(theme, difference)], float)
    level = _round(SHADES[colour](np.clip(share, 0, 1)) * (LEVELS - 1)) / (LEVELS - 1)
    places = np.linspace(0, 1, len(ends))
    mixed = np.stack([np.interp(level, places, part) for part in ends.T], -1)
    return _round(mixed).astype(np.uint8)


def hexes(
    share: np.ndarray, theme: Theme, colour: str = "linear", difference: bool = False
) -> np.ndarray:  # (…) -> (…)
    """The same, as drawings write them.

    >>> from viz.figures.palette import LIGHT
    >>> hexes(np.array([0.0, 1.0]), LIGHT).tolist()
    ['#ecf5fb', '#151c53']
    """
    numbers = pixels(share, theme, colour, difference).astype(int) @ (65536, 256, 1)
    return np.vectorize("#{:06x}".format, otypes=["U7"])(numbers)


def ticks(colour: str, least: float = 0.0, most: float = 1.0, few: bool = False) -> list[tuple[float, str]]:
    """Where on the scale each tick stands, and its number; a short scale has room for `few`.

    >>> ticks("root", few=True)
    [(0.0, '0'), (0.5, '0.25'), (1.0, '1')]
    """
    shares = TICKS[colour][::2] if (few or least < 0) and colour != "log" else TICKS[colour]
    return [
        (float(SHADES[colour](np.asarray(share))), rounded(least + share * (most - least)))
        for share in shares
    ]


def _round(numbers: np.ndarray) -> np.ndarray:
    """As the browser rounds: a half always upwards."""
    return np.floor(numbers + 0.5)
