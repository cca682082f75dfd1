"""Decoding: how is the translation written?"""

from collections.abc import Sequence
from dataclasses import dataclass

from viz.state import decodings
from viz.state.choices import Choices, cells, integer, one_of, text
from viz.state.page import Page
from viz.state.session import chosen

WIDEST = 8  # beam
LONGEST = 3000  # letters of a reference: more than any translation of the model has


@dataclass(frozen=True)
class Decoding(Choices):
    decoding: str = one_of("steps", "choosing", "beam", "given", "memory")
    at: int | None = integer()  # the step that is looked at: how many tokens have been written before it
    forced: tuple[tuple[int, int], ...] = cells()  # tokens that somebody chose instead: step and id of each
    temperature: int = integer(100, below=401)  # in hundredths
    top_k: int = integer(0)  # 0: all
    top_p: int = integer(100, below=101)  # in hundredths
    drawn: int | None = integer()  # the seed that a hundred translations are drawn with; None: not drawn yet
    beam: int = one_of(*range(1, WIDEST + 1), usual=4)
    penalty: int = integer(60, below=301)  # the strength of the length penalty, in hundredths
    node: int | None = integer()  # of the beam's tree, by its place in the record
    reference: str = text(longest=LONGEST)  # the right answer, in somebody's own words


def steps() -> tuple[Sequence[int], int]:
    """All steps of the translation on screen, and the one that is looked at: first where it hesitated."""
    asked = chosen(Decoding)
    path = decodings.current_path(asked.forced)
    return range(len(path.ids)), path.hesitant if asked.at is None else min(len(path.ids) - 1, asked.at)


def shows() -> str:
    """The part of the model that the chosen panel is about."""
    return "decoder" if chosen(Decoding).decoding == "memory" else "softmax"


PAGE = Page("decoding", Decoding, steps="at", heads=True, always_steps=True, places=steps, shows=shows)
