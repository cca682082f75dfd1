"""Whether a head points from word to word as grammar does: dependencies, and pronouns.

Pieces become words by one rule: sum over the word looked at, mean over the word looking (Clark et al. 2019).
The largest weight is sought among the other words: no word is its own head, and special tokens are left out.
In the decoder only earlier words can be looked at, so only pairs whose other word comes earlier are asked.

Shapes   N heads of one kind · Q queries · K keys · W words
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from model.atlas.measures import largest, pointing
from model.atlas.sums import Tally
from model.text.treebank import Annotated

OFFSETS = tuple(offset for offset in range(-10, 11) if offset)  # in words
BEFORE = tuple(offset for offset in OFFSETS if offset < 0)
NOUNS = ("NOUN", "PROPN")
LEFT_OUT = ("root", "punct")  # no relation between words


def between_words(
    attention: np.ndarray, looking: Sequence[Sequence[int]], looked_at: Sequence[Sequence[int]]
) -> np.ndarray:  # (…, Q, K) -> (…, W, W)
    """Attention from word to word, each given by its positions; what special tokens held is missing.

    >>> between_words(np.array([[0.5, 0.25, 0.25], [0.0, 0.5, 0.5]]), [[0, 1]], [[0], [1, 2]])
    array([[0.25, 0.75]])
    """
    rows, columns = _members(looking, attention.shape[-2]), _members(looked_at, attention.shape[-1])
    share = rows / rows.sum(-1, keepdims=True)
    return share.astype(attention.dtype) @ attention @ columns.T.astype(attention.dtype)


def relation_tallies(
    attention: np.ndarray, sentence: Annotated, pieces: Sequence[Sequence[int]]
) -> dict[str, Tally]:
    """For heads (N, Q, K) of the encoder: each relation both ways, and pronouns to what they stand for.

    `relation.nsubj.to_head` looks from the subject at its verb, `relation.nsubj.to_dependent` from the verb
    at its subject; where a word has several such dependents any of them is right.
    """
    others = ~np.eye(len(sentence.words), dtype=bool)
    best = largest(between_words(attention, pieces, pieces), others)
    found = _both_ways(best, sentence.heads, sentence.relations, others, OFFSETS)
    if sentence.antecedents:
        found["antecedent"] = _antecedent(best, sentence, others)
    return found


def french_tallies(
    attention: np.ndarray, sentence: Annotated, pieces: Sequence[Sequence[int]]
) -> dict[str, Tally]:
    """For heads (N, Q, K) of the decoder whose target is the sentence's own French: each relation both ways.

    `pieces` are the positions of each French word in the target. A word looks from the rows that read it:
    the decoder reads the start token first, so these come one later.
    """
    if sentence.french_heads is None or sentence.french_relations is None:
        return {}
    read = [[position + 1 for position in word] for word in pieces]
    earlier = np.tri(len(read), k=-1, dtype=bool)
    best = largest(between_words(attention, read, read), earlier)
    return _both_ways(best, sentence.french_heads, sentence.french_relations, earlier, BEFORE)


def _both_ways(
    best: np.ndarray, heads: Sequence[int], relations: Sequence[str], allowed: np.ndarray,
    offsets: Sequence[int],
) -> dict[str, Tally]:  # fmt: skip
    found = {}
    for relation in sorted({*relations} - {*LEFT_OUT}):
        correct = np.zeros_like(allowed)
        for word, (head, name) in enumerate(zip(heads, relations, strict=True)):
            correct[word, head] |= name == relation and head >= 0
        found[f"relation.{relation}.to_head"] = pointing(best, correct, allowed, offsets)
        found[f"relation.{relation}.to_dependent"] = pointing(best, correct.T, allowed, offsets)
    return found


def _antecedent(best: np.ndarray, sentence: Annotated, others: np.ndarray) -> Tally:
    correct = np.zeros_like(others)
    for pronoun, antecedent in sentence.antecedents.items():
        correct[pronoun, antecedent] = True
    tally = pointing(best, correct, others, OFFSETS)
    nearest = sum(nearest_noun(sentence, pronoun) == word for pronoun, word in sentence.antecedents.items())
    return replace(tally, baselines={"nearest noun": float(nearest), **tally.baselines})


def nearest_noun(sentence: Annotated, pronoun: int) -> int | None:
    """The last noun before a pronoun."""
    before = [word for word in range(pronoun) if sentence.upos[word] in NOUNS]
    return before[-1] if before else None


def _members(words: Sequence[Sequence[int]], positions: int) -> np.ndarray:  # (W, positions)
    members = np.zeros((len(words), positions))
    for word, places in enumerate(words):
        members[word, list(places)] = 1
    return members
