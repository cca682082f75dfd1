"""The steps to one weight as pictures: the strip of all of them, each of them large, and why √d_k."""

from viz.pages.inside.figures.overview import small, strip
from viz.pages.inside.figures.scaling import saturation, two_softmaxes
from viz.pages.inside.figures.steps import large

__all__ = ["large", "saturation", "small", "strip", "two_softmaxes"]
