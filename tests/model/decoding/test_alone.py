"""The short way through the decoder says what the modules say."""

import pytest
import torch

from model.checkpoint import untrained
from model.decoding.alone import Reader, possible
from model.decoding.search import greedy
from model.network.config import START
from model.network.hooks import watch
from tests.helpers.tiny import tiny_config

SOURCE = [5, 6, 7, 8, 2]
TARGET = [START, 9, 10, 11, 9, 30]
SHAPES = [
    {},
    {"positions": "learned"},
    {"positions": "none"},
    {"activation": "gelu"},
    {"tied": False},
    {"layers": 3},
]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@torch.inference_mode()
def test_reading_alone_equals_teacher_forcing(shape):
    model = untrained(tiny_config(**shape))
    expected = model(torch.tensor([SOURCE]), torch.tensor([TARGET]))[0]  # (T, V)
    memory, _ = model.encode(torch.tensor([SOURCE]))
    reader = Reader(model, memory, len(TARGET))
    found = torch.stack([reader.read(id) for id in TARGET])
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=0)
    assert (expected[1:] - expected[:-1]).abs().max() > 1e-2  # rows differ, so agreeing means something


def test_looking_does_not_change_what_is_written():
    model = untrained(tiny_config())
    (alone,) = greedy(model, [SOURCE])
    with watch(["decoder.layers.0.self_attention.pattern"]) as seen:
        (watched,) = greedy(model, [SOURCE])
    assert seen and alone.ids == watched.ids
    assert alone.log_probs == pytest.approx(watched.log_probs, abs=1e-4)


def test_a_model_that_is_watched_turned_or_narrowed_goes_the_long_way():
    model = untrained(tiny_config())
    assert possible(model)
    with watch(["logits"]):
        assert not possible(model)
        model(torch.tensor([SOURCE]), torch.tensor([TARGET]))
    hook = model.logits.register_forward_hook(lambda *_: None)
    assert not possible(model)
    hook.remove()
    assert possible(model) and not possible(model.train())
    assert not possible(untrained(tiny_config(positions="rotary")))
    assert not possible(untrained(tiny_config(window=2)))
