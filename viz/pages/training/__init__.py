"""Training: how do heads come about?"""

from dataclasses import dataclass

from viz.state.choices import Choices, cells, integer, integers, one_of, text
from viz.state.page import Page
from viz.state.session import chosen


@dataclass(frozen=True)
class Training(Choices):
    training: str = one_of("film", "forming", "step")
    # The film of the model that ships.
    film_at: int | None = integer()  # its moment; None: it plays from the beginning
    filmed: int = integer(0)  # the sentence, by its number in the film
    # Heads that form while one watches.
    toy: str = one_of("grammar", "copy", "reverse", "dates", "sort", "own")  # the task
    toy_moment: int | None = integer()  # of its film; None: as far as it has come
    toy_seed: int = integer(0)
    toy_layers: int = one_of(1, 2)
    toy_heads: int = one_of(1, 2, 4, 8, usual=4)
    toy_width: int = one_of(32, 64, 128, usual=64)
    toy_positions: str = one_of("sinusoidal", "learned", "rotary", "none")
    toy_changed: tuple[int, ...] = integers(below=5)  # switches that stand otherwise than usual
    toy_off: tuple[tuple[int, int], ...] = cells()  # heads switched while it trains: step and number of each
    toy_beside: str = one_of(
        "nothing", "scaled", "residual", "norm", "warm", "smoothed", "positions", "heads", "width", "layers",
        "seed",
    )  # the one setting in which a second training differs  # fmt: skip
    toy_pairs: str = text(longest=600)  # a task of one's own, its lines joined by bars
    toy_split: str = one_of("words", "letters")
    # One step on a pair of one's own.
    answer: str = text(longest=600)  # the translation that is learned, in somebody's own words
    stage: str = one_of("loss", "gradients", "weight", "after")
    projection: str = one_of("q", "k", "v", "o")  # of the chosen head
    weight: tuple[tuple[int, int], ...] = cells()  # one of its weights: dimension of the head, of the stream
    taken: int = one_of(0, 1, 10, usual=1)  # how many steps
    rate: int = one_of(1, 40, 400, 4000, usual=40)  # the step of the schedule whose learning rate is taken


def shows() -> str:
    """The part of the model that the chosen panel is about."""
    return "softmax" if chosen(Training).training == "step" else "cross"


def looks_at_a_head() -> bool:
    """A toy has heads of its own, whose names nobody knows."""
    return chosen(Training).training != "forming"


def stepped() -> str:
    """Keys step through the panels, and through the views of one that has several."""
    return "stage" if chosen(Training).training == "step" else "training"


PAGE = Page("training", Training, steps="training", heads=looks_at_a_head, stepped=stepped, shows=shows)
