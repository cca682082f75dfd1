"""Sources as people type them in a hurry."""

import numpy as np

from model.recipes.careless import WAYS, type_carelessly

PAIRS = [
    ("Where's my red umbrella?", "Où est mon parapluie rouge ?"),
    ("We don't know.", "Nous ne savons pas."),
]


def letters(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalpha())


def test_the_letters_stay_and_so_does_the_target():
    targets = {letters(source): target for source, target in PAIRS}
    made = type_carelessly(PAIRS, 100, np.random.default_rng(1))
    assert len(made) == 100
    for source, target in made:
        assert targets[letters(source)] == target


def test_every_way_of_typing_comes_up():
    made = {source for source, _ in type_carelessly(PAIRS[:1], 200, np.random.default_rng(1))}
    assert {way(PAIRS[0][0]) for way in WAYS} <= made
    assert {"where's my red umbrella?", "WHERE'S MY RED UMBRELLA?", "wheres my red umbrella"} <= made


def test_what_cannot_be_typed_otherwise_does_not_keep_it_forever():
    assert len(type_carelessly([("7", "7")], 3, np.random.default_rng(1))) == 3
    assert type_carelessly([], 3, np.random.default_rng(1)) == []
