"""A score taken apart: its terms are the product multiplied out, and sum to the model's own."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from model.inspect import metrics
from model.inspect.metrics import score_terms
from model.inspect.trace import Trace
from tests.helpers.biased import run
from tests.helpers.maps import LEADING, SEEDS, SIZES, cells, close, patient


@patient
@given(SEEDS, SIZES, st.integers(1, 4), st.integers(1, 5), LEADING)
def test_score_terms_are_the_product_multiplied_out(seed, positions, head_width, width, leading):
    rng = np.random.default_rng(seed)
    token, position = rng.normal(size=(2, positions, width))
    query_weight, key_weight = rng.normal(size=(2, *leading, head_width, width))
    query_bias, key_bias = rng.normal(size=(2, *leading, head_width))
    got = score_terms(token, position, query_weight, query_bias, key_weight, key_bias)
    expected = [np.empty((*leading, positions, positions)) for _ in got]
    for index, i, j in cells(expected[0]):
        to_query, to_key = query_weight[index] / math.sqrt(head_width), key_weight[index]
        liked = query_bias[index] / math.sqrt(head_width)
        terms = (
            (to_query @ token[i]) @ (to_key @ token[j]),
            (to_query @ token[i]) @ (to_key @ position[j]),
            (to_query @ position[i]) @ (to_key @ token[j]),
            (to_query @ position[i]) @ (to_key @ position[j]),
            liked @ (to_key @ (token[j] + position[j])),
            (to_query @ (token[i] + position[i]) + liked) @ key_bias[index],
        )
        for array, term in zip(expected, terms, strict=True):
            array[index][i, j] = term
    for array, twin in zip(got, expected, strict=True):
        assert array.shape == twin.shape
        close(array, twin)


@pytest.mark.parametrize(("double", "tolerance"), [(False, 1e-4), (True, 1e-9)])
@pytest.mark.parametrize("positions", ["sinusoidal", "learned"])
@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_score_terms_sum_to_the_first_layers_scores(stack, positions, double, tolerance):
    trace, model = run(double, positions=positions)
    terms = terms_of(trace, model, stack)
    close(sum(terms), trace.scores[stack][0], tolerance)
    for term in terms:  # each is needed: a law that a lost term would keep is no test
        assert np.abs(term).max() > 100 * 1e-4
    close(terms.key_bias, np.broadcast_to(terms.key_bias[..., :1], terms.key_bias.shape), 0)


@pytest.mark.parametrize("positions", ["rotary", "none"])
def test_scores_without_added_positions_do_not_split(positions):
    trace, model = run(positions=positions)
    with pytest.raises(ValueError, match="adds no positions"):
        terms_of(trace, model, "encoder")


def terms_of(trace: Trace, model: torch.nn.Module, stack: str) -> metrics.ScoreTerms:
    attention = getattr(model, stack).layers[0].self_attention
    stream = trace.stream[stack]
    parts = [stream[f"{stack}.embedding.{part}"] for part in ("tokens", "positions")]
    for linear in (attention.to_query, attention.to_key):  # a head is a run of their rows
        parts.append(linear.weight.detach().unflatten(0, (attention.heads, -1)).numpy())
        parts.append(linear.bias.detach().unflatten(0, (attention.heads, -1)).numpy())
    return score_terms(*parts)
