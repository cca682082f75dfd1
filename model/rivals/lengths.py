"""How well each architecture translates sentences of different length: what lengths.json holds.

    sentences     how many pairs were measured, of how many that could be read
    longest       words of the longest source that they learned from
    buckets       first, last: words of the source, by its spaces; sentences: how many pairs. None holds
                  sentences both within and beyond what was learned from; those beyond are several sentences
                  put after each other
    models        by name, for each of the five:
        training      how it was trained, as its own file of facts says
        log_prob      the mean natural log-probability of a piece of the right translation (end token
                      included), each given the right ones before it (teacher forcing)
        bleu          corpus BLEU of its own greedy translations (free running)
        aligned       which of its attention maps points from word to word, as `model.rivals.aligned` has it;
                      null without attention
    beside        one, other: each two of them, and how much more the first scores, on the same sentences
    signature     what BLEU was computed by

Scores are lists: one for each bucket, then one for all sentences together. Each is [value, low, high] with a
bootstrap interval of 95 % over sentences. Short sentences are many: of each bucket at most `most` are
measured, taken evenly from the files, so that "all" counts long sentences more than the files do.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from model.rivals import intervals
from model.rivals.intervals import Estimate, Score, bleu, bleu_numbers, mean_log_prob, samples
from model.rivals.rival import Rival
from model.training.evaluation import quality

FILE = "lengths.json"  # beside the folders of the five
EDGES = (5, 10, 15, 20, 30, 45, 60)  # words: where a bucket ends
LEAST, MOST = 25, 300  # sentences of a bucket
MEASURES: Mapping[str, Score] = {"log_prob": mean_log_prob, "bleu": bleu}

Pair = tuple[str, str]
Counted = dict[str, np.ndarray]  # by measure: the numbers of each sentence, (N, K)


class Bucket(NamedTuple):
    """Sentences of about the same length, in words; `rows` are their places among the pairs."""

    first: int
    last: int
    rows: tuple[int, ...]


def words_of(text: str) -> int:
    return len(text.split())


def buckets(lengths: Sequence[int], longest: int, least: int = LEAST, most: int = MOST) -> list[Bucket]:
    """Sentences by their length, within what was learned from and beyond it; where few are, wider ones.

    >>> [each[:2] for each in buckets([3] * 30 + [8] * 10 + [12] * 20 + [22] * 40, 18)]
    [(1, 5), (6, 18), (19, 30)]
    """
    edges = sorted({*EDGES, longest})
    within = [edge for edge in edges if edge <= longest]
    end = next((edge for edge in edges if edge >= max(lengths, default=0)), edges[-1])
    beyond = [edge for edge in edges if longest < edge <= end]
    found = [*_part(lengths, 1, within, least), *_part(lengths, longest + 1, beyond, least)]
    return [each._replace(rows=_evenly(each.rows, most)) for each in found]


def _part(lengths: Sequence[int], first: int, edges: Sequence[int], least: int) -> list[Bucket]:
    """A bucket ends at the first edge by which it has enough; what is left over goes to the last one."""
    found = list[Bucket]()
    for last in edges:
        rows = tuple(row for row, length in enumerate(lengths) if first <= length <= last)
        if len(rows) >= least:
            found.append(Bucket(first, last, rows))
            first = last + 1
    if found and found[-1].last < edges[-1]:
        first, last, _ = found.pop()
        last = edges[-1]
        found.append(
            Bucket(first, last, tuple(row for row, length in enumerate(lengths) if first <= length <= last))
        )
    return found


def measure(
    rivals: Mapping[str, Rival], pairs: Sequence[Pair], longest: int, most: int = MOST,
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:  # fmt: skip
    """The scores of lengths.json, of networks that learned from sources of at most `longest` words."""
    fitting = [pair for pair in pairs if all(_fits(rival, pair) for rival in rivals.values())]
    found = buckets([words_of(source) for source, _ in fitting], longest, most=most)
    if not found:
        raise ValueError(f"{len(fitting)} pairs are too few to measure; each length needs {LEAST}")
    taken = [[fitting[row] for row in bucket.rows] for bucket in found]
    asked = [pair for part in taken for pair in part]
    counted = {}
    for name, rival in rivals.items():
        counted[name] = counts(rival, asked)
        progress(f"{name}: {len(asked)} sentences scored and translated")
    parts = _parts([len(part) for part in taken])
    return {
        "sentences": [len(asked), len(fitting)],
        "longest": longest,
        "buckets": [{"first": each.first, "last": each.last, "sentences": len(each.rows)} for each in found],
        "models": {name: scores(counted[name], parts) for name in rivals},
        "beside": [
            {"one": one, "other": other, **differences(counted[one], counted[other], parts)}
            for one, other in combinations(counted, 2)
        ],
        "signature": quality(["a"], ["a"]).signature,
    }


def counts(rival: Rival, pairs: Sequence[Pair]) -> Counted:
    """What the scores are made of, sentence by sentence."""
    totals = rival.score(pairs)
    pieces = [len(rival.read(target).ids) for _, target in pairs]
    written = [each.text for each in rival.translate_many([source for source, _ in pairs])]
    return {
        "log_prob": np.stack([np.array(totals), np.array(pieces, float)], -1),
        "bleu": bleu_numbers(written, [target for _, target in pairs]),
    }


def scores(counted: Counted, parts: Sequence[slice]) -> dict[str, list[list[float]]]:
    """Of each part of the sentences, by measure."""
    return {
        measure: [
            _rounded(intervals.estimate(score, numbers, samples(len(numbers))))
            for numbers in (counted[measure][part] for part in parts)
        ]
        for measure, score in MEASURES.items()
    }


def differences(one: Counted, other: Counted, parts: Sequence[slice]) -> dict[str, list[list[float]]]:
    """How much more one scores than the other: every sample draws the same sentences for both."""
    return {
        measure: [
            _rounded(intervals.difference(score, mine, its, samples(len(mine))))
            for mine, its in ((one[measure][part], other[measure][part]) for part in parts)
        ]
        for measure, score in MEASURES.items()
    }


def _fits(rival: Rival, pair: Pair) -> bool:
    """Whether it reads both sides whole."""
    try:
        for text in pair:
            rival.read(text)
    except ValueError:
        return False
    return True


def _evenly(rows: tuple[int, ...], most: int) -> tuple[int, ...]:
    """At most so many of them, from all over the file.

    >>> _evenly(tuple(range(10)), 4)
    (0, 2, 5, 7)
    """
    if len(rows) <= most:
        return rows
    return tuple(rows[place * len(rows) // most] for place in range(most))


def _parts(sizes: Sequence[int]) -> list[slice]:
    """Where each bucket stands among all sentences, and then all of them."""
    ends = np.cumsum(sizes).tolist()
    return [*(slice(end - size, end) for end, size in zip(ends, sizes, strict=True)), slice(0, ends[-1])]


def _rounded(found: Estimate) -> list[float]:
    return [round(each, 4) for each in found]
