"""Positions: how does it know the order?"""

from dataclasses import dataclass

from viz.state.choices import Choices, integer, integers, one_of
from viz.state.page import Page

WIDTHS = (8, 16, 32, 64, 128, 256, 512)


@dataclass(frozen=True)
class Positions(Choices):
    """The panel, and the laboratory's table of waves."""

    positions: str = one_of("table", "waves", "shift", "kinds", "terms", "shuffle", was="order")
    wave_width: int = one_of(*WIDTHS, usual=64)  # how many dimensions the table has,
    base: int = one_of(10, 100, 1_000, 10_000, 100_000, usual=10_000)  # the base of its wavelengths,
    places: int = one_of(16, 32, 64, 128, 256, 512, 1_024, usual=64)  # how many positions,
    first: int = integer(5)  # two of them to compare,
    second: int = integer(9)
    waves: tuple[int, ...] = integers(0, 4, 8, below=max(WIDTHS) // 2)  # and the pairs of dimensions drawn
    seed: int = integer(0)  # of the order that words are shuffled into


PAGE = Page("positions", Positions, steps="positions", always_steps=True, shows=lambda: "positions")
