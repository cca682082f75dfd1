"""Sums that stream, halves that do not mix, and how wide an interval is."""

import numpy as np

from model.atlas.sums import CHOOSE, REPORT, Sums, Tally
from tests.helpers.gathered import EACH, HEADS, level, sums_of


def test_the_halves_are_disjoint_and_together_the_corpus():
    scores = level(0.1, 0.5, 0.9)
    found = sums_of(scores)
    for half in (CHOOSE, REPORT):
        estimate = found.estimate("encoder.previous", half)
        np.testing.assert_allclose(estimate.value, scores[half::2].mean(0))
        assert estimate.n == EACH * len(scores[half::2])


def test_sums_stream_in_any_order_and_in_any_parts():
    scores = level(0.1, 0.5, 0.9, sentences=21)
    tallies = [{"encoder.self": Tally(row, 1)} for row in scores]
    forward, backward = Sums(), Sums()
    for number in range(21):
        forward.add(number, tallies[number])
        backward.add(20 - number, tallies[20 - number])
    np.testing.assert_allclose(forward.tables["encoder.self"], backward.tables["encoder.self"])
    size = forward.tables["encoder.self"].nbytes
    forward.add(21, tallies[0])
    assert len(forward.tables) == 1 and forward.tables["encoder.self"].nbytes == size


def test_an_interval_is_as_wide_as_the_bootstrap_over_sentences_makes_it():
    rng = np.random.default_rng(1)
    scores = rng.random((800, HEADS)) < 0.5
    estimate = sums_of(scores).estimate("encoder.previous", REPORT)
    expected = 2 * 1.96 * np.sqrt(0.25 / 400)
    np.testing.assert_allclose(estimate.high - estimate.low, expected, rtol=0.25)
    assert (estimate.low < estimate.value).all() and (estimate.value < estimate.high).all()


def test_rows_of_one_sentence_are_no_independent_observations():
    few = sums_of(level(0.5, 0.5, 0.5, noise=0.3)).estimate("encoder.previous", REPORT)
    table = Sums()
    for number, row in enumerate(level(0.5, 0.5, 0.5, noise=0.3)):
        table.add(number, {"encoder.previous": Tally(100 * row, 100)})
    many = table.estimate("encoder.previous", REPORT)
    np.testing.assert_allclose(
        many.high - many.low, few.high - few.low
    )  # a hundred rows each, the same width
