"""Atlas: what does each head do?"""

from dataclasses import dataclass

from viz.state.choices import Choices, cells, integer, one_of, text, word
from viz.state.page import Page


@dataclass(frozen=True)
class Atlas(Choices):
    """The panel; names of measures and roles are words, because which there are the atlas decides."""

    chart: str = one_of("named", "matrix", "ask", "map", "scatter", "table", "detector", "film", "corpus")
    phenomenon: str = word("")  # what the card of a named head is about, and what the matrix is sorted by
    by: str = word("offset")  # the measure that colours the map,
    against: str = word("entropy")  # the one across the scatter,
    role: str = word("")  # and the role that heads must have to be shown
    rule: str = one_of("offset", "relation", "aligned", "painted")  # what the detector looks for,
    rule_offset: str = word("")  # which of each sort,
    rule_relation: str = word("")
    rule_aligned: str = word("")
    painted: tuple[tuple[int, int], ...] = cells()  # and in which cells
    moment: int | None = integer()  # of the film
    place: int | None = integer()  # of the translation that one's own question is about,
    right_piece: int | None = integer()  # what is right there,
    wrong_piece: int | None = integer()  # and what is wrong, by their ids,
    right_word: str = text()  # the words that these begin,
    wrong_word: str = text()
    told: str = word("")  # and the head that is told about: "cross.3.0"


PAGE = Page("atlas", Atlas, steps="chart", always_steps=True, shows=lambda: "attention")
