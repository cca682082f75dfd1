"""Every figure of a run by the name that the app's own files give it, the words of this run on its axes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from viz.figures.drawing import Drawing
from viz.notebook.asked import Asked, asked
from viz.notebook.figures import atlas, decoding, inside, layers, look, positions
from viz.notebook.figures.inside import between_pieces
from viz.notebook.shown import Shown
from viz.notebook.words import grid_in_words, in_words
from viz.text import plain

if TYPE_CHECKING:
    from model import Trace

__all__ = ["FIGURES", "between_pieces", "drawing", "drawn", "figure"]

FIGURES: Mapping[str, Callable[[Asked], Drawing | str]] = {
    **look.FIGURES,
    **inside.FIGURES,
    **positions.FIGURES,
    **layers.FIGURES,
    **decoding.FIGURES,
    **atlas.FIGURES,
}
WORDS = {"grid": grid_in_words, "heatmap": in_words, "head_view": in_words}  # others say what they are


def figure(trace: Trace, name: str, **chosen: Any) -> Shown:
    """One figure of a run; `chosen` as `show` takes it. FIGURES has the names."""
    if name not in FIGURES:
        raise ValueError(f"a figure is one of {', '.join(FIGURES)}, not {name!r}")
    now = asked(trace, **chosen)
    words = (
        WORDS[name](now)
        if name in WORDS
        else f"{now.sentence} → {now.translation}\n{plain(now.say(f'export.{name}'))}"
    )
    return Shown(words, drawn(name, now))


def drawn(name: str, now: Asked) -> str:
    """As a drawing that opens on its own."""
    made = FIGURES[name](now)
    return made.svg() if isinstance(made, Drawing) else made


def drawing(name: str, now: Asked) -> Drawing:
    """As the app's own view takes it."""
    made = FIGURES[name](now)
    if not isinstance(made, Drawing):
        raise ValueError(f"{name!r} is drawn otherwise")
    return made
