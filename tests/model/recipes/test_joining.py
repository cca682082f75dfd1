"""Pairs in a row, and long pairs once again."""

import numpy as np

from model.recipes.joining import join_pairs
from model.recipes.repeating import LONG, repeat_long
from tests.helpers.tiny import PAIRS


def test_joined_pairs_read_as_one_text():
    """Both sides are the same pairs in the same order: two to four of them, seldom up to sixteen."""
    pairs = [(f"a{number}", f"b{number}") for number in range(100)]
    joined = join_pairs(pairs, 500, np.random.default_rng(1))
    assert len(joined) == 500
    assert all(source.replace("a", "b") == target for source, target in joined)
    counts = np.array([len(source.split()) for source, _ in joined])
    assert {*counts} == {*range(2, 17)} and 0.04 < np.mean(counts > 4) < 0.12


def test_long_pairs_come_again_and_short_ones_do_not():
    long = [(" ".join([word] * LONG), word) for word in "abc"]
    again = repeat_long([*PAIRS, *long], 50, np.random.default_rng(1))
    assert len(again) == 50 and set(again) == set(long)
    assert repeat_long([("a", "b")], 5, np.random.default_rng(1)) == []
