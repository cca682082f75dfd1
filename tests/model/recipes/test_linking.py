"""Pairs of several statements in one sentence."""

import re

import numpy as np
import pytest

from model.recipes.linking import LINKS, link_pairs

PAIRS = [
    ("Tom sleeps.", "Tom dort."),
    ("He eats bread.", "Il mange du pain."),
    ("I think he is here.", "Je pense qu'il est ici."),
    ("Paris is big, and Tom knows.", "Paris est grand, et Tom le sait."),  # linked already
    ("It is late.", "Il est tard."),  # after "He eats bread" it would be the bread
    ("Does he know that I am here?", "Sait-il que je suis ici ?"),
]
STATEMENTS = dict(PAIRS[:3])
INSIDE = {"He": "he", "Il": "il", "Je": "je"}  # names and I are written as they were


def inside(text: str) -> str:
    return re.sub(r"^\w+", lambda word: INSIDE.get(word[0], word[0]), text).removesuffix(".")


def test_statements_are_linked_alike_in_both_languages():
    made = link_pairs(PAIRS, 300, np.random.default_rng(1))
    assert len(made) == 300
    french = dict(LINKS)
    split = re.compile("(" + "|".join(french) + ")")
    counts = set()
    for source, target in made:
        first, *rest = split.split(source)
        expected = STATEMENTS[f"{first}."].removesuffix(".")
        for link, statement in zip(rest[::2], rest[1::2], strict=True):
            (said,) = (said for said in STATEMENTS if inside(said) == statement.removesuffix("."))
            expected += french[link] + inside(STATEMENTS[said])
        assert target == re.sub(r"que (?=il)", "qu'", expected) + "."
        counts.add(1 + len(rest) // 2)
    assert counts == {2, 3}


@pytest.mark.parametrize("pairs", [[], PAIRS[3:]])
def test_without_statements_nothing_is_made(pairs):
    assert link_pairs(pairs, 5, np.random.default_rng(1)) == []
