"""Replays in batches, whether heads matter and which are alike: each against its slow twin."""

from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest

from model.atlas import replays
from model.atlas.importance import silenced
from model.atlas.replays import replay_many
from model.atlas.similarity import Likeness, distances, order
from model.inspect import variants
from model.inspect.edits import Scale
from model.inspect.variants import all_heads, each_variant, log_probs_of
from model.network.config import POSITIONS
from model.network.kinds import KINDS
from tests.helpers.annotated import pointing_at
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


def test_silencing_is_the_log_probability_lost_without_the_head(translator, runs):
    _, trace = runs[0]
    found = silenced(translator.model, trace.source.ids, trace.target.predicted_ids)
    for head in all_heads(translator.config)[::5]:
        without = translator.trace(*PAIRS[0], edits=[head.silenced], keep=["logits"]).log_probs
        tally = found[f"{head.kind}.silenced"]
        assert tally.count == len(trace.log_probs)
        expected = trace.log_probs.sum() - without.sum()
        assert tally.totals[4 * head.layer + head.head] == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("positions", POSITIONS)
def test_rows_that_branch_off_at_their_head_equal_those_that_run_alone(positions, monkeypatch):
    translator = tiny_translator(tiny_tokenizer(), layers=3, positions=positions, window=4)
    source, target = (translator.read(text).ids for text in PAIRS[0])
    every = [(), *((head.silenced,) for head in all_heads(translator.config))]
    rows = each_variant(translator.model, source, target, every, log_probs_of(target), batch=1)
    totals = np.array([row.sum(dtype=np.float64) for row in rows])
    for positions_at_once in (1, 3 * len(target), 10_000):
        monkeypatch.setattr(variants, "POSITIONS", positions_at_once)
        found = silenced(translator.model, source, target)
        drops = np.concatenate([found[f"{kind}.silenced"].totals for kind in KINDS])
        np.testing.assert_allclose(drops, totals[0] - totals[1:], atol=1e-4)
    assert abs(drops).min() > 1e-5  # each head did something


def test_silencing_leaves_nothing_on_the_model(translator):
    before = translator.translate(PAIRS[0][0])
    silenced(translator.model, *(translator.read(text).ids for text in PAIRS[0]))
    assert translator.translate(PAIRS[0][0]) == before


def test_replays_come_from_batches_of_like_length(translator, monkeypatch):
    sizes = []
    monkeypatch.setattr(replays, "_replay", lambda model, tokenizer, batch, *_: sizes.append(batch) or [])
    lengths = [4, 30, 5, 6, 7, 29]
    list(replay_many(translator.model, translator.tokenizer, *2 * [[[1] * length for length in lengths]]))
    assert sizes == [[0, 2, 3], [4], [5, 1]]


def test_likeness_is_nothing_between_twins_and_one_between_strangers():
    same, other = pointing_at(0, 1, size=3)[0], pointing_at(2, 2, size=3)[0]
    np.testing.assert_allclose(
        distances(np.stack([same, same, other])).mean(-1), [[0, 0, 1], [0, 0, 1], [1, 1, 0]], atol=1e-6
    )


def test_likeness_streams_and_leaves_out_rows_without_a_choice():
    dice = np.random.default_rng(0)
    parts = [dice.dirichlet(np.ones(4), (3, rows)) for rows in (2, 5)]
    whole, streamed = Likeness(3), Likeness(3)
    whole.add(np.concatenate(parts, 1), np.ones((7, 4), bool))
    for part in parts:
        streamed.add(part, np.ones(part.shape[1:], bool))
    np.testing.assert_allclose(streamed.distance, whole.distance)
    before = streamed.total.copy()
    streamed.add(np.ones((3, 1, 1)), np.ones((1, 1), bool))
    assert streamed.rows == 7 and (streamed.total == before).all()


def test_heads_that_are_alike_stand_side_by_side():
    group = np.array([0, 1, 0, 1, 2, 0])
    distance = np.where(np.equal.outer(group, group), 0.1, 0.8) - 0.1 * np.eye(6)
    found = group[order(distance)]
    assert sorted(order(distance)) == list(range(6))
    assert (np.diff(found) != 0).sum() == 2
