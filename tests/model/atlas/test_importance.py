"""Whether heads matter: silenced all at once, against each by itself."""

import numpy as np
import pytest

from model.atlas.importance import silenced
from model.inspect import variants
from model.inspect.variants import all_heads
from model.network.config import POSITIONS
from model.network.kinds import KINDS
from tests.helpers.tiny import PAIRS, tiny_tokenizer, tiny_translator


@pytest.fixture(scope="module")
def translator():
    return tiny_translator(tiny_tokenizer(), length=64)


def test_silencing_is_the_log_probability_lost_without_the_head(translator):
    trace = translator.trace(*PAIRS[0])
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
    alone = [translator.trace(*PAIRS[0], edits=edits, keep=["logits"]).log_probs for edits in every]
    totals = np.array([log_probs.sum(dtype=np.float64) for log_probs in alone])
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
