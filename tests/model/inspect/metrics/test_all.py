"""What holds for every measure."""

import inspect

import numpy as np
import pytest

from model.inspect import metrics
from model.inspect.metrics import (
    entropy,
    max_heads,
    mean_distance,
    mean_heads,
    merge_words,
    norm_weighted,
    offset_mass,
    rollout,
    score_terms,
    special_mass,
    without_special,
)


def test_every_measure_shows_an_example():
    measures = [each for _, each in inspect.getmembers(metrics, inspect.isfunction)]
    assert len(measures) > 10
    for measure in measures:
        assert ">>> " in measure.__doc__, f"{measure.__name__} has no example"


@pytest.mark.parametrize("precision", [np.float32, np.float64])
def test_results_have_the_precision_of_what_came_in(precision):
    attention = np.full((2, 3, 4, 4), 0.25, precision)
    x, weight, bias = (np.ones(shape, precision) for shape in ((4, 6), (3, 2, 6), (3, 2)))
    spread = entropy(attention, np.ones((4, 4), bool))
    visible = without_special(attention, (0, 1, 1, -1))
    results = [
        norm_weighted(attention, np.ones((2, 3, 4, 5), precision)),
        mean_heads(attention), max_heads(attention), rollout(attention), mean_distance(attention),
        offset_mass(attention, -1), offset_mass(attention, 9), spread.rows, spread.mean,
        special_mass(attention, (0, 1, 1, -1)), visible.attention,
        visible.hidden, merge_words(attention, (0, 0, 1, 1), (0, 1, 1, -1)).attention,
        *score_terms(x, x, weight, bias, weight, bias),
    ]  # fmt: skip
    assert {result.dtype for result in results} == {np.dtype(precision)}
