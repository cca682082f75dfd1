"""Why attention: what did it replace, and what does it cost?"""

from dataclasses import dataclass

from viz.state.choices import Choices, one_of
from viz.state.page import Page
from viz.state.session import chosen


@dataclass(frozen=True)
class Why(Choices):
    why: str = one_of("length", "reach", "cost", "tiles", "memory", "after")


def shows() -> str:
    """The part of the model that the chosen panel is about."""
    return "whole" if chosen(Why).why in ("length", "after") else "attention"


PAGE = Page("why", Why, steps="why", always_steps=True, shows=shows)
