"""Experiment: does it matter?"""

from dataclasses import dataclass

from viz.state.choices import Choices, integer, one_of
from viz.state.page import Page


@dataclass(frozen=True)
class Experiment(Choices):
    test: str = one_of("compare", "find", "contrast", "prune", "using")
    found_word: int | None = integer()  # what the search is about: 0 all of it, else one word of it
    rival: int | None = integer()  # the piece, by its id, that the contrast asks about
    kept: int | None = integer()  # how many heads pruning leaves


PAGE = Page("experiment", Experiment, steps="test", heads=True, always_steps=True)
