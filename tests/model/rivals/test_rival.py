"""All five answer in the same words; what they say is what they did."""

import numpy as np
import pytest
import torch

from model.checkpoint import untrained_any
from model.network.config import PRESETS, preset
from model.rivals import RIVALS
from model.rivals.reach import reach
from model.rivals.rival import Rival
from tests.helpers.tiny import PAIRS, SENTENCES, VOCABULARY, tiny_tokenizer


@pytest.fixture(scope="module")
def tokenizer():
    return tiny_tokenizer()


@pytest.fixture(params=RIVALS)
def rival(request, tokenizer) -> Rival:
    name = "beside" if request.param == "transformer" else request.param
    config = preset(name, vocabulary=VOCABULARY, width=16, hidden=24, layers=2, length=64)
    return Rival(request.param, untrained_any(config), tokenizer)


def test_a_batch_writes_what_each_sentence_gets_alone(rival):
    together = rival.translate_many(SENTENCES[:4])
    assert [each.ids for each in together] == [rival.translate(text).ids for text in SENTENCES[:4]]


def test_scores_are_the_sum_of_what_its_trace_says_of_each_piece(rival):
    (total,) = rival.score([PAIRS[0]])
    assert rival.trace(*PAIRS[0]).log_probs.sum() == pytest.approx(total, abs=1e-4)


def test_a_trace_is_of_the_translation_that_was_written(rival):
    trace, written = rival.trace(SENTENCES[0]), rival.translate(SENTENCES[0])
    assert trace.translation.ids == written.ids == trace.target.predicted_ids
    np.testing.assert_allclose(trace.log_probs, written.log_probs, atol=1e-4)


def test_where_it_looks_sums_to_one_and_only_one_vector_looks_nowhere(rival):
    trace = rival.trace(*PAIRS[0])
    if rival.name == "recurrent":
        assert trace.attention is None
        return
    rows, columns = len(trace.target.predicted), len(trace.source.ids)
    assert trace.attention.shape[2:] == (rows, columns)
    np.testing.assert_allclose(trace.attention.sum(-1), 1, atol=1e-5)
    looks = {"convolutional": (2, 1), "transformer": (2, 4)}.get(rival.name, (1, 1))
    assert trace.attention.shape[:2] == looks


def test_states_are_one_for_what_enters_and_one_a_layer(rival):
    trace = rival.trace(*PAIRS[0])
    assert len(trace.states) == 1 + rival.config.layers
    assert {len(state) for state in trace.states} == {len(trace.source.ids)}


def test_reach_is_the_norm_of_the_jacobian(rival):
    model, source = rival.model, rival.read("my sister").ids
    x, mask = model.enter(torch.tensor([source])), torch.ones(1, 1, 1, len(source), dtype=torch.bool)
    width = x.shape[-1]
    # In the direction of every axis the estimate is no estimate: the mean of squares times their count.
    found = reach(model, source, torch.eye(width)) * width**0.5
    for layer in range(rival.config.layers):
        exact = torch.autograd.functional.jacobian(lambda x, at=layer: model.read(x, mask)[at], x)[0, :, :, 0]
        expected = exact.square().sum((1, 3)).sqrt()  # (S, S)
        np.testing.assert_allclose(found[layer], expected, rtol=0.02, atol=2e-3)


def test_a_few_directions_tell_nearly_what_all_do(rival):
    source = rival.read(SENTENCES[0]).ids
    exact = reach(rival.model, source, torch.eye(rival.config.width)) * rival.config.width**0.5
    seen = exact > 0.05 * exact.max()
    ratio = (reach(rival.model, source, 64) / np.where(seen, exact, 1))[seen]
    assert abs(np.log(ratio)).mean() < 0.15


def test_the_five_have_about_as_many_weights():
    presets = [PRESETS["beside" if name == "transformer" else name] for name in RIVALS]
    counts = [sum(weight.numel() for weight in untrained_any(each).parameters()) for each in presets]
    assert max(counts) / min(counts) < 1.05
    assert min(counts) > 1.9e6 and max(counts) <= 2e6  # four megabytes in half precision
