"""Several heads as one map, against loops that say what is meant."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.inspect.metrics import max_heads, mean_heads, norm_weighted, rollout
from model.network.kinds import KINDS
from tests.helpers.maps import SEEDS, cells, close, maps, patient


@patient
@given(maps(), st.integers(1, 4), SEEDS)
def test_a_weight_times_a_norm_is_the_norm_of_what_is_added(drawn, width, seed):
    attention, _ = drawn
    *leading, _, keys = attention.shape
    transformed = np.random.default_rng(seed).normal(size=(*leading, keys, width))
    expected = np.empty_like(attention)
    for index, query, key in cells(attention):
        added = attention[index][query, key] * transformed[index][key]
        expected[index][query, key] = math.sqrt(sum(x * x for x in added))
    close(norm_weighted(attention, transformed), expected)


@patient
@given(maps(leading=st.sampled_from([(1,), (3,), (2, 3)])))
def test_heads_combine_cell_by_cell(drawn):
    attention, _ = drawn
    mean, largest = mean_heads(attention), max_heads(attention)
    assert mean.shape == largest.shape == (*attention.shape[:-3], *attention.shape[-2:])
    for index, query, key in cells(mean):
        weights = [head[query, key] for head in attention[index]]
        assert mean[index][query, key] == pytest.approx(sum(weights) / len(weights))
        assert largest[index][query, key] == max(weights)
    close(mean.sum(-1), 1)
    assert (largest.sum(-1) > 1 - 1e-12).all()


@patient
@given(maps(leading=st.sampled_from([(1, 1), (2, 3), (4, 2)]), square=True))
def test_rollout_follows_every_path_down_the_layers(drawn):
    attention, _ = drawn
    layers, heads, positions, _ = attention.shape
    got = rollout(attention)
    assert got.shape == (layers, positions, positions)
    for start in range(positions):
        held = [float(start == place) for place in range(positions)]
        for layer in range(layers):
            before, held = held, []
            for query in range(positions):
                taken = [
                    attention[layer, head, query, key] * before[key] / heads
                    for head in range(heads)
                    for key in range(positions)
                ]
                held.append(0.5 * sum(taken) + 0.5 * before[query])
            close(got[layer][:, start], held)
    close(got.sum(-1), 1)


def test_rollout_goes_from_the_top_layer_down():
    """Position 2 looks at 1 in layer 1, and 1 looked at 0 in layer 0: so 2 holds some of 0."""
    step = np.eye(3)[None, None].repeat(2, 0)  # (L, H, S, S)
    step[0, 0, 1], step[1, 0, 2] = np.eye(3)[0], np.eye(3)[1]
    assert rollout(step)[1, 2, 0] == 0.25
    assert rollout(step[::-1])[1, 2, 0] == 0


@pytest.mark.parametrize("kind", KINDS)
def test_the_edges_of_a_head_add_up_to_what_it_writes(trace, kind):
    attention, transformed = trace.attention[kind], trace.transformed[kind]
    edges = attention[..., None] * transformed[:, :, None]  # (L, H, Q, K, D)
    close(edges.sum(-2), trace.head_output[kind], 1e-5)
    norms = norm_weighted(attention, transformed)
    close(norms, np.sqrt((edges**2).sum(-1)), 1e-5)
    assert np.ptp(norms.sum(-1)) > 1e-2  # the norms do say more than the weights
