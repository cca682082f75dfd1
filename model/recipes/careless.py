"""Sources as people type them in a hurry: without capitals, full stops or apostrophes, or in capitals only.

A corpus is proofread; a visitor's sentence is not, and a vocabulary spells "WHERE ARE YOU" letter by letter.
The target stays as it was: whatever was typed, the translation is written properly.
"""

from collections.abc import Callable, Sequence

import numpy as np

from model.training.data import Pair

ENDS = ".?!"
Type = Callable[[str], str]


def without_end(text: str) -> str:
    """
    >>> without_end("Why not?"), without_end("?")
    ('Why not', '?')
    """
    return text.rstrip(ENDS).rstrip() or text


def in_title_case(text: str) -> str:
    """A title: every word of four letters or more with a capital, the first one too, and no full stop.

    >>> in_title_case("how to make a paper boat.")
    'How to Make a Paper Boat'
    """
    words = enumerate(without_end(text).split(" "))
    return " ".join(
        word[:1].upper() + word[1:] if not place or len(word) > 3 else word for place, word in words
    )


WAYS: tuple[Type, ...] = (
    str.lower,
    without_end,
    lambda text: without_end(text.lower()),
    lambda text: without_end(text.lower()).replace("'", ""),
    lambda text: text.replace("'", ""),
    str.upper,
    in_title_case,
)


def type_carelessly(pairs: Sequence[Pair], count: int, rng: np.random.Generator) -> list[Pair]:
    """Pairs whose source is typed in one of these ways, where that makes a difference."""
    made: list[Pair] = []
    while len(made) < count and pairs:
        source, target = pairs[int(rng.integers(len(pairs)))]
        typed = WAYS[int(rng.integers(len(WAYS)))](source)
        if typed != source or rng.random() < 0.01:  # a corpus in capitals must not keep us forever
            made.append((typed, target))
    return made
