"""The short way through the model says what the modules say, for one row and for a beam."""

import threading
from functools import partial

import pytest
import torch

from model.checkpoint import untrained
from model.decoding.alone import ROOM, Reader, possible
from model.decoding.beam import beam_search
from model.decoding.products import settle
from model.decoding.search import Sampling, greedy, sample
from model.network.config import PAD, START
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


def halved(**shape):
    """A model that half precision can hold, as one that is loaded."""
    model = untrained(tiny_config(**shape))
    with torch.no_grad():
        for weight in model.parameters():
            weight.copy_(weight.half())
    settle(model)
    return model


def by_modules(write):
    """What `write` gives when somebody looks, and so every row goes through the modules."""
    with watch(["decoder.layers.0.self_attention.mixed"]) as seen:
        written = write()
    assert seen
    return written


def assert_same(first, second):
    assert first.ids == second.ids and first.finished == second.finished
    assert first.log_probs == pytest.approx(second.log_probs, abs=1e-4)
    assert first.score == pytest.approx(second.score, abs=1e-3)
    for one, other in zip(first.alternatives, second.alternatives, strict=True):
        assert one.ids == other.ids and one.log_probs == pytest.approx(other.log_probs, abs=1e-4)


def assert_same_search(first, second):
    for one, other in zip(first.nodes, second.nodes, strict=True):
        assert (one.parent, one.step, one.id, one.fate) == (other.parent, other.step, other.id, other.fate)
        assert (one.log_prob, one.total) == pytest.approx((other.log_prob, other.total), abs=1e-3)
    for one, other in zip(first.hypotheses, second.hypotheses, strict=True):
        assert_same(one, other)


@pytest.mark.parametrize(
    "make", [lambda **shape: untrained(tiny_config(**shape)), halved], ids=["plain", "packed"]
)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@torch.inference_mode()
def test_reading_alone_equals_teacher_forcing(shape, make):
    with torch.inference_mode(False):
        model = make(**shape)
    expected = model(torch.tensor([SOURCE]), torch.tensor([TARGET]))[0]  # (T, V)
    reader = Reader(model, SOURCE, 2)  # less room than it will need
    found = torch.cat([reader.read([id]) for id in TARGET])
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=0)
    assert (expected[1:] - expected[:-1]).abs().max() > 1e-2  # rows differ, so agreeing means something


@pytest.mark.parametrize("model", [untrained(tiny_config()), halved()], ids=["plain", "packed"])
@pytest.mark.parametrize("prefix", [(), (9, 10, 11)], ids=str)
def test_looking_does_not_change_what_is_written(model, prefix):
    write = partial(greedy, model, [SOURCE], [prefix])
    (alone,), (watched,) = write(), by_modules(write)
    assert_same(alone, watched)
    assert alone.ids[: len(prefix)] == prefix and len(alone.ids) > ROOM


def test_looking_does_not_change_what_is_drawn():
    write = partial(sample, halved(), [SOURCE], Sampling(seed=3))
    assert write()[0].ids == by_modules(write)[0].ids


@pytest.mark.parametrize("model", [untrained(tiny_config()), halved()], ids=["plain", "packed"])
@pytest.mark.parametrize("prefix", [(), (9, 10, 11)], ids=str)
@pytest.mark.parametrize("size", [1, 4, 7])
def test_looking_does_not_change_a_beam_nor_what_it_threw_away(model, prefix, size):
    write = partial(beam_search, model, [SOURCE], size, prefixes=[prefix])
    (alone,), (watched,) = write(), by_modules(write)
    assert_same_search(alone, watched)
    assert all(found.ids[: len(prefix)] == prefix for found in alone.hypotheses)


def test_a_model_that_is_watched_turned_or_narrowed_goes_the_long_way():
    model = untrained(tiny_config())
    assert possible(model, SOURCE) and not possible(model, [*SOURCE, PAD])
    with watch(["logits"]):
        assert not possible(model, SOURCE)
        model(torch.tensor([SOURCE]), torch.tensor([TARGET]))
    hook = model.logits.register_forward_hook(lambda *_: None)
    assert not possible(model, SOURCE)
    hook.remove()
    assert possible(model, SOURCE) and not possible(model.train(), SOURCE)
    assert not possible(untrained(tiny_config(positions="rotary")), SOURCE)
    assert not possible(untrained(tiny_config(window=2)), SOURCE)


def test_many_at_once_write_what_each_writes_alone():
    model, sources = halved(), [[5 + user, 6, 7 + user, 2] for user in range(12)]
    expected = [beam_search(untouched_twin(model), [source])[0] for source in sources]
    start, found = threading.Barrier(len(sources)), {}

    def run(user):
        start.wait()
        found[user] = beam_search(model, [sources[user]])[0]

    threads = [threading.Thread(target=run, args=(user,)) for user in range(len(sources))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for user, beam in enumerate(expected):
        assert_same_search(found[user], beam)


def untouched_twin(model):
    """The same weights in a model that is not settled: multiplied as they are."""
    twin = untrained(model.config)
    twin.load_state_dict(model.state_dict())
    return twin
