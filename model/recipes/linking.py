"""English–French pairs of two or three statements in one sentence: practice for sentences that are long.

In Tatoeba one sentence in thirty has twelve words or more, and a model that has read little else than short
ones ends too early. Statements in a row (`join_pairs`) do not cure that: each of them is short, and ends.
Here they are linked, "Tom sleeps, and he will be late, but we can wait.", so that the sentence goes on.
"""

import re
from collections.abc import Sequence

import numpy as np

from model.training.data import Pair

LINKS = [
    (", and ", ", et "),
    (", but ", ", mais "),
    (" because ", " parce que "),
    (" when ", " quand "),
]
ELIDING = re.compile(r"[aâàeéèêiîoôuAÂÀEÉÈÊIÎOÔU]")  # what begins so makes qu' of que; about h nobody knows
# With a comma inside, nobody could tell what is linked to what; and "it" would seem to mean what was named.
STATEMENT = re.compile(r"(?!It|They)[^.?!:;,\"«]+\.")
INNER_WORD = re.compile(r"(?<=[\w,][ '])\w+")


def link_pairs(pairs: Sequence[Pair], share: float, seed: int) -> list[Pair]:
    """`share` times as many new pairs, each of two or three linked statements."""
    if not share:
        return []
    statements = [pair for pair in pairs if all(map(STATEMENT.fullmatch, pair))]
    if not statements:
        return []
    small = _written_small(pairs)
    dice, linked = np.random.default_rng((seed, 3)), []
    for _ in range(round(share * len(pairs))):
        first, *others = (statements[row] for row in dice.integers(len(statements), size=dice.integers(2, 4)))
        for other in others:
            first = _link(first, other, LINKS[dice.integers(len(LINKS))], small)
        linked.append(first)
    return linked


def _link(first: Pair, second: Pair, link: Pair, small: tuple[set[str], set[str]]) -> Pair:
    """
    >>> small = {"he", "it"}, {"il", "elle"}
    >>> _link(("I sleep.", "Je dors."), ("It rains.", "Il pleut."), (" because ", " parce que "), small)
    ('I sleep because it rains.', "Je dors parce qu'il pleut.")
    """
    english, french = (_lowered(text, words) for text, words in zip(second, small, strict=True))
    joint = link[1].replace("que ", "qu'") if ELIDING.match(french) else link[1]
    return f"{first[0][:-1]}{link[0]}{english}", f"{first[1][:-1]}{joint}{french}"


def _lowered(text: str, small: set[str]) -> str:
    """As it stands within a sentence: names, and I, keep their capital."""
    word = re.match(r"\w*", text)[0]
    return text[0].lower() + text[1:] if word.lower() in small else text


def _written_small(pairs: Sequence[Pair]) -> tuple[set[str], set[str]]:
    """Of either language, the words that are written small inside a sentence."""
    words = tuple(set(INNER_WORD.findall(" ".join(side))) for side in zip(*pairs, strict=True))
    return tuple({word for word in side if word == word.lower()} for side in words)
