"""The recurrent networks against PyTorch's own modules, and against the sums written out one by one."""

import math

import pytest
import torch
from torch import nn

from model.checkpoint import untrained_any
from model.network.cache import Cache
from model.network.config import RECURRENT, preset
from model.network.glances import Additive, Multiplicative
from model.network.recurrent import BothWays, GatedUnit, Recurrent, last_words

INPUTS, HIDDEN, STEPS, ROWS = 5, 6, 7, 3


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)


def unit_like(theirs: nn.GRU, suffix: str = "") -> dict[str, torch.Tensor]:
    """PyTorch's weights by the names that ours have."""
    return {
        "from_input.weight": getattr(theirs, f"weight_ih_l0{suffix}"),
        "from_state.weight": getattr(theirs, f"weight_hh_l0{suffix}"),
        "from_input.bias": getattr(theirs, f"bias_ih_l0{suffix}"),
        "from_state.bias": getattr(theirs, f"bias_hh_l0{suffix}"),
    }


def test_a_gated_unit_is_pytorchs():
    theirs, ours = nn.GRU(INPUTS, HIDDEN, batch_first=True).double(), GatedUnit(INPUTS, HIDDEN).double()
    ours.load_state_dict(unit_like(theirs))
    x, state = torch.randn(ROWS, STEPS, INPUTS).double(), torch.randn(ROWS, HIDDEN).double()
    expected, last = theirs(x, state[None])
    found = ours.run(x, state)
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-12)
    torch.testing.assert_close(found[:, -1], last[0], rtol=0, atol=1e-12)


def test_reading_both_ways_is_pytorchs_with_sentences_of_different_length():
    theirs = nn.GRU(INPUTS, HIDDEN, batch_first=True, bidirectional=True).double()
    ours = BothWays(INPUTS, 2 * HIDDEN).double()
    ours.forwards.load_state_dict(unit_like(theirs))
    ours.backwards.load_state_dict(unit_like(theirs, "_reverse"))
    x, lengths = torch.randn(ROWS, STEPS, INPUTS).double(), torch.tensor([STEPS, 4, 1])
    real = torch.arange(STEPS) < lengths[:, None]
    packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True)
    expected, last = theirs(packed)
    expected, _ = nn.utils.rnn.pad_packed_sequence(expected, batch_first=True)
    found = ours(x, real)
    torch.testing.assert_close(found[real], expected[real], rtol=0, atol=1e-12)
    torch.testing.assert_close(last_words(found), torch.cat((last[0], last[1]), -1), rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", [Additive, Multiplicative])
def test_a_glance_is_the_sum_written_out(kind):
    glance = kind(HIDDEN).double()
    states, memory = torch.randn(1, 2, HIDDEN).double(), torch.randn(1, STEPS, HIDDEN).double()
    mask = torch.tensor([True] * (STEPS - 2) + [False] * 2)[None, None, None]
    found = glance(states, memory, mask)[0]
    for query in range(2):
        scores = []
        for key in range(STEPS - 2):
            s, h = states[0, query], memory[0, key]
            if kind is Additive:
                inner = glance.to_query.weight @ s + glance.to_query.bias + glance.to_key.weight @ h
                scores.append((glance.to_score.weight[0] @ inner.tanh()).item())
            else:
                scores.append((s @ (glance.to_key.weight @ h)).item())
        total = sum(map(math.exp, scores))
        expected = sum(math.exp(score) / total * memory[0, key] for key, score in enumerate(scores))
        torch.testing.assert_close(found[query], expected, rtol=0, atol=1e-9)


@pytest.fixture(params=RECURRENT)
def model(request) -> Recurrent:
    config = preset(request.param, vocabulary=30, width=8, hidden=12, length=64)
    return untrained_any(config).double()


def test_one_step_after_the_other_equals_all_at_once(model):
    source, target = torch.tensor([[5, 6, 7, 2]]), torch.tensor([[1, 9, 8, 7, 6]])
    memory, mask = model.encode(source)
    whole, cache = model.decode(target, memory, mask), Cache()
    steps = [model.decode(target[:, [step]], memory, mask, cache) for step in range(target.shape[1])]
    torch.testing.assert_close(torch.cat(steps, 1), whole, rtol=0, atol=1e-9)
    assert cache.length == target.shape[1]


def test_padding_changes_nothing(model):
    target = torch.tensor([[1, 9, 8]])
    short, padded = torch.tensor([[5, 6, 2]]), torch.tensor([[5, 6, 2, 0, 0]])
    torch.testing.assert_close(model(padded, target), model(short, target), rtol=0, atol=1e-9)


def test_the_future_is_invisible(model):
    source = torch.tensor([[5, 6, 7, 2]])
    one, other = model(source, torch.tensor([[1, 9, 8]])), model(source, torch.tensor([[1, 9, 7]]))
    torch.testing.assert_close(one[:, :2], other[:, :2], rtol=0, atol=1e-9)
    assert not torch.allclose(one[:, 2], other[:, 2])


def test_only_the_fixed_context_knows_nothing_but_where_reading_ended(model):
    """Whatever stands between may change: a decoder with one vector does not notice, the others do."""
    memory, mask = model.encode(torch.tensor([[5, 6, 7, 2]]))
    half = memory.shape[-1] // 2
    changed = memory.clone()
    changed[:, 1:-1] += 1  # neither the end of reading forwards nor that of reading backwards
    changed[:, 0, :half] += 1
    changed[:, -1, half:] += 1
    target = torch.tensor([[1, 9, 8]])
    same = torch.allclose(model.decode(target, changed, mask), model.decode(target, memory, mask))
    assert same == (model.config.architecture == "recurrent")
