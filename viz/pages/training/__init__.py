"""Training: how do heads come about?"""

from dataclasses import dataclass

from viz.state.choices import Choices, integer, one_of
from viz.state.page import Page
from viz.state.session import chosen


@dataclass(frozen=True)
class Training(Choices):
    training: str = one_of("film", "forming", "step")
    moment: int | None = integer()  # of a film, or how many steps were taken; None: where the panel begins
    # The film of the model that ships.
    # Heads that form while one watches.
    # One step on a pair of one's own.


def shows() -> str:
    """The part of the model that the chosen panel is about."""
    return "softmax" if chosen(Training).training == "step" else "cross"


PAGE = Page("training", Training, steps="training", heads=True, shows=shows)
