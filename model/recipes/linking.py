"""English–French pairs of two or three statements in one sentence: practice for sentences that are long.

In Tatoeba one sentence in thirty has twelve words or more, and a model that has read little else than short
ones ends too early. Statements in a row (`join_pairs`) do not help: each of them is short, and ends.
Here they are linked, "Tom sleeps, and he will be late, but we can wait.", so that the sentence continues.
"""

import re
from collections.abc import Sequence

import numpy as np

from model.text.french import begins_with_vowel
from model.training.data import Pair

LINKS = [
    (", and ", ", et "),
    (", but ", ", mais "),
    (" because ", " parce que "),
    (" when ", " quand "),
]
# With a comma inside, it is not clear what is linked to what; and "it" would seem to mean what was named.
STATEMENT = re.compile(r"(?!It|They)[^.?!:;,\"«]+\.")
INNER_WORD = re.compile(r"(?<=[\w,][ '])\w+")


def link_pairs(pairs: Sequence[Pair], count: int, rng: np.random.Generator) -> list[Pair]:
    """Each of two or three linked statements; none if the corpus has no statements."""
    statements = [pair for pair in pairs if all(map(STATEMENT.fullmatch, pair))]
    if not statements:
        return []
    small, linked = _written_small(pairs), []
    for _ in range(count):
        first, *others = (statements[row] for row in rng.integers(len(statements), size=rng.integers(2, 4)))
        for other in others:
            first = _link(first, other, LINKS[rng.integers(len(LINKS))], small)
        linked.append(first)
    return linked


def _link(first: Pair, second: Pair, link: Pair, small: tuple[set[str], set[str]]) -> Pair:
    """
    >>> small = {"he", "it"}, {"il", "elle"}
    >>> _link(("I sleep.", "Je dors."), ("It rains.", "Il pleut."), (" because ", " parce que "), small)
    ('I sleep because it rains.', "Je dors parce qu'il pleut.")
    """
    english, french = (_lowered(text, words) for text, words in zip(second, small, strict=True))
    joint = link[1].replace("que ", "qu'") if begins_with_vowel(french) else link[1]
    return f"{first[0][:-1]}{link[0]}{english}", f"{first[1][:-1]}{joint}{french}"


def _lowered(text: str, small: set[str]) -> str:
    """As it stands within a sentence: names, and I, keep their capital."""
    word = re.split(r"\W", text, maxsplit=1)[0]
    return text[0].lower() + text[1:] if word.lower() in small else text


def _written_small(pairs: Sequence[Pair]) -> tuple[set[str], set[str]]:
    """Of either language, the words that are written in lower case inside a sentence."""
    english, french = (
        {word for word in INNER_WORD.findall(" ".join(side)) if word == word.lower()}
        for side in zip(*pairs, strict=True)
    )
    return english, french
