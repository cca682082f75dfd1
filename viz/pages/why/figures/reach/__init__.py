"""Drawings of how far a word reaches: what was measured on the sentence, and the hops of a path."""

from collections.abc import Callable

Say = Callable[..., str]

WIDE, NARROW = 1120, 360  # pixels of a sheet, and of a telephone's
LEANS = 44  # pixels of a column under which its word stands slanting
COLOURS = {
    "recurrent": "series:1", "convolutional": "series:2", "dilated": "series:4", "restricted": "series:3",
    "attention": "series:0",
}  # fmt: skip


def slanting(x: float) -> float:
    """Pixels of a word that ends at `x` and leans by fifty degrees: it may not begin left of the sheet."""
    return max(22.0, min(80.0, 1.5 * x))
