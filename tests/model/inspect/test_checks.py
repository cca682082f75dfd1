"""The self-check is green for every fresh run, and turns red where a truth is broken on purpose."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from model.inspect import edits
from model.inspect.replay import replay
from tests.helpers.inspected import TARGET, TEXT, passed, tokenizer, translator
from tests.helpers.tiny import tiny_translator

pytestmark = pytest.mark.usefixtures("short_translations")


@pytest.mark.parametrize("positions", ["sinusoidal", "learned", "rotary", "none"])
def test_a_fresh_trace_passes_every_check(positions):
    other = tiny_translator(tokenizer, positions=positions, length=64)
    found = other.trace(TEXT)
    assert set(passed(found).values()) == {True}
    for stream in (found.stream, other.trace(TEXT, keep=["stream"]).stream):
        added = stream["encoder"]["encoder.embedding.positions"]
        assert (added is None) == (positions in ("rotary", "none"))


def test_a_forced_target_has_no_decoding_to_compare_with():
    forced = translator.trace(TEXT, target=TARGET)
    assert forced.translation is None
    assert tokenizer.decode(forced.target.predicted_ids) == TARGET
    assert passed(forced)["replay_equals_decoding"] is None
    assert sum(forced.log_probs) == pytest.approx(translator.score([(TEXT, TARGET)])[0], abs=1e-4)


class TestChecksTurnRed:
    """Break each truth on purpose; its check, and no other that still holds, must say so."""

    def test_eval_mode(self, trace):
        model = tiny_translator(tokenizer).model.train()
        found = replay(model, tokenizer, trace.source, trace.target.predicted_ids)
        assert passed(found)["eval_mode"] is False

    def test_rows_sum_to_one(self, trace):
        leaky = dict(trace.attention) | {"encoder": trace.attention["encoder"] * 1.0001}
        assert passed(replace(trace, attention=leaky))["rows_sum_to_one"] is False

    def test_rows_that_are_not_numbers(self, trace):
        nothing = dict(trace.attention) | {"encoder": trace.attention["encoder"] * np.nan}
        assert passed(replace(trace, attention=nothing))["rows_sum_to_one"] is False

    def test_masked_cells_are_empty(self, trace):
        blurred = trace.attention["decoder"].copy()
        blurred[..., 0, :2] = 0.5
        found = passed(replace(trace, attention=dict(trace.attention) | {"decoder": blurred}))
        assert found["masked_cells_are_empty"] is False
        assert found["rows_sum_to_one"] is True

    def test_heads_recombine(self, trace):
        """The classic mistake: taking a slice of W_O's output for a head."""
        swapped = trace.mixed["cross"][:, ::-1]
        assert (
            passed(replace(trace, mixed=dict(trace.mixed) | {"cross": swapped}))["heads_recombine"] is False
        )

    def test_replay_equals_decoding(self, trace):
        drifted = replace(trace.translation, log_probs=tuple(p + 2e-4 for p in trace.translation.log_probs))
        assert passed(replace(trace, translation=drifted))["replay_equals_decoding"] is False

    def test_shapes_fit_labels(self, trace):
        swapped = dict(trace.attention) | {"cross": trace.attention["cross"].swapaxes(-1, -2)}
        assert passed(replace(trace, attention=swapped))["shapes_fit_labels"] is False

    def test_heads_in_another_order(self, trace):
        turned = dict(trace.attention) | {"encoder": trace.attention["encoder"][:, ::-1]}
        found = passed(replace(trace, attention=turned))
        assert found["pattern_mixes_the_values"] is False
        assert found["scores_make_the_pattern"] is False
        assert found["rows_sum_to_one"] is True

    def test_scores_of_another_scale(self, trace):
        scaled = dict(trace.scores) | {"cross": trace.scores["cross"] * 3}
        assert passed(replace(trace, scores=scaled))["scores_make_the_pattern"] is False

    def test_the_shift_that_fooled_so_many(self, trace):
        """Rows labelled with what they predict where they should say what they read."""
        target = trace.target._replace(read=trace.target.predicted, read_ids=trace.target.predicted_ids)
        assert passed(replace(trace, target=target))["shapes_fit_labels"] is False

    def test_a_translation_of_another_length(self, trace):
        other = replace(trace.translation, log_probs=trace.translation.log_probs[1:])
        assert passed(replace(trace, translation=other))["replay_equals_decoding"] is False

    def test_a_label_lost(self, trace):
        source = trace.source._replace(pieces=trace.source.pieces[1:])
        assert passed(replace(trace, source=source))["shapes_fit_labels"] is False


def test_a_mask_alone_passes_the_check_of_its_shape():
    found = translator.trace(TEXT, keep=["mask"])
    assert passed(found)["shapes_fit_labels"] is True


words = st.lists(
    st.sampled_from(["the", "cat", "sees", "a", "dog", "Straße", "고양이", "🙂", ".", "n't"]),
    min_size=1,
    max_size=6,  # a Hangul word may take ten pieces, spelled in bytes; the model reads 64
)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(words, words)
def test_any_sentence_passes_every_check(source, target):
    found = translator.trace(" ".join(source), target=" ".join(target))
    assert set(passed(found).values()) == {True, None}
    future = np.triu_indices(len(found.target.read), 1)
    assert not found.attention["decoder"][..., future[0], future[1]].any()


@settings(max_examples=30, deadline=None)
@given(words, st.integers(0, 1), st.integers(0, 3), st.floats(0, 2, width=16))
def test_any_scaled_head_changes_only_what_comes_after_it(source, layer, head, factor):
    text = " ".join(source)
    where = f"encoder.layers.{layer}.self_attention"
    calm = translator.trace(text, target=TARGET)
    moved = translator.trace(text, target=TARGET, edits=[edits.Scale(where, head, factor)])
    assert set(passed(moved).values()) == {True, None}
    np.testing.assert_allclose(
        moved.mixed["encoder"][layer, head], calm.mixed["encoder"][layer, head] * factor, atol=1e-6
    )
    np.testing.assert_allclose(
        moved.attention["encoder"][: layer + 1], calm.attention["encoder"][: layer + 1], atol=1e-6
    )
