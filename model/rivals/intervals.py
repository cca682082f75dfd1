"""How sure a score is: BLEU and mean log-probability of many samples of the same sentences, drawn again.

A score over sentences is a function of sums: of matches, of lengths, of log-probabilities. So each sentence
is reduced to its numbers once, and a sample is the sum of those it drew: thousands cost one product.

Shapes   N sentences · R samples
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import sacrebleu

RESAMPLES = 1_000
MIDDLE = 0.025, 0.975  # the edges of an interval of 95 %
ORDERS = 4  # BLEU counts sequences of one to four words

Score = Callable[[np.ndarray], np.ndarray]  # sums (..., K) to scores (...)


class Estimate(NamedTuple):
    """A score of all the sentences, and the edges of its interval."""

    value: float
    low: float
    high: float


@cache
def samples(count: int) -> np.ndarray:  # (R, N)
    """How often each of so many sentences is drawn, in each sample; the same for everybody who asks."""
    drawn = np.random.default_rng(count).integers(count, size=(RESAMPLES, count))
    return np.stack([np.bincount(each, minlength=count) for each in drawn]).astype(float)


def estimate(score: Score, numbers: np.ndarray, drawn: np.ndarray) -> Estimate:
    """The score of sentences with these numbers, (N, K), and its interval over the samples drawn."""
    return _between(float(score(numbers.sum(0))), score(drawn @ numbers))


def difference(score: Score, one: np.ndarray, other: np.ndarray, drawn: np.ndarray) -> Estimate:
    """How much more the first scores than the second, on the same sentences in every sample."""
    apart = score(one.sum(0)) - score(other.sum(0))
    return _between(float(apart), score(drawn @ one) - score(drawn @ other))


def bleu_numbers(written: Sequence[str], references: Sequence[str]) -> np.ndarray:  # (N, 2 + 2 · ORDERS)
    """What BLEU counts of each translation: its length and its reference's, matches and totals by order."""
    metric = sacrebleu.BLEU(effective_order=True)
    found = [
        metric.sentence_score(*pair) for pair in zip(written, ([each] for each in references), strict=True)
    ]
    return np.array([(each.sys_len, each.ref_len, *each.counts, *each.totals) for each in found], float)


def bleu(sums: np.ndarray) -> np.ndarray:
    """Corpus BLEU as sacrebleu's defaults have it, of the sums of what its sentences count.

    >>> float(bleu(np.array([4, 4, 4, 3, 2, 1, 4, 3, 2, 1.0])))
    100.0
    """
    own, reference = sums[..., 0], sums[..., 1]
    counts, totals = sums[..., 2 : 2 + ORDERS], sums[..., 2 + ORDERS :]
    # An order without a match counts half a match, the next such order a quarter, and so on.
    halved = 0.5 ** (counts == 0).cumsum(-1)
    precisions = np.where(counts == 0, halved, counts) / np.maximum(totals, 1)
    short = np.exp(np.minimum(0, 1 - reference / np.maximum(own, 1)))
    found = 100 * short * np.exp(np.log(precisions).mean(-1))
    return np.where((totals > 0).all(-1) & counts.any(-1), found, 0.0)


def mean_log_prob(sums: np.ndarray) -> np.ndarray:
    """The log-probability of a piece, of the sums of log-probabilities and of pieces."""
    return sums[..., 0] / sums[..., 1]


def _between(value: float, scores: np.ndarray) -> Estimate:
    low, high = np.quantile(scores, MIDDLE)
    return Estimate(value, float(low), float(high))
