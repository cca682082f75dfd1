"""How widely and how far rows look, against loops that say what is meant."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.inspect.metrics import entropy, mean_distance, offset_mass, rollout
from tests.helpers.maps import SEEDS, SIZES, cells, close, maps, masks, patient


@patient
@given(maps())
def test_entropy_is_over_the_positions_a_row_may_look_at(drawn):
    attention, mask = drawn
    got = entropy(attention, mask)
    rows = np.full(attention.shape[:-1], math.nan)
    for index in np.ndindex(*attention.shape[:-2]):
        counted = []
        for query, row in enumerate(attention[index]):
            allowed = sum(mask[index][query])
            if allowed > 1:
                spread = sum(-weight * math.log(weight) for weight in row if weight > 0)
                counted.append(spread / math.log(allowed))
                rows[index][query] = counted[-1]
        assert got.n[index] == len(counted)
        close(got.mean[index], sum(counted) / len(counted) if counted else math.nan)
    close(got.rows, rows)


@patient
@given(SEEDS, SIZES, st.integers(2, 6))
def test_entropy_runs_from_one_choice_to_all_choices_alike(seed, queries, keys):
    mask = masks(np.random.default_rng(seed), queries, keys)
    mask[0, :2] = True
    free = mask.sum(-1) > 1
    assert free.sum() == entropy(mask / mask.sum(-1, keepdims=True), mask).n
    close(entropy(mask / mask.sum(-1, keepdims=True), mask).rows[free], 1)
    sharp = entropy(np.eye(keys)[mask.argmax(-1)], mask).rows[free]
    assert (sharp == 0).all() and not np.signbit(sharp).any()  # "-0.00" is no number to show


def test_where_no_row_has_a_choice_there_is_no_entropy():
    got = entropy(np.ones((2, 1, 1)), np.ones((2, 1, 1), bool))
    assert np.isnan(got.rows).all() and np.isnan(got.mean).all() and (got.n == 0).all()


def test_one_mask_serves_all_heads_and_an_empty_row_is_refused():
    attention, mask = np.full((2, 3, 4, 4), 0.25), np.ones((4, 4), bool)
    close(entropy(attention, mask).mean, np.ones((2, 3)))
    mask[2] = False
    with pytest.raises(ValueError, match="allows no position"):
        entropy(attention, mask)


@patient
@given(maps(square=True))
def test_mean_distance_weighs_how_far_each_position_is(drawn):
    attention, _ = drawn
    expected = np.zeros(attention.shape[:-1])
    for index, query, key in cells(attention):
        expected[index][query] += attention[index][query, key] * abs(query - key)
    close(mean_distance(attention), expected)


@patient
@given(maps(square=True), st.integers(-6, 6))
def test_offset_mass_is_the_mean_over_rows_that_have_such_a_position(drawn, offset):
    attention, _ = drawn
    found = {}
    for index, query, key in cells(attention):
        if key - query == offset:
            found.setdefault(index, []).append(attention[index][query, key])
    expected = np.full(attention.shape[:-2], np.nan)
    for index, weights in found.items():
        expected[index] = sum(weights) / len(weights)
    close(offset_mass(attention, offset), expected)


@pytest.mark.parametrize("measure", [mean_distance, rollout, lambda attention: offset_mass(attention, 1)])
def test_what_is_for_self_attention_refuses_another(measure):
    with pytest.raises(ValueError, match="3 queries and 4 keys"):
        measure(np.full((2, 2, 3, 4), 0.25))
