"""Training: how do heads come about?"""

from dataclasses import dataclass

from viz.state.choices import Choices, cells, integer, one_of, text
from viz.state.page import Page
from viz.state.session import chosen


@dataclass(frozen=True)
class Training(Choices):
    training: str = one_of("film", "forming", "step")
    moment: int | None = integer()  # of a film, or how many steps were taken; None: where the panel begins
    # The film of the model that ships.
    filmed: int = integer(0)  # the sentence, by its number in the film
    # Heads that form while one watches.
    # One step on a pair of one's own.
    answer: str = text()  # the translation that is learned, in somebody's own words
    stage: str = one_of("loss", "gradients", "weight", "after")
    matrix: str = one_of("q", "k", "v", "o")  # of the chosen head
    weight: tuple[tuple[int, int], ...] = cells()  # one of its weights: dimension of the head, of the stream
    rate: int = one_of(1, 40, 400, 4000, usual=40)  # the step of the schedule whose learning rate is taken


def shows() -> str:
    """The part of the model that the chosen panel is about."""
    return "softmax" if chosen(Training).training == "step" else "cross"


PAGE = Page("training", Training, steps="training", heads=True, shows=shows)
