"""How a weight becomes a line of the head view: its place, its thickness and its opacity.

The browser's lines and the drawing's are made of the same numbers.
"""

from viz.figures.palette import FAINTEST_LINE

LEAST = 0.01  # of the scale: fainter lines are not drawn, fainter numbers not written
THINNEST, THICKEST = 0.6, 3.0  # pixels


def row_height(rows: int) -> int:
    """Of a word, in pixels: a screen is full with 25 of them, and 12 are still legible."""
    return 22 if rows <= 25 else max(12, 550 // rows)


def apart(heads: int, height: float) -> float:
    """Between the lines of two heads from word to word: they run side by side, within the word's row."""
    return min(3.0, 0.7 * height / (heads - 1)) if heads > 1 else 0.0


def thickest(height: float) -> float:
    """The whole weight as a line: the lower the rows, the thinner."""
    return min(THICKEST, max(THICKEST / 2, height / 7))


def faintest(row: int | None, column: int | None) -> float:
    """The opacity of no weight at all: the fewer lines there are, the more of each can be seen."""
    return FAINTEST_LINE[(row is not None) + (column is not None)]
