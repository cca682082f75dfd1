"""Words instead of pieces, and nothing of special tokens: against loops, and on a real run."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.inspect.edits import Shuffle
from model.inspect.metrics import entropy, merge_words, special_mass, without_special
from model.network.kinds import KINDS
from tests.helpers.biased import run
from tests.helpers.maps import cells, close, maps, maps_with_words, patient


@patient
@given(maps_with_words(), st.booleans())
def test_without_special_tokens_each_row_is_shared_among_the_others(drawn, drop_rows):
    attention, query_words, key_words = drawn
    got = without_special(attention, key_words, query_words if drop_rows else None)
    kept = [key for key, word in enumerate(key_words) if word != -1]
    rows = [row for row, word in enumerate(query_words) if word != -1 or not drop_rows]
    assert (got.queries, got.keys) == (tuple(rows), tuple(kept))
    assert got.attention.shape == (*attention.shape[:-2], len(rows), len(kept))
    hidden, shares = np.zeros(got.hidden.shape), np.zeros(got.attention.shape)
    for index in np.ndindex(*attention.shape[:-2]):
        for new, row in enumerate(rows):
            weights = attention[index][row]
            for key, word in enumerate(key_words):
                hidden[index][new] += weights[key] if word == -1 else 0
            left = sum(weights[key] for key in kept)
            shares[index][new] = [weights[key] / left if left else 0.0 for key in kept]
    close(got.hidden, hidden)
    close(special_mass(attention, key_words)[..., rows], hidden)
    close(got.attention, shares)
    close(got.attention.sum(-1), shares.any(-1))  # one, or zero where all was hidden


def test_a_row_with_all_its_mass_on_special_tokens_is_blank_and_says_so():
    got = without_special(np.array([[1.0, 0.0], [0.5, 0.5]]), (-1, 0))
    assert got.attention.tolist() == [[0.0], [1.0]]
    assert got.hidden.tolist() == [1.0, 0.5]


def test_a_sentence_of_special_tokens_alone_leaves_nothing():
    got = without_special(np.ones((2, 1, 1)), (-1,), (-1,))
    assert got.attention.shape == (2, 0, 0) and got.hidden.shape == (2, 0)
    assert got.queries == got.keys == ()
    assert merge_words(got.attention, (), ()).attention.shape == (2, 0, 0)


def units_of(words: list[int]) -> list[list[int]]:
    """Positions by word, in the order of first pieces; special tokens one by one."""
    units = []
    for place, word in enumerate(words):
        if word == -1:
            units.append([place])
        elif word not in words[:place]:
            units.append([later for later in range(place, len(words)) if words[later] == word])
    return units


@patient
@given(maps_with_words())
def test_pieces_merge_by_sum_over_keys_and_mean_over_queries(drawn):
    attention, query_words, key_words = drawn
    got = merge_words(attention, query_words, key_words)
    assert [list(unit) for unit in got.queries] == units_of(query_words)
    assert [list(unit) for unit in got.keys] == units_of(key_words)
    expected = np.zeros(got.attention.shape)
    for index, row, column in cells(expected):
        queries, keys = got.queries[row], got.keys[column]
        total = sum(attention[index][query, key] for query in queries for key in keys)
        expected[index][row, column] = total / len(queries)
    close(got.attention, expected)
    close(got.attention.sum(-1), 1)


@patient
@given(maps_with_words())
def test_merging_words_of_one_piece_changes_nothing(drawn):
    attention, query_words, key_words = drawn
    got = merge_words(attention, range(len(query_words)), [-1] * len(key_words))
    np.testing.assert_array_equal(got.attention, attention)


@patient
@given(maps())
def test_a_merged_mask_allows_what_any_piece_may_see(drawn):
    _, mask = drawn
    queries, keys = ([place // 2 for place in range(n)] for n in mask.shape[-2:])
    got = merge_words(mask, queries, keys)
    for index, row, column in cells(got.attention):
        seen = mask[index][np.ix_(got.queries[row], got.keys[column])].any()
        assert (got.attention[index][row, column] > 0) == seen


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        (lambda a: special_mass(a, (0, 1)), "2 word numbers do not fit 3 keys"),
        (lambda a: without_special(a, (0, 1)), "2 word numbers do not fit 3 keys"),
        (lambda a: without_special(a, (0, 1, 2), (0,)), "1 word numbers do not fit 2 queries"),
        (lambda a: merge_words(a, (0, 0, 1), (0, 1)), "3 word numbers do not fit 2 queries"),
        (lambda a: merge_words(a, (0, 1), (0, 1)), "2 word numbers do not fit 3 keys"),
    ],
)
def test_words_of_another_sentence_are_refused(measure, message):
    with pytest.raises(ValueError, match=message):
        measure(np.full((2, 3), 1 / 3))


@pytest.mark.parametrize("edits", [(), (Shuffle(3),)], ids=["straight", "shuffled"])
@pytest.mark.parametrize("kind", KINDS)
def test_merged_rows_of_a_run_sum_to_one_and_keep_its_words_whole(kind, edits):
    trace, _ = run(edits=edits)
    source, target = trace.source.words, trace.target.read_words
    queries, keys = source if kind == "encoder" else target, target if kind == "decoder" else source
    merged = merge_words(trace.attention[kind], queries, keys)
    close(merged.attention.sum(-1), 1, 1e-5)
    assert len(merged.keys) == len({word for word in keys if word >= 0}) + keys.count(-1)
    for unit in merged.keys:
        assert len({keys[place] for place in unit}) == 1
    if edits and kind == "encoder":  # the shuffle did tear a word apart
        assert any(np.diff(unit).max(initial=1) > 1 for unit in merged.keys)


def test_the_first_decoder_row_looks_at_the_start_token_only(trace):
    words = trace.target.read_words
    visible = without_special(trace.attention["decoder"], words)
    assert not visible.attention[:, :, 0].any()
    close(visible.hidden[:, :, 0], 1, 1e-6)
    close(visible.attention[:, :, 1:].sum(-1), 1, 1e-5)
    spread = entropy(trace.attention["decoder"], trace.mask["decoder"])
    assert np.isnan(spread.rows[:, :, 0]).all() and (spread.n == len(words) - 1).all()
