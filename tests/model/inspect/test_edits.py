import json

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from model.inspect import edits
from model.inspect.edits_json import NAMES, from_json, to_json
from tests.helpers.tiny import PAIRS, SENTENCES, tiny_tokenizer, tiny_translator

CLOSE, MOVED = 1e-5, 1e-2
TEXT, TARGET = PAIRS[7]
ENCODER, DECODER, CROSS = (
    "encoder.layers.1.self_attention", "decoder.layers.1.self_attention", "decoder.layers.0.cross_attention",
)  # fmt: skip
tokenizer = tiny_tokenizer()
translator = tiny_translator(tokenizer, length=64)
same_length = next(
    text for text in SENTENCES
    if text != TEXT and len(translator.read(text).ids) == len(translator.read(TEXT).ids)
)  # fmt: skip
EVERY_EDIT = [
    edits.Scale(ENCODER, 2, 0.0),
    edits.Scale("decoder.layers.*.self_attention", 1, 2.0),
    edits.Uniform(CROSS, 1),
    edits.Uniform(DECODER, 0),
    edits.Row(CROSS, 0, 2, (0.0, 3.0, 1.0)),
    edits.Row(DECODER, 3, 3, (0.0, 1.0)),
    edits.Cell(ENCODER, 1, 4, 2, 0.9),
    edits.Cell(CROSS, 1, 5, 0, 0.0),
    edits.Hide(3),
    edits.Temperature("*.layers.*.*_attention", 0.25),
    edits.Temperature(CROSS, 4.0, head=2),
    edits.Unscale("encoder.layers.*.self_attention"),
    edits.PositionsOff("encoder"),
    edits.PositionsOff("decoder"),
    edits.PositionsShift(7, "encoder"),
    edits.PositionsShift(3, "decoder"),
    edits.Shuffle(5),
    edits.Skip(ENCODER, "sublayer"),
    edits.Skip(CROSS, "residual"),
    edits.Skip("decoder.layers.0.feed_forward", "norm"),
    edits.Skip("encoder.layers.0.feed_forward"),
    edits.CopyHead(ENCODER, 1, same_length),
    edits.CopyStream("encoder.layers.0.after_attention", same_length),
]
REPLAY_ONLY = [
    edits.LiftMask(),
    edits.CopyHead(CROSS, 1, same_length, TARGET),
    edits.CopyStream("decoder.layers.0.after_cross", same_length, TARGET),
]


@pytest.fixture(autouse=True, scope="module")
def short_translations():
    """Untrained models never stop by themselves; a few pieces are enough to look at."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("model.decoding.search.EXTRA", 2)
        yield


def name(edit) -> str:
    return f"{type(edit).__name__}-{'-'.join(str(value) for value in vars(edit).values())[:40]}"


def trace(*changes, target=None, keep=None, text=TEXT):
    return translator.trace(text, target=target, edits=changes, keep=keep)


@pytest.fixture(scope="module")
def calm():
    return trace(target=TARGET)


@pytest.mark.parametrize("edit", EVERY_EDIT, ids=name)
def test_an_edit_means_the_same_while_decoding_and_in_the_replay(edit):
    """Decoding with a cache recorded these log-probabilities; the replay must find them again."""
    edited, plain = trace(edit), trace()
    checks = {check.name: check for check in edited.checks}
    assert checks["replay_equals_decoding"].passed is True
    assert not any(check.passed is False for check in edited.checks)
    assert edited.replay_only == ()
    untouched = replay_without(edited)
    assert np.abs(edited.log_probs - untouched).max() > 1e-3, "an edit that does nothing tests nothing"
    assert plain.translation is not None


def replay_without(edited) -> np.ndarray:
    """The same source and target ids, with no edit at all."""
    from model.inspect.replay import replay

    plain = replay(
        translator.model, tokenizer, translator.read(TEXT), edited.target.predicted_ids, keep=["mask"]
    )
    return plain.log_probs


@pytest.mark.parametrize("edit", REPLAY_ONLY, ids=name)
def test_what_cannot_act_while_decoding_says_so_and_acts_in_the_replay(edit, calm):
    assert not edit.decodes
    edited = trace(edit, target=TARGET)
    assert len(edited.replay_only) == 1
    assert np.abs(edited.log_probs - calm.log_probs).max() > 1e-3
    with pytest.warns(UserWarning, match="replay only"):
        assert translator.translate(TEXT, [edit]).ids == translator.translate(TEXT).ids
    if isinstance(edit, edits.LiftMask):
        free = trace(edit)
        assert free.translation.ids == trace().translation.ids
        assert dict((check.name, check.passed) for check in free.checks)["replay_equals_decoding"] is None


def test_silencing_a_head_is_zeroing_its_slice_of_the_input_of_the_output_matrix(calm):
    edited = trace(edits.Scale(ENCODER, 2), target=TARGET)
    before, after = (each.points[f"{ENCODER}.output"] for each in (calm, edited))
    np.testing.assert_allclose(after, before - calm.head_output["encoder"][1, 2], atol=CLOSE)


def test_scaling_by_one_changes_nothing(calm):
    edited = trace(edits.Scale(ENCODER, 2, 1.0), target=TARGET)
    np.testing.assert_allclose(edited.log_probs, calm.log_probs, atol=CLOSE)


def test_a_uniform_head_looks_at_all_it_may_alike():
    pattern = trace(edits.Uniform(DECODER, 3), target=TARGET).attention["decoder"][1, 3]
    for row, weights in enumerate(pattern):
        np.testing.assert_allclose(weights[: row + 1], 1 / (row + 1), atol=1e-6)


def test_a_replaced_row_is_the_row_given_and_no_other_moves(calm):
    edited = trace(edits.Row(ENCODER, 1, 2, (1.0, 0.0, 3.0)), target=TARGET)
    before, after = (each.attention["encoder"][1].copy() for each in (calm, edited))
    np.testing.assert_allclose(after[1, 2, :4], [0.25, 0, 0.75, 0], atol=1e-6)
    before[1, 2] = after[1, 2]
    np.testing.assert_allclose(after, before, atol=CLOSE)


def test_a_replaced_cell_takes_from_the_others_in_proportion(calm):
    edited = trace(edits.Cell(ENCODER, 1, 2, 5, 0.9), target=TARGET)
    before, after = (each.attention["encoder"][1, 1, 2] for each in (calm, edited))
    others = np.arange(len(before)) != 5
    assert after[5] == pytest.approx(0.9, abs=1e-6)
    np.testing.assert_allclose(after[others], before[others] / before[others].sum() * 0.1, atol=1e-6)


def test_a_hidden_word_is_seen_by_nobody(calm):
    edited = trace(edits.Hide(3), edits.Hide(0), target=TARGET)
    for kind in ("encoder", "cross"):
        assert not edited.attention[kind][..., [0, 3]].any()
        assert calm.attention[kind][..., [0, 3]].max() > MOVED


def test_hiding_the_last_visible_token_is_refused():
    length = len(translator.read("a").ids)
    with pytest.raises(ValueError, match="nothing to look at"):
        trace(*(edits.Hide(position) for position in range(length)), text="a")


def test_without_the_root_scores_are_the_bare_products(calm):
    edited = trace(edits.Unscale("encoder.layers.0.self_attention"), target=TARGET)
    expected = calm.query["encoder"][0] @ calm.key["encoder"][0].swapaxes(-1, -2)
    np.testing.assert_allclose(edited.scores["encoder"][0], expected, atol=1e-4)


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


def test_a_copied_head_may_not_look_at_what_is_hidden():
    with pytest.raises(ValueError, match="may not look"):
        trace(edits.Hide(0), edits.CopyHead(ENCODER, 1, same_length))


def test_any_weights_have_a_sum():
    for weights in ((1e-46, 1e-46), (1e300, 1e300)):
        found = trace(edits.Row(ENCODER, 1, 2, weights), target=TARGET).attention["encoder"][1, 1, 2]
        np.testing.assert_allclose(found[:3], [0.5, 0.5, 0], atol=1e-6)


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


def test_a_copied_head_has_the_other_sentences_pattern():
    edited = trace(edits.CopyHead(ENCODER, 1, same_length), target=TARGET)
    donor = translator.trace(same_length)
    np.testing.assert_allclose(
        edited.attention["encoder"][1, 1], donor.attention["encoder"][1, 1], atol=CLOSE
    )


@pytest.mark.parametrize(
    "copy", [edits.CopyHead(ENCODER, 1, "a cat"), edits.CopyStream("encoder.embedding.sum", "a cat")]
)
def test_copying_from_a_sentence_of_another_length_is_refused(copy):
    with pytest.raises(ValueError, match="equally long"):
        trace(copy)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (edits.Scale("encoder.layers.7.self_attention", 0), r"never acted; did you mean encoder\.layers\.1"),
        (edits.Scale(ENCODER, 4), "no head 4; there are 4"),
        (edits.Row(ENCODER, 0, 99, (1.0,)), "never acted: there is no such row"),
        (edits.Row(DECODER, 0, 1, (0.0, 0.0, 1.0)), "cannot look at position 2"),
        (edits.Cell(DECODER, 0, 1, 3, 0.5), "cannot look at position 3"),
        (edits.Cell(DECODER, 0, 0, 0, 0.5), "its weight stays 1"),
        (edits.Hide(99), "no source position 99"),
    ],
)
def test_an_edit_that_cannot_act_is_refused_with_a_reason(edit, message):
    with pytest.raises((LookupError, ValueError), match=message):
        trace(edit)


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


sublayers = st.sampled_from([
    f"{stack}.layers.{layer}.{kind}_attention"
    for layer in ("0", "1", "*")
    for stack, kind in (("encoder", "self"), ("decoder", "self"), ("decoder", "cross"))
])  # fmt: skip
heads, small = st.integers(0, 3), st.integers(0, 2)
any_edit = st.one_of(
    st.builds(edits.Scale, sublayers, heads, st.floats(0, 2, width=16)),
    st.builds(edits.Uniform, sublayers, heads),
    st.builds(
        edits.Row, sublayers, heads, st.integers(2, 3), st.tuples(st.just(1.0), st.floats(0, 1, width=16))
    ),
    st.builds(edits.Cell, sublayers, heads, st.integers(2, 3), small, st.floats(0, 1, width=16)),
    st.builds(edits.Hide, small),
    st.builds(edits.Temperature, sublayers, st.sampled_from([0.25, 0.5, 2.0, 8.0]), st.none() | heads),
    st.builds(edits.Unscale, sublayers),
    st.builds(edits.PositionsOff, st.sampled_from(edits.STACKS)),
    st.builds(edits.PositionsShift, st.integers(0, 20), st.sampled_from(edits.STACKS)),
    st.builds(edits.Shuffle, st.integers(0, 9)),
)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(SENTENCES), st.lists(any_edit, min_size=1, max_size=3))
def test_any_edits_together_mean_the_same_while_decoding_and_in_the_replay(text, changes):
    try:
        found = translator.trace(text, edits=changes)
    except ValueError as refused:  # a row set by hand to look at what another edit hides
        assume("cannot look" not in str(refused))
        raise
    assert [check for check in found.checks if check.passed is False] == []
    assert from_json(to_json(changes)) == tuple(changes)


class TestJson:
    @pytest.mark.parametrize("edit", [*EVERY_EDIT, *REPLAY_ONLY], ids=name)
    def test_an_edit_survives_its_json(self, edit):
        assert from_json(to_json([edit])) == (edit,)
        assert hash(edit) == hash(from_json(to_json([edit]))[0])

    def test_every_kind_of_edit_has_a_name(self):
        assert {type(edit) for edit in (*EVERY_EDIT, *REPLAY_ONLY)} == set(NAMES.values())

    def test_the_documented_form_is_read(self):
        (edit,) = from_json(
            '{"edit": "scale", "where": "encoder.layers.2.self_attention", "head": 4, "factor": 0}'
        )
        assert edit == edits.Scale("encoder.layers.2.self_attention", 4, 0.0)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("{", "not valid JSON"),
            ("3", "an edit looks like"),
            ('{"edit": "scael"}', "did you mean 'scale'"),
            ('{"edit": "zzz"}', "there are scale, uniform"),
            ('{"edit": "hide"}', "lacks its field 'position'"),
            ('{"edit": "hide", "position": "2"}', "position must be a whole number, not '2'"),
            ('{"edit": "hide", "position": true}', "position must be a whole number"),
            ('{"edit": "hide", "position": -1}', "position must be 0 or more, not -1"),
            ('{"edit": "hide", "where": 3}', "no field 'where'"),
            ('{"edit": "scale", "where": "logits", "head": 1}', "the path of an attention sublayer"),
            ('{"edit": "temperature", "where": "encoder.layers.0.self_attention", "value": 0}', "above 0"),
            ('{"edit": "temperature", "where": "encoder.layers.0.self_attention", "value": NaN}', "above 0"),
            (
                '{"edit": "row", "where": "a.self_attention", "head": 0, "query": 0, "weights": []}',
                "sum above 0",
            ),
            (
                '{"edit": "row", "where": "a.self_attention", "head": 0, "query": 0, "weights": "x"}',
                "list of numbers",
            ),
            (
                '{"edit": "skip", "where": "encoder.layers.0.self_attention", "part": "half"}',
                "sublayer or residual",
            ),
        ],
    )
    def test_nonsense_gets_one_clear_sentence(self, text, message):
        with pytest.raises(ValueError, match=message) as refused:
            from_json(text)
        assert "\n" not in str(refused.value)

    @given(st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(sorted(NAMES)),
        lambda inner: st.lists(inner) | st.dictionaries(
            st.sampled_from(["edit", "where", "head", "factor", "position", "weights", "query"]), inner),
    ))  # fmt: skip
    @settings(max_examples=200)
    def test_any_json_is_an_edit_or_a_value_error(self, data):
        try:
            assert all(isinstance(edit, edits.Edit) for edit in from_json(json.dumps(data)))
        except ValueError as refused:
            assert str(refused)
