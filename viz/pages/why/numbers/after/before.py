"""What attention was worth in 2015, added to a recurrent network: table 1 of Bahdanau and others."""

from typing import NamedTuple

PAPER = "Bahdanau, Cho, Bengio 2015, arXiv:1409.0473"


class Scores(NamedTuple):
    """BLEU of one system, English to French, newstest2014: all sentences, and those of known words alone."""

    name: str
    way: str  # fixed: one vector for the sentence; attention; phrases: no neural network
    longest: int | None  # words of the sentences that it was trained on
    all: float
    known: float


TABLE = (
    Scores("RNNencdec-30", "fixed", 30, 13.93, 24.19),
    Scores("RNNsearch-30", "attention", 30, 21.50, 31.44),
    Scores("RNNencdec-50", "fixed", 50, 17.82, 26.71),
    Scores("RNNsearch-50", "attention", 50, 26.75, 34.16),
    Scores("RNNsearch-50*", "attention", 50, 28.45, 36.15),  # trained until it got no better
    Scores("Moses", "phrases", None, 33.30, 35.63),
)


def gain(longest: int) -> float:
    """What attention added, in BLEU over all sentences, to the same network trained on the same sentences."""
    by_way = {each.way: each.all for each in reversed(TABLE) if each.longest == longest}
    return by_way["attention"] - by_way["fixed"]


def best(column: str, way: str) -> Scores:
    """The best system of a kind in one column, "all" or "known"."""
    return max((each for each in TABLE if each.way == way), key=lambda each: getattr(each, column))
