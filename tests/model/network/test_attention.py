import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from model.checkpoint import untrained
from model.network.attention import Attention, causal_mask, window_mask
from model.network.config import preset
from model.network.hooks import name_hook_points, watch
from model.network.positions import frequencies, make_positions, sinusoids
from tests.helpers.tiny import VOCABULARY, tiny_config

POSITIONS = 6


def attention(**changes) -> Attention:
    torch.manual_seed(0)
    config = preset("tiny", **changes)
    layer = Attention(config, make_positions(config)).eval()
    name_hook_points(layer)
    return layer


def attend(layer: Attention, x, mask, index=None):
    index = torch.arange(x.shape[1]) if index is None else index
    return layer(x, *layer.keys_and_values(x, index), mask, index)


@pytest.fixture
def x():
    return torch.randn(2, POSITIONS, 32, generator=torch.Generator().manual_seed(1))


def test_looking_does_not_change_the_answer(x):
    layer, mask = attention(), causal_mask(POSITIONS, POSITIONS)
    unseen = attend(layer, x, mask)
    with watch(keep=["pattern", "scores"]) as seen:
        torch.testing.assert_close(attend(layer, x, mask), unseen)
    (pattern,) = seen["pattern"]
    torch.testing.assert_close(pattern.sum(-1), torch.ones(2, 4, POSITIONS))
    assert not pattern.triu(1).any()


@settings(deadline=None)
@given(arrays(bool, (POSITIONS, POSITIONS)), st.integers(0, 2**16))
def test_under_any_mask_both_paths_agree_and_look_only_where_they_may(allowed, seed):
    mask = torch.from_numpy(allowed) | torch.eye(POSITIONS, dtype=torch.bool)  # every row has a True
    layer = attention()
    x = torch.randn(2, POSITIONS, 32, generator=torch.Generator().manual_seed(seed))
    fused = attend(layer, x, mask)
    with watch(keep=["pattern"]) as seen:
        torch.testing.assert_close(attend(layer, x, mask), fused, rtol=0, atol=1e-5)
    (pattern,) = seen["pattern"]
    torch.testing.assert_close(pattern.sum(-1), torch.ones(2, 4, POSITIONS))
    assert not pattern[..., ~mask].any()


def test_a_pattern_is_the_softmax_of_query_times_key(x):
    layer, mask = attention(positions="rotary"), causal_mask(POSITIONS, POSITIONS)
    with watch(keep=["*"]) as seen:
        attend(layer, x, mask)
    query, key, value = (seen[name][0] for name in ("query", "key", "value"))
    scores = query @ key.mT / math.sqrt(8)
    torch.testing.assert_close(seen["scores"][0], scores)
    pattern = scores.masked_fill(~mask, -math.inf).softmax(-1)
    torch.testing.assert_close(seen["pattern"][0], pattern)
    torch.testing.assert_close(seen["mixed"][0], pattern @ value)


@pytest.mark.parametrize("queries", [1, 3, POSITIONS])
def test_the_causal_mask_puts_the_last_query_on_the_last_key(queries):
    whole = causal_mask(POSITIONS, POSITIONS)
    assert torch.equal(causal_mask(queries, POSITIONS), whole[POSITIONS - queries :])
    assert whole.any(-1).all()


@pytest.mark.parametrize("window", [0, 1, 3, POSITIONS])
def test_the_window_is_a_band(window):
    mask = window_mask(POSITIONS, POSITIONS, window)
    for query in range(POSITIONS):
        for key in range(POSITIONS):
            assert mask[query, key] == (abs(query - key) <= window)
    assert torch.equal(window_mask(2, POSITIONS, window), mask[-2:])


@pytest.mark.parametrize("side", ["encoder", "decoder"])
def test_a_windowed_layer_is_full_attention_under_a_band_mask(side):
    windowed, full = (untrained(tiny_config(window=window)) for window in (2, None))
    source = torch.randint(4, VOCABULARY, (2, 9), generator=torch.Generator().manual_seed(3))
    band = [[abs(query - key) <= 2 for key in range(9)] for query in range(9)]

    class Band:  # an edit of the mask, spelled out by hand
        points = (f"{side}.layers.*.self_attention.mask",)

        def __call__(self, mask, place):
            return mask & torch.tensor(band)

    other = "decoder" if side == "encoder" else "encoder"
    getattr(windowed, other).window = None  # window one stack at a time
    with watch(edits=[Band()]):
        expected = full(source, source)
    torch.testing.assert_close(windowed(source, source), expected)
    assert not torch.allclose(full(source, source), expected, atol=1e-3)


def test_a_padded_row_of_a_windowed_encoder_is_a_number():
    model = untrained(tiny_config(window=1))
    source = torch.tensor([[5, 6, 7, 8, 9, 2], [5, 2, 0, 0, 0, 0]])
    with watch(keep=["*.pattern"]) as seen:
        model(source, torch.tensor([[1, 5], [1, 5]]))
    assert all(pattern.isfinite().all() for (pattern,) in seen.values())


def test_rotary_scores_depend_on_offsets_only(x):
    layer = attention(positions="rotary").double()
    scores = []
    for start in (0, 1, 200):
        with watch(keep=["scores"]) as seen:
            attend(
                layer,
                x.double(),
                torch.ones(1, 1, dtype=torch.bool),
                torch.arange(start, start + POSITIONS),
            )
        scores.append(seen["scores"][0])
    # The angles are held in single precision, as in the model.
    torch.testing.assert_close(scores[1], scores[0], rtol=0, atol=1e-6)
    torch.testing.assert_close(scores[2], scores[0], rtol=0, atol=1e-4)
    stretched = torch.arange(0, 2 * POSITIONS, 2)
    with watch(keep=["scores"]) as seen:
        attend(layer, x.double(), torch.ones(1, 1, dtype=torch.bool), stretched)
    assert (seen["scores"][0] - scores[0]).abs().max() > 1e-2


def test_rotary_turns_self_attention_and_never_cross():
    plain, rotary = (untrained(tiny_config(positions=kind)) for kind in ("none", "rotary"))
    rotary.load_state_dict(plain.state_dict(), strict=False)
    x = torch.randn(1, POSITIONS, 32)
    index = torch.arange(POSITIONS)
    for name, same in (("self_attention", False), ("cross_attention", True)):
        keys = [
            getattr(model.decoder.layers[0], name).keys_and_values(x, index)[0] for model in (plain, rotary)
        ]
        assert torch.allclose(*keys) == same


def test_sinusoids_are_the_papers_formula():
    table = sinusoids(torch.arange(50), 16)
    for position in (0, 1, 7, 49):
        for pair in range(8):
            angle = position / 10_000 ** (2 * pair / 16)
            assert table[position, 2 * pair].item() == pytest.approx(math.sin(angle), abs=1e-6)
            assert table[position, 2 * pair + 1].item() == pytest.approx(math.cos(angle), abs=1e-6)
    assert frequencies(16)[0] == 1


@pytest.mark.parametrize("positions", ["sinusoidal", "learned", "rotary", "none"])
def test_order_matters_unless_there_are_no_positions(positions):
    model = untrained(tiny_config(positions=positions))
    source = torch.tensor([[5, 6, 7, 8, 9]])
    order = torch.tensor([3, 0, 4, 1, 2])
    straight, shuffled = model.encode(source)[0], model.encode(source[:, order])[0]
    blind = torch.allclose(shuffled, straight[:, order], atol=1e-5)
    assert blind == (positions == "none")


@pytest.mark.parametrize("positions", ["sinusoidal", "learned", "rotary", "none"])
def test_the_future_is_invisible(positions):
    model = untrained(tiny_config(positions=positions))
    source = torch.tensor([[5, 6, 7, 2]])
    target = torch.tensor([[1, 10, 11, 12, 13]])
    changed = target.clone()
    changed[0, 3:] = 99
    before, after = model(source, target), model(source, changed)
    torch.testing.assert_close(before[:, :3], after[:, :3])
    assert not torch.allclose(before[:, 3:], after[:, 3:], atol=1e-3)


def test_padding_is_invisible():
    model = untrained(tiny_config())
    source, target = torch.tensor([[5, 6, 7, 2]]), torch.tensor([[1, 10, 11]])
    padded = torch.tensor([[5, 6, 7, 2, 0, 0, 0]])
    torch.testing.assert_close(model(padded, target), model(source, target))
