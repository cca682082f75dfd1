"""Pairs in which somebody has another name."""

import re

import numpy as np
import pytest

from model.recipes.renaming import find_names, glue, rename_pairs

PAIRS = [
    ("Tom is here.", "Tom est ici."),
    ("I saw Tom.", "J'ai vu Tom."),
    ("Where is Boston?", "Où est Boston ?"),
    ("Alice and Tom left.", "Alice et Tom sont partis."),
    ("Silence is golden.", "Silence est d'or."),
    ("I like silence.", "J'aime le silence."),
    ("Peter met Boston.", "Pierre a rencontré Boston."),
    ("Peter is Tom.", "Tom est Peter."),
    ("He sleeps.", "Il dort."),
]


def test_names_are_the_same_on_both_sides_and_never_written_small():
    assert find_names(PAIRS) == ["Boston", "Peter", "Tom"]


def test_a_new_name_stands_on_both_sides_in_the_place_of_the_old_one():
    made = rename_pairs(PAIRS, 90, np.random.default_rng(1))
    assert len(made) == 90
    frames = {
        (re.sub("Tom|Boston", "_", source), re.sub("Tom|Boston", "_", target)) for source, target in PAIRS
    }
    glued = {glue(first, second) for first in find_names(PAIRS) for second in find_names(PAIRS)}
    for source, target in made:
        (name,) = {name for name in glued if re.search(rf"\b{name}\b", source)}
        assert (source.replace(name, "_"), target.replace(name, "_")) in frames
    assert len({source for source, _ in made}) > len(PAIRS)


def test_a_pair_with_two_names_is_left_alone():
    made = rename_pairs(PAIRS, 45, np.random.default_rng(1))
    assert not any("is Tom" in source or "Peter is" in source for source, _ in made)


@pytest.mark.parametrize("pairs", [[], PAIRS[-1:]])
def test_without_names_nothing_is_made(pairs):
    assert rename_pairs(pairs, 5, np.random.default_rng(1)) == []
