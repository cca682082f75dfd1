"""Whether a head points as grammar does, in the encoder."""

import numpy as np

from model.atlas.relations import between_words, relation_tallies
from tests.helpers.annotated import pointing_at, sentence, value


def test_pieces_become_words_by_sum_over_looked_at_and_mean_over_looking():
    pattern = np.array([[0.4, 0.3, 0.3], [0.0, 0.5, 0.5], [1.0, 0.0, 0.0]])
    found = between_words(pattern, [[0, 1], [2]], [[0], [1, 2]])
    np.testing.assert_allclose(found, [[0.2, 0.8], [1, 0]])


def test_the_subword_rule_decides_what_a_word_looks_at_most():
    tree = sentence("go there unhappily", heads=(-1, 2, 0), relations=("root", "dep", "advmod"))
    pattern = np.zeros((1, 6, 6))
    pattern[0, 1] = [
        0.4,
        0,
        0.2,
        0.2,
        0.2,
        0,
    ]  # no piece of the last word has the largest weight; the word has
    tally = relation_tallies(pattern, tree, [[0], [1], [2, 3, 4]])["relation.dep.to_head"]
    assert value(tally) == 1


def test_a_perfect_dependency_head_scores_one_in_its_own_direction():
    tree = sentence("the old cat sleeps", (2, 2, 3, -1), ("det", "amod", "nsubj", "root"))
    pattern = pointing_at(2, 2, 3, 3, 4, size=5)
    found = relation_tallies(pattern, tree, [[0], [1], [2], [3]])
    assert {name for name in found if "root" in name or "punct" in name} == set()
    for relation in ("det", "amod", "nsubj"):
        assert value(found[f"relation.{relation}.to_head"]) == 1
    assert value(found["relation.det.to_dependent"]) == 0
    assert found["relation.det.to_head"].baselines["offset 2"] == 1
    assert found["relation.amod.to_head"].baselines["offset 1"] == 1  # an offset does as well: no syntax


def test_no_word_is_its_own_head_and_the_end_token_is_none():
    tree = sentence("cats sleep well", (1, -1, 1), ("nsubj", "root", "advmod"))
    pattern = np.tile([0.0, 0.04, 0.03, 0.03], (1, 4, 1)) + 0.5 * np.eye(4) + [0, 0, 0, 0.4]
    found = relation_tallies(pattern, tree, [[0], [1], [2]])
    assert value(found["relation.nsubj.to_head"]) == value(found["relation.advmod.to_head"]) == 1


def test_any_of_several_dependents_is_right():
    tree = sentence("big old cats", (2, 2, -1), ("amod", "amod", "root"))
    tally = relation_tallies(pointing_at(2, 2, 1, 3, size=4), tree, [[0], [1], [2]])
    assert value(tally["relation.amod.to_dependent"]) == 1
    assert tally["relation.amod.to_dependent"].count == 1


def test_a_pronoun_is_compared_with_the_nearest_noun_before_it():
    words, upos = "boys lost hats when they ran", ("NOUN", "VERB", "NOUN", "SCONJ", "PRON", "VERB")
    pieces, pattern = [[word] for word in range(6)], pointing_at(0, 0, 0, 0, 0, 0, 0, size=7)
    for antecedent, nearest in ((0, 0), (2, 1)):
        tree = sentence(words, upos=upos, antecedents={4: antecedent})
        tally = relation_tallies(pattern, tree, pieces)["antecedent"]
        assert tally.count == 1
        assert tally.baselines["nearest noun"] == nearest
        assert value(tally) == 1 - nearest
