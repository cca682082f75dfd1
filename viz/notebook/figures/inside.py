"""How one weight comes about, step by step."""

from collections.abc import Callable
from dataclasses import replace

from viz.figures.drawing import Drawing
from viz.notebook.asked import Asked
from viz.pages.inside import WAY
from viz.pages.inside.figures import large
from viz.pages.inside.numbers import cell


def between_pieces(now: Asked) -> Asked:
    """One head, between pieces, as the model computes: other choices do not apply to a single cell."""
    here = replace(now.here, head=now.here.head[:1], units="pieces", special="shown", weighting="weight")
    return replace(now, here=replace(here, colour="linear"))


def _step(step: str) -> Callable[[Asked], Drawing]:
    def made(asked: Asked) -> Drawing:
        now = between_pieces(asked)
        found = cell(now.trace, now.here.kind, now.here.layer, now.head, *now.cell)
        return large(step, found, now.looking.read, now.shown.keys, now.say)

    return made


FIGURES = {f"step.{step}": _step(step) for step in WAY}
