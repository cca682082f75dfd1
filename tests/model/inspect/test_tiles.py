"""Attention tile by tile is plain attention, whatever the tiles and the mask, one tile at a time."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from model.inspect.metrics import masked_softmax
from model.inspect.tiles import Running, blocks, parts, take
from model.network.kinds import KINDS

WIDTH = 5
SIZES = st.integers(1, 9)


@st.composite
def heads(draw) -> tuple[np.ndarray, ...]:
    """Queries, keys and values of one head, and a mask in which each row may look somewhere."""
    rows, columns, seed = draw(SIZES), draw(SIZES), draw(st.integers(0, 10**6))
    random = np.random.default_rng(seed)
    query, key, value = (random.normal(0, 3, (count, WIDTH)) for count in (rows, columns, columns))
    mask = random.random((rows, columns)) < draw(st.sampled_from([0.1, 0.5, 1.0]))
    mask[np.arange(rows), random.integers(0, columns, rows)] = True
    return query, key, value, mask


def plain(query, key, value, mask) -> np.ndarray:
    """All scores at once, by PyTorch."""
    tensors = (torch.tensor(each) for each in (query, key, value, mask))
    return F.scaled_dot_product_attention(*tensors).numpy()


@given(heads(), SIZES, SIZES)
def test_tiles_of_any_size_under_any_mask_give_plain_attention(head, high, wide):
    found = np.concatenate([block.mixed for block in blocks(*head, high, wide)])
    np.testing.assert_allclose(found, plain(*head), atol=1e-6, rtol=0)


@given(heads(), SIZES, SIZES)
def test_after_every_tile_the_memory_is_that_of_the_columns_seen(head, high, wide):
    """Not only at the end: m, ℓ and O are at any time what one would get from these columns alone."""
    query, key, value, mask = head
    scores = np.where(mask, query @ key.T / np.sqrt(WIDTH), -np.inf)
    for block in blocks(*head, high, wide):
        for tile in block.tiles:
            seen = scores[block.rows][:, : tile.columns.stop]
            most = seen.max(-1)
            weights = np.exp(seen - np.where(np.isinf(most), 0, most)[:, None])
            np.testing.assert_allclose(tile.after.most, most)
            np.testing.assert_allclose(tile.after.total, weights.sum(-1), atol=1e-12)
            np.testing.assert_allclose(tile.after.mixed, weights @ value[: tile.columns.stop], atol=1e-9)


@given(heads(), SIZES, SIZES)
def test_every_tile_is_computed_or_skipped_and_only_blind_ones_are_skipped(head, high, wide):
    mask = head[-1]
    covered = np.zeros(mask.shape, int)
    for block in blocks(*head, high, wide):
        for tile in block.tiles:
            assert tile.scores.shape == (len(block.rows), len(tile.columns))
            assert tile.scores.size <= high * wide
            assert (np.isfinite(tile.scores) == mask[block.rows][:, tile.columns]).all()
            covered[np.ix_(block.rows, tile.columns)] += 1
        for columns in block.skipped:
            assert not mask[np.ix_(block.rows, columns)].any()
            covered[np.ix_(block.rows, columns)] += 1
        assert all(np.isfinite(tile.scores).any() for tile in block.tiles)
    assert (covered == 1).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [(1, 1), (2, 3), (64, 64)])
def test_a_run_s_own_heads_come_out_as_the_model_computed_them(trace, kind, size):
    for layer, head in np.ndindex(*trace.attention[kind].shape[:2]):
        taken = (each[kind][layer, head] for each in (trace.query, trace.key, trace.value, trace.mask))
        found = np.concatenate([block.mixed for block in blocks(*taken, *size)])
        np.testing.assert_allclose(found, trace.mixed[kind][layer, head], atol=1e-6, rtol=1e-6)


def test_a_causal_mask_spares_the_tiles_above_the_diagonal():
    mask = np.tri(8, dtype=bool)
    vectors = np.ones((8, WIDTH))
    found = list(blocks(vectors, vectors, vectors, mask, 2, 2))
    assert [len(block.tiles) for block in found] == [1, 2, 3, 4]
    assert [len(block.skipped) for block in found] == [3, 2, 1, 0]


def test_a_larger_score_makes_all_before_it_count_less_and_no_other_does():
    running = Running(np.array([1.0, 1.0]), np.array([2.0, 2.0]), np.array([[4.0], [4.0]]))
    tile = take(running, np.array([[3.0], [0.0]]), np.array([[10.0]]), range(1))
    np.testing.assert_allclose(tile.rescale, [np.exp(-2), 1])
    np.testing.assert_allclose(tile.after.most, [3, 1])
    np.testing.assert_allclose(tile.after.total, [2 * np.exp(-2) + 1, 2 + np.exp(-1)])
    np.testing.assert_allclose(tile.after.mixed[:, 0], [4 * np.exp(-2) + 10, 4 + 10 * np.exp(-1)])


def test_scores_that_a_plain_exponential_cannot_hold_do_no_harm():
    query, value = np.array([[1000.0]]), np.array([[1.0], [3.0], [5.0]])
    key, mask = np.array([[1.0], [2.0], [2.0]]), np.ones((1, 3), bool)
    (block,) = blocks(query, key, value, mask, 1, 1)
    np.testing.assert_allclose(block.mixed, [[4.0]])


@pytest.mark.parametrize("size", [(0, 1), (1, 0), (-2, 3)])
def test_there_is_no_empty_tile(size):
    one = np.ones((2, WIDTH))
    with pytest.raises(ValueError, match="at least one row and one column"):
        list(blocks(one, one, one, np.ones((2, 2), bool), *size))


def test_a_row_that_may_look_nowhere_is_refused_by_its_number():
    one, mask = np.ones((3, WIDTH)), np.ones((3, 3), bool)
    mask[1] = False
    with pytest.raises(ValueError, match="row 1 may look nowhere"):
        list(blocks(one, one, one, mask, 2, 2))


@given(heads(), SIZES, SIZES)
def test_the_weights_that_no_tile_ever_had_follow_from_the_last_m_and_the_whole_sum(head, high, wide):
    query, key, _, mask = head
    expected = masked_softmax(query @ key.T / np.sqrt(WIDTH), mask)
    for block in blocks(*head, high, wide):
        end = block.tiles[-1].after
        for tile in block.tiles:
            weights = np.exp(tile.scores - end.most[:, None]) / end.total[:, None]
            np.testing.assert_allclose(weights, expected[np.ix_(block.rows, tile.columns)], atol=1e-9)


@given(st.integers(1, 50), SIZES)
def test_parts_cover_every_position_once(count, size):
    assert [place for part in parts(count, size) for place in part] == list(range(count))
