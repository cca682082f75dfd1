"""Layers: what does each layer do?"""

from dataclasses import dataclass

from model.network.kinds import stack_of
from viz.state.choices import Choices, one_of
from viz.state.page import Page
from viz.state.session import chosen, selection


@dataclass(frozen=True)
class Layers(Choices):
    layers: str = one_of("added", "norm", "path", "units", "vocabulary", "gradients", was="journey")
    part: str = one_of("attention", "cross", "feed_forward")  # the sublayer that is looked at


def shows() -> str:
    """The part of the model that the chosen panel is about."""
    asked, kind = chosen(Layers), selection().kind
    stack = stack_of(kind)
    if asked.layers == "vocabulary" and stack == "decoder":
        return "softmax"
    if asked.layers == "units" or asked.part == "feed_forward":
        return f"{stack}.feed_forward"
    return "cross" if asked.part == "cross" and stack == "decoder" else stack


PAGE = Page("layers", Layers, steps="layers", always_steps=True, shows=shows)
