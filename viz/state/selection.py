"""What every page shares: the head that is looked at, perhaps a word, and how both are shown."""

from dataclasses import dataclass

from model.network.kinds import KINDS
from viz.state.choices import Choices, integer, integers, one_of


@dataclass(frozen=True)
class Selection(Choices):
    """One kind of attention, a layer, some of its heads, perhaps a word, and how to show them.

    >>> Selection(head=(1, 4), row=3).to_link(Selection())
    {'head': '1,4', 'row': '3'}
    """

    kind: str = one_of(*KINDS, usual="cross")
    layer: int = integer(0, below="layers")
    head: tuple[int, ...] = integers(0, below="heads")
    row: int | None = integer()  # the piece that looks, by its position
    column: int | None = integer()  # the piece that is looked at
    units: str = one_of("pieces", "words")
    reading: str = one_of("predicted", "read")  # which piece a decoder row is named after
    special: str = one_of("shown", "hidden")
    weighting: str = one_of("weight", "norm")
    colour: str = one_of("linear", "root", "log")
    combine: str = one_of("mean", "max")  # what the heatmap shows of several heads
    over: str = one_of("hand", "grammar")  # the sentences that the atlas was measured on
    present: str = one_of("off", "on")  # one panel in large type, and nothing else
