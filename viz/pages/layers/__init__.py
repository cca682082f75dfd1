"""Layers: what does each layer do?"""

from dataclasses import dataclass

from viz.state.choices import Choices, one_of
from viz.state.page import Page


@dataclass(frozen=True)
class Layers(Choices):
    layers: str = one_of("added", "norm", "path", "units", "vocabulary", "gradients", was="journey")
    part: str = one_of("attention", "cross", "feed_forward")  # the sublayer that is looked at


PAGE = Page("layers", Layers, steps="layers", always_steps=True)
