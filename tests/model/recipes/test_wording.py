"""Single words: a corpus tells which translate each other, and how they are spelled."""

import numpy as np

from model.recipes.wording import lexicon, word_pairs

PAIRS = [
    ("A plum.", "Une prune."), ("The plum!", "La prune !"), ("My plum is here.", "Ma prune est ici."),
    ("Is your plum here?", "Ta prune est ici ?"),
    ("We like Geneva.", "Nous aimons Genève."), ("Where is Geneva?", "Où est Genève ?"),
    ("Geneva is here.", "Genève est ici."), ("They left Geneva.", "Ils ont quitté Genève."),
    ("The table is wet.", "La table est mouillée."), ("A cake.", "Un gâteau."),
]  # fmt: skip


def test_words_that_meet_often_and_nobody_else_translate_each_other():
    assert lexicon(PAIRS) == [("Geneva", "Genève"), ("plum", "prune")]  # a name keeps its capital
    assert lexicon(PAIRS * 5) == lexicon(PAIRS)  # what is read several times says no more
    assert lexicon([]) == []


def test_each_word_is_typed_alone_and_translated_as_it_is_typed():
    made = set(word_pairs(PAIRS, 200, np.random.default_rng(1)))
    assert made == {
        ("plum", "prune"), ("Plum", "Prune"), ("Plum.", "Prune."),
        ("Geneva", "Genève"), ("Geneva.", "Genève."),
    }  # fmt: skip


def test_a_corpus_without_a_lexicon_makes_none():
    assert word_pairs([("A cake.", "Un gâteau.")], 5, np.random.default_rng(1)) == []
