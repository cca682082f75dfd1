"""The words of the translation so far, as the way from step to step."""

from functools import partial

import numpy as np

from viz.components import drawing
from viz.figures.drawing import Drawing
from viz.frame.presenter import presenting
from viz.pages.decoding.figures import steps as figures
from viz.pages.decoding.panels.here import Here, pick_step
from viz.state.language import say


def show_strip(now: Here, view: str) -> Drawing:
    """On a wall one line of it: the pictures need the room."""
    sure, lines = np.exp(now.path.written.log_probs).tolist(), 1 if presenting() else figures.LINES
    drawn = figures.strip(now.labels, sure, now.at, now.path.chosen_steps, say, lines)
    drawing.show(drawn, key=view, on_pick=partial(pick_step, view))
    return drawn
