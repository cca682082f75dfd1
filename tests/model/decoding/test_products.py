"""Packed weights are the model's own, now: half the bytes, the same numbers, and never old ones."""

import gc
import weakref

import pytest
import torch

from model.checkpoint import untrained
from model.decoding import products
from model.decoding.products import products_of, settle
from model.decoding.search import greedy
from model.translator import load
from tests.helpers.tiny import tiny_config

SOURCE = [5, 6, 7, 8, 2]
pytestmark = pytest.mark.skipif(
    torch.backends.quantized.engine not in products.ENGINES, reason="nothing is packed on this machine"
)


def model_in_half(seed=0):
    model = untrained(tiny_config(), seed)
    with torch.no_grad():
        for weight in model.parameters():
            weight.copy_(weight.half())
    settle(model)
    return model


def packed(made):
    return made.vocabulary.func is products._multiply


def test_a_loaded_model_is_packed_once_and_its_runs_share_it():
    model = model_in_half()
    assert packed(products_of(model)) and products_of(model) is products_of(model)


def test_the_shipped_checkpoint_fits_into_half_precision():
    assert packed(products_of(load().model))


def test_what_half_precision_cannot_hold_is_multiplied_as_it_is():
    model = model_in_half()
    with torch.no_grad():
        model.decoder.layers[1].feed_forward.narrow.weight[0, 0] = 1 / 3
    assert not packed(products_of(model))


def test_a_model_that_nobody_settled_is_not_packed():
    model = model_in_half()
    del products._settled[model]
    assert not packed(products_of(model))


def write_in_place(model, other):
    with torch.no_grad():
        for weight, new in zip(model.parameters(), other.parameters(), strict=True):
            weight.copy_(new)


def put_others_in_their_place(model, other):
    model.load_state_dict({name: weight.clone() for name, weight in other.state_dict().items()}, assign=True)


def change_one_bias(model, other):
    with torch.no_grad():
        model.decoder.layers[1].cross_attention.to_value.bias.add_(2.0)


@pytest.mark.parametrize("change", [write_in_place, put_others_in_their_place, change_one_bias])
def test_weights_that_change_after_a_run_are_those_of_the_next(change):
    model = model_in_half()
    (before,) = greedy(model, [SOURCE])
    change(model, model_in_half(seed=1))
    (after,) = greedy(model, [SOURCE])
    twin = untrained(model.config)
    twin.load_state_dict(model.state_dict())
    (expected,) = greedy(twin, [SOURCE])
    assert after.ids == expected.ids
    assert after.log_probs == pytest.approx(expected.log_probs, abs=1e-4)
    assert after.log_probs != pytest.approx(before.log_probs, abs=1e-3)  # so the change can be seen


def test_packed_weights_go_when_their_model_goes():
    model = model_in_half()
    made = weakref.ref(products_of(model))
    del model
    gc.collect()
    assert made() is None
