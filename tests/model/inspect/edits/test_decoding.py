"""An edit means the same while a translation is written and when it is replayed."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from model.inspect import edits
from model.inspect.edits_json import from_json, to_json
from model.inspect.replay import replay
from tests.helpers.edited import DECODER, ENCODER, EVERY_EDIT, REPLAY_ONLY, name, trace
from tests.helpers.inspected import TARGET, TEXT, tokenizer, translator
from tests.helpers.tiny import SENTENCES


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
