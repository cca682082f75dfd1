"""Tasks that a small Transformer learns in seconds: fresh examples without end, in words that people read.

Of each word of the answer an example knows the one source position that it comes from, where there is one:
so a head that looks there can be told from one that does not. None of it is ever shown to the model.
"""

import string
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from model.training.toys.dates import DATE_WORDS, draw_date
from model.training.toys.grammar import ENGLISH, KOREAN, draw_sentence

LETTERS = tuple(string.ascii_lowercase[:16])
SHORTEST, LONGEST = 4, 10  # letters


class Example(NamedTuple):
    source: tuple[str, ...]
    target: tuple[str, ...]
    true: tuple[int | None, ...]  # of each target word the source position it comes from


class Task(NamedTuple):
    """Where examples come from, the words on both sides, and how long a film of it runs."""

    draw: Callable[[Random], Example]
    words: tuple[str, ...]
    shown: Example  # the one whose maps are filmed; never trained on
    steps: int


def _letters(draw: Random, distinct: bool = False) -> tuple[str, ...]:
    many = draw.randint(SHORTEST, LONGEST)
    return tuple(draw.sample(LETTERS, many)) if distinct else tuple(draw.choices(LETTERS, k=many))


def copied(letters: tuple[str, ...]) -> Example:
    return Example(letters, letters, tuple(range(len(letters))))


def reversed_(letters: tuple[str, ...]) -> Example:
    """
    >>> reversed_(("a", "b", "c"))
    Example(source=('a', 'b', 'c'), target=('c', 'b', 'a'), true=(2, 1, 0))
    """
    return Example(letters, letters[::-1], tuple(reversed(range(len(letters)))))


def sorted_(letters: tuple[str, ...]) -> Example:
    """
    >>> sorted_(("c", "a", "b"))
    Example(source=('c', 'a', 'b'), target=('a', 'b', 'c'), true=(1, 2, 0))
    """
    order = sorted(range(len(letters)), key=letters.__getitem__)
    return Example(letters, tuple(letters[place] for place in order), tuple(order))


SHOWN = tuple("machine")
TASKS = {
    "grammar": Task(
        lambda draw: Example(*draw_sentence(draw)),
        (*KOREAN, *ENGLISH),
        Example(
            ("작은", "고양이들이", "큰", "새들을", "자주", "봐요"),
            ("small", "cats", "often", "see", "big", "birds"),
            (0, 1, 4, 5, 2, 3),
        ),
        300,
    ),
    "copy": Task(lambda draw: copied(_letters(draw)), LETTERS, copied(SHOWN), 500),
    "reverse": Task(lambda draw: reversed_(_letters(draw)), LETTERS, reversed_(SHOWN), 1_000),
    "dates": Task(
        lambda draw: Example(*draw_date(draw)),
        DATE_WORDS,
        Example(*draw_date(Random("shown"), (1998, 5, 23), "korean")),
        1_000,
    ),
    "sort": Task(lambda draw: sorted_(_letters(draw, distinct=True)), LETTERS, sorted_(SHOWN), 400),
}  # fmt: skip
