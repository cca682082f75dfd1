"""Pairs made of pairs: what a corpus has too little of.

A recipe is a function of the corpus's pairs, how many to make, and a random generator. Each draws from a
stream of its own, so that adding one recipe, or more of it, changes nothing about what the others make.
"""

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from model.recipes.careless import type_carelessly
from model.recipes.joining import join_pairs
from model.recipes.linking import link_pairs
from model.recipes.referring import refer_pairs
from model.recipes.refiguring import refigure_pairs
from model.recipes.renaming import rename_pairs
from model.recipes.renumbering import renumber_pairs
from model.recipes.repeating import repeat_long
from model.recipes.wording import word_pairs
from model.training.data import Pair

Make = Callable[[Sequence[Pair], int, np.random.Generator], list[Pair]]


@dataclass(frozen=True)
class Recipe:
    make: Make
    about: str  # what the pairs are, as a command's help says it


RECIPES = {
    "joined": Recipe(join_pairs, "several pairs in a row as one: mostly two to four, seldom up to sixteen"),
    "repeated": Recipe(repeat_long, "pairs of ten source words or more, once again"),
    "linked": Recipe(link_pairs, "two or three statements linked to one sentence (English to French only)"),
    "referred": Recipe(
        refer_pairs,
        "a thing that is named, then spoken of as “it” or “they” (English to French only)",
    ),
    "renamed": Recipe(rename_pairs, "pairs in which somebody has an invented name on both sides"),
    "careless": Recipe(
        type_carelessly, "sources typed without capitals, full stops or apostrophes, or in capitals only"
    ),
    "renumbered": Recipe(renumber_pairs, "pairs that say another number (English to French only)"),
    "refigured": Recipe(
        refigure_pairs, "pairs that name another figure, date or time in digits (English to French only)"
    ),
    "worded": Recipe(word_pairs, "single words with their translations, as the corpus itself tells them"),
}


def make_pairs(pairs: Sequence[Pair], shares: Mapping[str, float], seed: int) -> list[Pair]:
    """What each recipe makes of these pairs: `share` times as many as there are."""
    made: list[Pair] = []
    for name, share in shares.items():
        if count := round(share * len(pairs)):
            rng = np.random.default_rng((seed, zlib.crc32(name.encode())))
            made += RECIPES[name].make(pairs, count, rng)
    return made
