"""Drawings of what layers cost: the paper's table, times, what runs at once, and two kinds of scores."""

from collections.abc import Callable

from viz.figures.numbers import count

Say = Callable[..., str]

WIDE, NARROW = 1120, 360  # pixels of a sheet, and of a telephone's
SHORTEST = 8  # positions that the axes of charts begin with
COLOURS = {"attention": "series:0", "recurrent": "series:1", "convolutional": "series:2"}


def own_of(words: int, say: Say) -> list[tuple[str, str, bool]]:
    """What the dashed line of a chart means, for its legend; a very short sentence has none."""
    said = say("why.cost.times.own", words=count(words))
    return [(said, "faint", True)] if words >= SHORTEST else []
