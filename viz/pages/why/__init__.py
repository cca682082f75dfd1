"""Why attention: what did it replace, and what does it cost?"""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from viz.pages.why import path, tiled
from viz.state import runs
from viz.state.choices import Choices, integer, one_of
from viz.state.page import Page
from viz.state.session import chosen, options, selection

# Panels in which keys step through something of their own.
STEPPED = {
    "length": "length_view",
    "tiles": "tile",
    "cost": "cost_view",
    "memory": "memory_view",
    "after": "age",
}


@dataclass(frozen=True)
class Why(Choices):
    why: str = one_of("length", "reach", "cost", "tiles", "memory", "after")
    # Longer sentences: the view; whose curve stands out and whose translation all read, and a piece of that.
    length_view: str = one_of("quality", "looks")
    five: str = one_of("unasked", "asked")  # whether all five translate this sentence below the curves
    network: str = one_of(
        "recurrent", "additive", "multiplicative", "convolutional", "transformer", usual="transformer"
    )
    length_row: int | None = integer()  # None: where they are surest where to look
    # Tile by tile: how many rows and columns of scores exist at once, and which tile a row goes through.
    tile_rows: int = one_of(2, 4, 8, 16, 32, 64, usual=4)
    tile_columns: int = one_of(2, 4, 8, 16, 32, 64, usual=4)
    tile: int | None = integer()  # None: where one tile takes about half of what was summed
    # What it costs: the view, and what stands in its formulas.
    cost_view: str = one_of("table", "times", "steps", "scores")
    cost_words: int = one_of(0, 16, 64, 256, 1024, 4096)  # n; 0: as many as this sentence has
    cost_kernel: int = one_of(3, 5, 7, 9)  # k
    cost_near: int = one_of(1, 2, 4, 8, 16, 32, usual=4)  # r
    cost_layer: str = one_of(
        "attention", "recurrent", "convolutional", "dilated", "restricted", "separable",
    )  # the row whose formula is written out  # fmt: skip
    cost_step: int | None = integer()  # how many steps of the plan are over; None: all
    # How far a word reaches: the view; whose change is measured, and in which layer of a network.
    reach_view: str = one_of("measured", "hops")
    reach_word: int | None = integer()  # None: the one in the middle
    reach_depth: str = one_of("first", "last", usual="last")
    # A path: from where to where, how many hops are over; b and r, and the layers that a field is shown of.
    reach_from: int = integer(0)
    reach_to: int | None = integer()  # None: the last
    reach_hop: int | None = integer()  # None: all
    reach_dilation: int = one_of(1, 2, 3, usual=2)
    reach_window: int = one_of(3, 5, 9, 17, 33, usual=5)
    reach_layers: int = one_of(1, 2, 3, 4, 6, 8, usual=3)
    # Memory: a text or what was measured; the text, and the head, the row and the cell that are looked at.
    memory_view: str = one_of("text", "worth")
    memory_text: str = one_of("own", "names", "days", "ship")
    memory_layer: int = integer(0)
    memory_head: int = integer(0)
    memory_row: int | None = integer()  # None: where memory helps most
    memory_column: int | None = integer()  # None: where the head looks most in the memory
    # Then and after.
    age: str = one_of("attention", "paper", "since", usual="paper")
    into: str = one_of("fr", "de")  # the language that the paper's models translate into
    heir: str = one_of("transformer", "gpt", "bert", "t5", "vit", usual="bert")


def shows() -> str:
    """The part of the model that the chosen panel is about."""
    panel = chosen(Why).why
    if panel == "tiles":
        return selection().kind
    return "whole" if panel in ("length", "after") else "attention"


def looks_at_a_head() -> bool:
    return chosen(Why).why == "tiles"


def stepped() -> str:
    """Keys step through the panels, and through the steps of one that has some."""
    if chosen(Why).why == "reach":
        return "reach_hop" if chosen(Why).reach_view == "hops" else "reach_word"
    return STEPPED.get(chosen(Why).why, "why")


def places() -> tuple[Sequence, object]:
    """What keys step through, and where they stand; how many there are may depend on the sentence."""
    field, asked = stepped(), chosen(Why)
    if field == "tile":
        return tiled.steps(asked.tile_rows, asked.tile_columns, asked.tile)
    if asked.why == "reach":
        return path.steps(asked, len(runs.translator().read(st.session_state.shown).ids))
    return options(field), getattr(asked, field)


PAGE = Page(
    "why", Why, steps="why", heads=looks_at_a_head, stepped=stepped, always_steps=True, places=places,
    shows=shows,
)  # fmt: skip
