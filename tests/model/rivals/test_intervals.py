"""Scores of many samples at once are those that sacrebleu gives each of them."""

import numpy as np
import pytest
import sacrebleu

from model.rivals.intervals import (
    bleu,
    bleu_numbers,
    difference,
    estimate,
    mean_log_prob,
    samples,
)
from tests.helpers.tiny import PAIRS

REFERENCES = [target for _, target in PAIRS[:60]]
WRITTEN = [target for _, target in PAIRS[1:61]]  # another sentence's, with words in common


@pytest.mark.parametrize("rows", [slice(0, 1), slice(0, 7), slice(0, 60), slice(59, 60)])
@pytest.mark.parametrize("cut", [0, 1, 3])
def test_bleu_of_sums_is_that_of_the_sentences(rows, cut):
    written = [" ".join(text.split()[cut:]) for text in WRITTEN[rows]]
    numbers = bleu_numbers(written, REFERENCES[rows])
    expected = sacrebleu.BLEU().corpus_score(written, [REFERENCES[rows]]).score
    assert bleu(numbers.sum(0)) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("written", ["", "xyz", "a b c d e f g h", "le"])
def test_bleu_of_a_bad_translation_is_what_sacrebleu_says(written):
    expected = sacrebleu.BLEU().corpus_score([written], [REFERENCES[:1]]).score
    assert bleu(bleu_numbers([written], REFERENCES[:1]).sum(0)) == pytest.approx(expected, abs=1e-9)


def test_every_sample_draws_as_many_sentences_as_there_are():
    drawn = samples(17)
    assert (drawn.sum(1) == 17).all() and drawn.shape[1] == 17
    assert drawn.max() > 1 and len(np.unique(drawn, axis=0)) > 900
    assert drawn.mean(0) == pytest.approx(1, abs=0.2)


def test_a_sample_scores_what_its_sentences_score():
    numbers, drawn = bleu_numbers(WRITTEN, REFERENCES), samples(len(WRITTEN))
    again = np.repeat(np.arange(len(WRITTEN)), drawn[3].astype(int))
    expected = sacrebleu.BLEU().corpus_score(
        [WRITTEN[row] for row in again], [[REFERENCES[row] for row in again]]
    )
    assert bleu(drawn @ numbers)[3] == pytest.approx(expected.score, abs=1e-9)


def test_an_interval_holds_its_score_and_is_as_wide_as_statistics_say():
    rng = np.random.default_rng(3)
    pieces = np.full(400, 10.0)
    totals = rng.normal(-20, 4, 400)
    found = estimate(mean_log_prob, np.stack([totals, pieces], -1), samples(400))
    assert found.low < found.value < found.high
    assert found.value == pytest.approx(totals.sum() / 4000)
    standard_error = totals.std() / 10 / 400**0.5
    assert found.high - found.low == pytest.approx(2 * 1.96 * standard_error, rel=0.15)


def test_what_is_always_a_little_better_is_surely_so():
    """Sentences differ far more than the two models do; drawn together, that does not matter."""
    rng = np.random.default_rng(4)
    totals, pieces = rng.normal(-30, 12, 90), np.full(90, 10.0)
    worse, better = (np.stack([totals + more, pieces], -1) for more in (0, 0.5))
    drawn = samples(90)
    gap = difference(mean_log_prob, better, worse, drawn)
    assert gap == pytest.approx((0.05, 0.05, 0.05))
    assert estimate(mean_log_prob, worse, drawn).high > estimate(mean_log_prob, better, drawn).low
    assert difference(mean_log_prob, worse, worse, drawn) == (0, 0, 0)
