"""Sentences for which the size of the beam decides: it repairs a mistake of greedy, or makes one.

All sentences are translated with every size in batches; what promises to show something is then run again
alone, as a visitor will, and only what alone writes the same is kept.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import sacrebleu

from model.decoding.search import Hypothesis
from model.translator import Translator

SIZES = (1, 2, 4, 8)  # 1: greedy
MOST = 5  # of each kind
LEAST = 10.0  # chrF points that make a difference clear
GOOD = 60.0  # chrF of the better one at least: between two failures there is nothing to learn
RIGHT = 100.0  # chrF of what equals a right translation


class Case(NamedTuple):
    """One sentence with a smaller and a larger beam."""

    sentence: str
    other: int
    size: int
    written: tuple[Hypothesis, Hypothesis]
    scores: tuple[float, float]

    @property
    def gain(self) -> float:
        """In chrF, by the larger beam."""
        return self.scores[1] - self.scores[0]

    @property
    def clear(self) -> tuple[bool, bool, float]:
        """The better first: one is right, the larger beam has found what is likelier, much is at stake."""
        smaller, larger = map(total, self.written)
        return max(self.scores) == RIGHT, larger > smaller, abs(self.gain)


def beams(
    translator: Translator, pairs: Mapping[str, Sequence[str]], progress: Callable[[str], None]
) -> list[dict[str, Any]]:
    """The clearest cases of both kinds, repaired ones before the others; no sentence twice in one kind."""
    written = {}
    for size in SIZES:
        progress(f"{len(pairs)} sentences with a beam of {size}")
        written[size] = dict(zip(pairs, translator.translate_many(list(pairs), beam=size), strict=True))
    cases: dict[str, list[Case]] = {"repaired": [], "worse": []}
    for sentence, right in pairs.items():
        found = {size: written[size][sentence] for size in SIZES}
        scores = {size: nearness(found[size].text, right) for size in SIZES}
        for kind, other, size in judged(scores):
            case = Case(sentence, other, size, (found[other], found[size]), (scores[other], scores[size]))
            cases[kind].append(case)
    return [
        _entry(kind, case, pairs[case.sentence])
        for kind, some in cases.items()
        for case in _replayed(translator, sorted(some, key=lambda each: each.clear, reverse=True))
    ]


def judged(scores: Mapping[int, float]) -> Iterator[tuple[str, int, int]]:
    """Kind, smaller and larger size of what a sentence shows, by its score with every size.

    >>> list(judged({1: 60.0, 2: 60.0, 4: 100.0, 8: 100.0}))
    [('repaired', 1, 4)]
    >>> list(judged({1: 90.0, 2: 100.0, 4: 70.0, 8: 60.0}))
    [('repaired', 1, 2), ('worse', 2, 8)]
    >>> list(judged({1: 60.0, 2: 65.0, 4: 65.0, 8: 58.0})), list(judged({1: 40.0, 2: 20.0}))
    ([], [])
    """
    best = max(scores.values())
    if best >= GOOD and best - scores[1] >= LEAST:
        yield "repaired", 1, min(size for size in scores if scores[size] == best)
    # Of equal drops the one between the smallest sizes: the least that one has to draw.
    sizes = combinations(sorted(scores), 2)
    drops = [(scores[a] - scores[b], -b, -a) for a, b in sizes if scores[a] >= GOOD]
    drop, size, other = max(drops, default=(0.0, 0, 0))
    if drop >= LEAST:
        yield "worse", -other, -size


def nearness(text: str, right: Sequence[str]) -> float:
    """chrF against the nearest right translation; 100 for nothing but one of them.

    >>> nearness("Il dort.", ["Elle dort.", "Il dort."])
    100.0
    >>> nearness("Ildort .", ["Il dort."]) < 100  # chrF itself does not see spaces
    True
    """
    if text in right:
        return RIGHT
    # A translation can be empty, and chrF of nothing is nothing.
    scored = sacrebleu.CHRF().sentence_score(text, list(right)).score if text else 0.0
    return min(scored, RIGHT - 0.01)


def total(hypothesis: Hypothesis) -> float:
    return sum(hypothesis.log_probs)


def _replayed(translator: Translator, cases: Sequence[Case]) -> list[Case]:
    """The first that write the same alone as in a batch, where rounding can decide between near ties."""
    kept: list[Case] = []
    for case in cases:
        if len(kept) == MOST:
            break
        smaller, larger = (translator.translate(case.sentence, beam=k) for k in (case.other, case.size))
        if (smaller.ids, larger.ids) == tuple(each.ids for each in case.written):
            kept.append(case._replace(written=(smaller, larger)))
    return kept


def _entry(kind: str, case: Case, right: Sequence[str]) -> dict[str, Any]:
    sizes = (str(case.other), str(case.size))
    better = case.written[case.gain > 0].text
    return {
        "kind": kind,
        "sentence": case.sentence,
        "reference": max(right, key=lambda each: nearness(better, [each])),
        "size": case.size,
        "other": case.other,
        "written": dict(zip(sizes, (each.text for each in case.written), strict=True)),
        "totals": dict(zip(sizes, (round(total(each), 5) for each in case.written), strict=True)),
        "scores": dict(zip(sizes, (round(each, 2) for each in case.scores), strict=True)),
    }
