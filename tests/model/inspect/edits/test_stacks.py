"""What is done to a whole stack: masks, positions, the order of words, sublayers."""

import numpy as np
import pytest

from model.inspect import edits
from tests.helpers.edited import CLOSE, MOVED, trace
from tests.helpers.inspected import TARGET, TEXT, tokenizer, translator
from tests.helpers.tiny import tiny_translator


def test_a_hidden_word_is_seen_by_nobody(calm):
    edited = trace(edits.Hide(3), edits.Hide(0), target=TARGET)
    for kind in ("encoder", "cross"):
        assert not edited.attention[kind][..., [0, 3]].any()
        assert calm.attention[kind][..., [0, 3]].max() > MOVED


def test_hiding_the_last_visible_token_is_refused():
    length = len(translator.read("a").ids)
    with pytest.raises(ValueError, match="nothing to look at"):
        trace(*(edits.Hide(position) for position in range(length)), text="a")


def test_without_positions_the_encoder_cannot_tell_a_shuffled_sentence():
    straight = trace(edits.PositionsOff(), target=TARGET)
    shuffled = trace(edits.Shuffle(3), edits.PositionsOff(), target=TARGET)
    last = "encoder.layers.1.after_feed_forward"
    order = [straight.source.ids.index(id) for id in shuffled.source.ids]
    first, second = (np.sort(each.stream["encoder"][last], axis=0) for each in (straight, shuffled))
    np.testing.assert_allclose(first, second, atol=CLOSE)
    assert order != sorted(order)
    with_positions = [
        trace(*change, target=TARGET).stream["encoder"][last] for change in ((), (edits.Shuffle(3),))
    ]
    assert np.abs(np.sort(with_positions[0], axis=0) - np.sort(with_positions[1], axis=0)).max() > MOVED


def test_a_shuffle_is_fixed_keeps_the_end_and_moves_the_labels():
    first, again, other = (trace(edits.Shuffle(seed), target=TARGET).source for seed in (1, 1, 2))
    original = translator.read(TEXT)
    assert first == again != other
    assert first.ids[-1] == original.ids[-1]
    assert sorted(first.ids) == sorted(original.ids)
    together = lambda tokens: set(zip(tokens.ids, tokens.pieces, tokens.words, strict=True))  # noqa: E731
    assert together(first) == together(original)


def test_shifted_positions_are_those_further_on(calm):
    edited = trace(edits.PositionsShift(4), target=TARGET)
    added = "encoder.embedding.positions"
    np.testing.assert_allclose(edited.stream["encoder"][added][:-4], calm.stream["encoder"][added][4:])
    with pytest.raises(ValueError, match="shifted by 60, the last position is"):
        trace(edits.PositionsShift(60))


def test_one_piece_cannot_be_shuffled():
    with pytest.raises(ValueError, match="cannot be shuffled"):
        trace(edits.Shuffle(), text="a")


def test_lifting_the_mask_leaves_a_window():
    near = tiny_translator(tokenizer, window=2, length=64)
    mask = near.trace(TEXT, TARGET, [edits.LiftMask()]).mask["decoder"][0, 0]
    rows = np.arange(len(mask))
    np.testing.assert_array_equal(mask, abs(rows - rows[:, None]) <= 2)


def test_lifting_the_causal_mask_lets_rows_see_the_future():
    seen = trace(edits.LiftMask(), target=TARGET)
    assert seen.mask["decoder"].all()
    assert (seen.attention["decoder"] > 0).all()


@pytest.mark.parametrize("part", ["sublayer", "residual", "norm"])
def test_what_is_skipped_is_left_out(part, calm):
    edited = trace(edits.Skip("encoder.layers.0.feed_forward", part), target=TARGET)
    stream = calm.stream["encoder"]
    before, added = (
        stream[f"encoder.layers.0.{point}"] for point in ("after_attention", "feed_forward.output")
    )
    total = {"sublayer": before, "residual": added, "norm": before + added}[part]
    if part != "norm":
        total = (total - total.mean(-1, keepdims=True)) / np.sqrt(total.var(-1, keepdims=True) + 1e-5)
    np.testing.assert_allclose(
        edited.stream["encoder"]["encoder.layers.0.after_feed_forward"], total, atol=1e-4
    )


def test_positions_cannot_be_edited_where_there_are_none():
    blind = tiny_translator(tokenizer, positions="none", length=64)
    with pytest.raises(LookupError, match="no positions to change"):
        blind.trace(TEXT, edits=[edits.PositionsOff()])


@pytest.mark.parametrize("positions", ["learned", "rotary"])
def test_positions_off_means_the_same_for_every_kind_of_positions(positions):
    other = tiny_translator(tokenizer, positions=positions, length=64)
    changes = [(edits.PositionsOff(),), (edits.Shuffle(3), edits.PositionsOff())]
    last = "encoder.layers.1.after_feed_forward"
    streams = [other.trace(TEXT, TARGET, change).stream["encoder"][last] for change in changes]
    np.testing.assert_allclose(np.sort(streams[0], axis=0), np.sort(streams[1], axis=0), atol=CLOSE)
