"""Replays in batches, against the trace of each sentence."""

from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest

from model.atlas import replays
from model.atlas.replays import replay_many
from model.inspect.edits import Scale
from model.network.kinds import KINDS
from tests.helpers.tiny import PAIRS, tiny_tokenizer, tiny_translator


@pytest.fixture(scope="module")
def translator():
    return tiny_translator(tiny_tokenizer(), length=64)


@pytest.fixture(scope="module")
def runs(translator):
    """Sentences of different lengths in one batch, each with its replay and a trace of its own."""
    pairs = [PAIRS[0], (PAIRS[1][0] * 2, PAIRS[70][1]), ("A cat.", "Un chat.")]
    ids = [tuple(translator.read(text).ids for text in pair) for pair in pairs]
    found = dict(replay_many(translator.model, translator.tokenizer, *zip(*ids, strict=True)))
    return [(found[place], translator.trace(*pair)) for place, pair in enumerate(pairs)]


def test_a_padded_replay_is_the_trace_of_each_sentence(runs):
    for replay, trace in runs:
        assert replay.source == trace.source
        assert replay.read.ids == trace.target.read_ids and replay.predicted.ids == trace.target.predicted_ids
        for kind in KINDS:
            flat = trace.attention[kind].reshape(-1, *trace.attention[kind].shape[-2:])
            np.testing.assert_allclose(replay.attention[kind], flat, atol=1e-5)
            np.testing.assert_array_equal(replay.mask[kind], trace.mask[kind][0, 0])


def test_what_a_head_writes_is_measured_behind_its_slice_of_the_output_matrix(runs):
    for replay, trace in runs:
        for kind, where in KINDS.items():
            lengths = np.linalg.norm(trace.head_output[kind], axis=-1)  # (L, H, Q)
            stream = {
                "encoder.0": "encoder.embedding.sum", "decoder.0": "decoder.embedding.sum",
                "cross.0": "decoder.layers.0.after_attention", "cross.1": "decoder.layers.1.after_attention",
                "encoder.1": "encoder.layers.0.after_feed_forward",
                "decoder.1": "decoder.layers.0.after_feed_forward",
            }  # fmt: skip
            for layer in range(2):
                before = np.linalg.norm(trace.points[stream[f"{kind}.{layer}"]], axis=-1)
                expected = (lengths[layer] / before).mean(-1)
                tally = replay.importance[f"{kind}.writes"]
                got = tally.totals.reshape(2, -1)[layer] / tally.count
                np.testing.assert_allclose(got, expected, rtol=1e-4, err_msg=where)


def test_gradient_importance_is_the_slope_of_the_loss_when_a_head_fades(translator):
    exact = replace(
        translator, model=deepcopy(translator.model).double()
    )  # a step that meets no kink is small
    ids = [[exact.read(text).ids] for text in PAIRS[0]]
    ((_, replay),) = replay_many(exact.model, exact.tokenizer, *ids)
    step = 5e-4
    for kind, layer, head in (("encoder", 0, 1), ("decoder", 1, 2), ("cross", 0, 3)):
        less, more = (
            exact.trace(*PAIRS[0], edits=[Scale(KINDS[kind].format(layer), head, factor)], keep=["logits"])
            for factor in (1 - step, 1 + step)
        )
        slope = abs(more.log_probs.sum() - less.log_probs.sum()) / (2 * step)
        assert replay.importance[f"{kind}.gradient"].totals[4 * layer + head] == pytest.approx(
            slope, rel=1e-4
        )


def test_replays_come_from_batches_of_like_length(translator, monkeypatch):
    sizes = []
    monkeypatch.setattr(replays, "_replay", lambda model, tokenizer, batch, *_: sizes.append(batch) or [])
    lengths = [4, 30, 5, 6, 7, 29]
    list(replay_many(translator.model, translator.tokenizer, *2 * [[[1] * length for length in lengths]]))
    assert sizes == [[0, 2, 3], [4], [5, 1]]
