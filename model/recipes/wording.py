"""Single words, which visitors type and corpora seldom hold: a corpus's own lexicon, one word a pair.

Two words translate each other if each is the other's best partner by the Dice coefficient over the pairs
that hold both.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from model.training.data import Pair

WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
SEEN, TOGETHER = 4, 0.45  # how often two words must meet, and how exclusively
LONGEST = 14  # words of a side: in longer sentences too much meets by chance
LEAST = 4  # letters: shorter words are mostly articles, pronouns and the like
# How a single word may be typed, and how it is then translated.
WAYS: tuple[Callable[[str], str], ...] = (
    lambda word: word,
    lambda word: word[:1].upper() + word[1:],
    lambda word: word[:1].upper() + word[1:] + ".",
)


def lexicon(pairs: Sequence[Pair]) -> list[Pair]:
    """Words that translate each other, in the order of the alphabet; names keep their capital."""
    ours: Counter[str] = Counter()
    theirs: Counter[str] = Counter()
    met: Counter[Pair] = Counter()
    for source, target in dict.fromkeys(pairs):
        left, right = _words(source), _words(target)
        if max(len(left), len(right)) <= LONGEST:
            ours.update(left)
            theirs.update(right)
            met.update((word, other) for word in left for other in right)
    dice = {
        pair: 2 * count / (ours[pair[0]] + theirs[pair[1]]) for pair, count in met.items() if count >= SEEN
    }
    best_of_ours, best_of_theirs = _best(dice, 0), _best(dice, 1)
    small = {word for pair in pairs for side in pair for word in WORD.findall(side) if word.islower()}
    return sorted(
        (_spelled(word, small), _spelled(other, small))
        for (word, other), together in dice.items()
        if together >= TOGETHER and best_of_ours[word] == (word, other) == best_of_theirs[other]
    )


def word_pairs(pairs: Sequence[Pair], count: int, rng: np.random.Generator) -> list[Pair]:
    """Single words of the corpus's lexicon with their translations, typed with or without a capital."""
    words = lexicon(pairs)
    made: list[Pair] = []
    while len(made) < count and words:
        word, translated = words[int(rng.integers(len(words)))]
        typed = WAYS[int(rng.integers(len(WAYS)))]
        made.append((typed(word), typed(translated)))
    return made


def _words(text: str) -> set[str]:
    return {word for word in WORD.findall(text.lower()) if len(word) >= LEAST}


def _spelled(word: str, small: set[str]) -> str:
    return word if word in small else word[:1].upper() + word[1:]


def _best(dice: dict[Pair, float], side: int) -> dict[str, Pair]:
    """For each word of one side the pair that it is in with its best partner; none wins a tie."""
    best: dict[str, Pair] = {}
    for pair in sorted(dice, key=lambda pair: (-dice[pair], pair)):
        best.setdefault(pair[side], pair)
    return best
