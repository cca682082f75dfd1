"""Whether a head points from word to word as grammar does: dependencies, and pronouns.

Pieces become words by one rule: sum over the word looked at, mean over the word looking (Clark et al. 2019).
The largest weight is sought among the other words: no word is its own head, and special tokens are left out.

Shapes   N heads of one kind · Q queries · K keys · W words
"""

from collections.abc import Sequence

import numpy as np

from model.head_measures import largest, pointing
from model.sums import Tally
from model.treebank import Annotated

OFFSETS = tuple(offset for offset in range(-10, 11) if offset)  # in words
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
    count = len(sentence.words)
    others = ~np.eye(count, dtype=bool)
    best = largest(between_words(attention, pieces, pieces), others)
    found = {}
    for relation in sorted(set(sentence.relations)):
        if relation in LEFT_OUT:
            continue
        correct = np.zeros((count, count), bool)
        for word, (head, name) in enumerate(zip(sentence.heads, sentence.relations, strict=True)):
            correct[word, head] |= name == relation and head >= 0
        found[f"relation.{relation}.to_head"] = pointing(best, correct, others, OFFSETS)
        found[f"relation.{relation}.to_dependent"] = pointing(best, correct.T, others, OFFSETS)
    if sentence.antecedents:
        found["antecedent"] = _antecedent(best, sentence, others)
    return found


def _antecedent(best: np.ndarray, sentence: Annotated, others: np.ndarray) -> Tally:
    correct = np.zeros_like(others)
    for pronoun, antecedent in sentence.antecedents.items():
        correct[pronoun, antecedent] = True
    tally = pointing(best, correct, others, OFFSETS)
    nearest = sum(nearest_noun(sentence, pronoun) == word for pronoun, word in sentence.antecedents.items())
    return tally._replace(baselines={"nearest noun": float(nearest), **tally.baselines})


def nearest_noun(sentence: Annotated, pronoun: int) -> int | None:
    """The last noun before a pronoun."""
    before = [word for word in range(pronoun) if sentence.upos[word] in NOUNS]
    return before[-1] if before else None


def _members(words: Sequence[Sequence[int]], positions: int) -> np.ndarray:  # (W, positions)
    members = np.zeros((len(words), positions))
    for word, places in enumerate(words):
        members[word, list(places)] = 1
    return members
