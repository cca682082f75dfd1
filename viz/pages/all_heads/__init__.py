"""All heads: what patterns are there?"""

from dataclasses import dataclass

from viz.state.choices import Choices, one_of, word
from viz.state.page import Page


@dataclass(frozen=True)
class AllHeads(Choices):
    # What the heads are sorted by.
    measure: str = one_of("none", "entropy", "distance", "previous", "self", "next", "special")
    only: str = word("")  # the heads that are left: "entropy:0.4" are those of at least so much


PAGE = Page("all_heads", AllHeads, steps="measure", heads=True, shows=lambda: "attention")
