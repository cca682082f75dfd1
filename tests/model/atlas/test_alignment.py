"""Alignment error rate, under both readings, by weight and by norm."""

from types import SimpleNamespace

import numpy as np
import pytest

from model.atlas.alignment import alignment_tallies, diagonal, error_tally
from model.text.treebank import Alignment
from tests.helpers.annotated import value


def test_alignment_error_is_och_and_neys():
    gold = Alignment(frozenset({(0, 0), (1, 1)}), frozenset({(2, 2)}))
    perfect, wrong = np.array([0, 1, 2]), np.array([2, 2, 2])
    tally = error_tally(np.stack([perfect, wrong]), gold, 3)
    # A has three links: 1 - (2 + 3) / (3 + 2) and 1 - (0 + 1) / (3 + 2)
    assert (tally.totals / tally.count).tolist() == [0, pytest.approx(4 / 5)]
    assert tally.baselines["diagonal"] == 0 and tally.n == 3
    assert diagonal(4, 4).tolist() == [0, 1, 2, 3]


def test_the_same_matrix_aligns_under_one_reading_and_not_under_the_other():
    cross = np.eye(4)[None, None]  # row i predicts piece i and looks at source piece i
    run = SimpleNamespace(attention={"cross": cross}, transformed={"cross": np.ones((1, 1, 4, 2))})
    gold = Alignment(frozenset({(0, 0), (1, 1), (2, 2)}), frozenset())
    words = [[0], [1], [2]]
    found = alignment_tallies(run, gold, words, words)
    assert value(found["aer.predicted"]) == 0
    assert value(found["aer.read"]) == 1
    assert value(alignment_tallies(
        SimpleNamespace(attention={"cross": np.roll(cross, 1, -2)}, transformed=run.transformed),
        gold, words, words,
    )["aer.read"]) == 0  # fmt: skip


def test_by_norm_a_weight_on_an_empty_value_aligns_nothing():
    cross = np.array([[0.4, 0.6, 0], [0, 0.6, 0.4], [0, 0, 1]])[None, None]
    values = np.array([[1.0, 0], [0.1, 0], [1, 0]])[None, None]
    run = SimpleNamespace(attention={"cross": cross}, transformed={"cross": values})
    gold = Alignment(frozenset({(0, 0)}), frozenset())
    found = alignment_tallies(run, gold, [[0], [1]], [[0]])
    assert value(found["aer.predicted"]) == 1
    assert value(found["aer.predicted.norm"]) == 0
