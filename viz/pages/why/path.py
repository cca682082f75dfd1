"""The path between two words and the word that others reach, for the panel and for keys that step."""

from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from viz.pages.why.numbers.reach import LANES, Sizes, hops
from viz.state import rivals

if TYPE_CHECKING:
    from viz.pages.why import Why


class Way(NamedTuple):
    """From one position to another, through layers of these sizes."""

    source: int
    target: int
    sizes: Sizes

    @property
    def distance(self) -> int:
        return abs(self.target - self.source)

    @property
    def most(self) -> int:
        """Hops of the longest way there."""
        return max(len(hops(lane, self.distance, self.sizes)) for lane in LANES)

    def over(self, asked: int | None) -> int:
        """How many hops somebody wants to have seen; all, if nothing was asked."""
        return self.most if asked is None else min(asked, self.most)


def way(asked: "Why", count: int) -> Way:
    """In a sentence of so many positions; from the first to the last, unless somebody chose others."""
    target = count - 1 if asked.reach_to is None else min(asked.reach_to, count - 1)
    sizes = Sizes(asked.cost_kernel, asked.reach_dilation, asked.reach_window)
    return Way(min(asked.reach_from, count - 1), target, sizes)


def reached(asked: "Why", count: int) -> int:
    """The position whose change is shown; the middle, unless somebody chose another."""
    return count // 2 if asked.reach_word is None else min(asked.reach_word, count - 1)


def steps(asked: "Why", count: int) -> tuple[range, int]:
    """Hop by hop, or word by word, and where that stands."""
    if asked.reach_view == "hops":
        found = way(asked, count)
        return range(found.most + 1), found.over(asked.reach_hop)
    text = st.session_state.shown
    if rivals.refusal(text) is not None:
        return range(1), 0
    words = range(len(rivals.pieces(text)))
    return words, reached(asked, len(words))
