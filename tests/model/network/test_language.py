from dataclasses import replace

import pytest
import torch

from model.network.language import LanguageConfig
from tests.helpers.spoken import tiny_language_config, tiny_language_model
from tests.helpers.tiny import VOCABULARY

TEXT = 24


@pytest.fixture
def ids():
    return torch.randint(4, VOCABULARY, (2, TEXT), generator=torch.Generator().manual_seed(3))


def in_segments(model, ids, length, keep=None):
    """Hidden states of the whole text, read in segments of this length."""
    memory, hidden = model.begin(len(ids)), []
    for segment in ids.split(length, 1):
        part, memory = model(segment, memory, keep)
        hidden.append(part)
    return torch.cat(hidden, 1)


@pytest.mark.parametrize("length", [1, 5, 8, TEXT])
@torch.no_grad()
def test_where_memory_reaches_back_to_the_beginning_segments_equal_one_pass(ids, length):
    """With pieces one by one (length 1) this is incremental decoding: the memory is its cache."""
    model = tiny_language_model()
    whole, _ = model(ids, model.begin(2))
    torch.testing.assert_close(in_segments(model, ids, length, keep=TEXT), whole, rtol=0, atol=1e-5)


@torch.no_grad()
def test_with_one_layer_a_row_equals_one_pass_over_exactly_what_it_sees(ids):
    model = tiny_language_model(layers=1, memory=8)
    read = in_segments(model, ids, 8)
    for row in range(16, TEXT):
        seen = ids[:, 8 : row + 1]  # eight remembered, then its own segment up to itself
        alone, _ = model(seen, model.begin(2))
        torch.testing.assert_close(read[:, row], alone[:, -1], rtol=0, atol=1e-5)


@torch.no_grad()
def test_reach_grows_by_a_memory_with_every_layer(ids):
    """The first piece lies 16 back: one layer's memory of 8 does not reach it, two layers' do."""
    changed = ids.clone()
    changed[:, 0] = (changed[:, 0] + 1) % VOCABULARY
    for layers, reaches in ((1, False), (2, True)):
        model = tiny_language_model(layers=layers, memory=8)
        first, second = (in_segments(model, each, 8)[:, 16:] for each in (ids, changed))
        assert torch.equal(first, second) != reaches


def test_no_gradient_enters_the_memory(ids):
    model = tiny_language_model()
    entering = model.table(ids[:, :8])
    _, memory = model(ids[:, :8], model.begin(2))
    assert not any(each.requires_grad for each in memory)
    hidden, _ = model(ids[:, 8:16], memory)
    hidden.sum().backward()
    only_read = set(ids[:, :8].flatten().tolist()) - set(ids[:, 8:16].flatten().tolist())
    assert only_read and not model.table.weight.grad[sorted(only_read)].any()
    assert entering.requires_grad  # the same pieces would have had a gradient in the segment itself


@torch.no_grad()
def test_the_future_is_invisible(ids):
    model = tiny_language_model()
    changed = ids.clone()
    changed[:, 12:] = 7
    first, second = (in_segments(model, each, 8) for each in (ids, changed))
    assert torch.equal(first[:, :12], second[:, :12]) and not torch.equal(first[:, 12], second[:, 12])


@torch.no_grad()
def test_memory_holds_the_newest_positions_and_no_more(ids):
    model = tiny_language_model()
    _, memory = model(ids[:, :20], model.begin(2))
    assert [each.shape for each in memory] == [(2, 16, 32)] * 2
    _, after = model(ids[:, 20:], memory)
    for old, new in zip(memory, after, strict=True):
        assert torch.equal(old[:, 4:], new[:, :-4])
    _, nothing = model(ids, model.begin(2), keep=0)
    assert [each.shape[1] for each in nothing] == [0, 0]


@torch.no_grad()
def test_absolute_positions_take_a_memory_for_the_segment_itself(ids):
    """The same vectors at the same places: nothing tells which of them was read a segment ago."""
    repeated = torch.cat((ids[:, :8], ids[:, :8]), 1)
    alike = {}
    for positions in ("absolute", "relative"):
        model = tiny_language_model(positions=positions, layers=1, memory=8)
        _, memory = model(repeated[:, :8], model.begin(2))
        other = tuple(each.flip(1) for each in memory)
        first, second = (model(repeated[:, 8:], each)[0] for each in (memory, other))
        alike[positions] = torch.allclose(first, second, atol=1e-5)
    assert alike == {"absolute": True, "relative": False}


def test_a_config_is_read_as_it_was_written():
    config = tiny_language_config(positions="absolute")
    assert LanguageConfig.from_json(config.to_json()) == config


@pytest.mark.parametrize(
    "change, message",
    [
        ({"memory": -1}, "memory must be a whole number of at least 0, not -1"),
        ({"segment": 0}, "segment must be a whole number of at least 1, not 0"),
        ({"heads": 5}, "must be even and split into 5 heads"),
        ({"positions": "learned"}, "positions is one of relative, absolute, not 'learned'"),
    ],
)
def test_a_config_refuses_what_makes_no_model(change, message):
    with pytest.raises(ValueError, match=message):
        replace(tiny_language_config(), **change)


@pytest.mark.parametrize("text", ["[]", '{"vocabulary": 5}', "not JSON"])
def test_a_config_refuses_what_is_none(text):
    with pytest.raises(ValueError):
        LanguageConfig.from_json(text)
