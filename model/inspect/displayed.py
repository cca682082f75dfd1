"""How a notebook shows a run: the model itself knows only words, and asks who can draw.

Whoever draws says so with `draws`. An installed package that is never imported can be found as well: it names
a module under "headlight.display" among its entry points, and that module is imported when a run is shown.
"""

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

GROUP = "headlight.display"
Bundle = dict[str, Any]  # what is shown, by MIME type

_drawing: list[Callable[[Any], Bundle]] = []  # the last one draws


def draws(draw: Callable[[Any], Bundle]) -> Callable[[Any], Bundle]:
    """From now on runs are shown as this function says."""
    _drawing.append(draw)
    return draw


def displayed(run: object) -> Bundle:
    """The run as somebody draws it; in words where nobody does."""
    if not _drawing:
        for found in entry_points(group=GROUP):
            found.load()
    return _drawing[-1](run) if _drawing else {"text/plain": repr(run)}
