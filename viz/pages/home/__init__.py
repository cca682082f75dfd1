"""Overview: what happens to a sentence? The paper's figure 1, alive on the current sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

from viz.pages.home.numbers import row_of
from viz.state.choices import Choices, integer
from viz.state.page import Page
from viz.state.runs import current_trace
from viz.state.session import chosen


@dataclass(frozen=True)
class Home(Choices):
    writes: int | None = integer()  # the word that is being written, by the decoder's row


def words() -> tuple[Sequence[int], int]:
    """All rows of the decoder, and the one that writes."""
    trace = current_trace()
    return range(len(trace.log_probs)), row_of(trace, chosen(Home).writes)


PAGE = Page("home", Home, steps="writes", heads=True, always_steps=True, places=words, shows=lambda: "whole")
