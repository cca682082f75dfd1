"""Pairs in which another number stands, spelled in both languages."""

import re

import numpy as np
import pytest

from model.recipes.renumbering import WRITTEN, only_number, renumber_pairs
from model.text.numbers import in_english, in_french

PAIRS = [
    ("I have three cats.", "J'ai trois chats."),
    ("Five men left.", "Cinq hommes sont partis."),
    ("It costs three hundred euros.", "Ça coûte trois cents euros."),
    ("We dine at three o'clock.", "On mange à trois heures."),
    ("I saw two of the four.", "J'ai vu deux des quatre."),
    ("He is twenty-three.", "Il a vingt-trois ans."),
    ("It rains.", "Il pleut."),
]


def test_a_number_that_stands_alone_and_means_the_same_on_both_sides_is_found():
    assert [only_number(pair) for pair in PAIRS] == [3, None, None, None, None, None, None]


def test_the_same_new_number_stands_on_both_sides():
    made = renumber_pairs(PAIRS, 420, np.random.default_rng(1))
    assert len(made) == 420
    numbers = {in_english(number): in_french(number) for number in WRITTEN}
    written = set()
    for english, french in made:
        (said,) = re.fullmatch(r"I have ([a-z-]+) cats\.", english).groups()
        assert french == f"J'ai {numbers[said]} chats."
        written.add(said)
    assert len(written) == len(WRITTEN)


def test_no_two_numbers_are_spelled_alike():
    for spell in (in_english, in_french):
        assert len({spell(number) for number in range(100)}) == 100


@pytest.mark.parametrize("pairs", [[], PAIRS[-1:]])
def test_without_numbers_nothing_is_made(pairs):
    assert renumber_pairs(pairs, 5, np.random.default_rng(1)) == []
