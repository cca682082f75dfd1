"""All heads: what patterns are there?"""

from dataclasses import dataclass

from viz.state.choices import Choices, one_of
from viz.state.page import Page


@dataclass(frozen=True)
class AllHeads(Choices):
    # What the heads are sorted by.
    measure: str = one_of("none", "entropy", "distance", "previous", "self", "next", "special")


PAGE = Page("all_heads", AllHeads, steps="measure", shows=lambda: "attention")
