"""English–French pairs in which another number stands: most numbers are too rare in a corpus to be learned.

Tatoeba says "three" a thousand times and "twenty-five" twice. Here a pair that says the same small number on
both sides gets any other below a hundred, spelled by rule.
"""

import re
from collections.abc import Sequence

import numpy as np

from model.text.numbers import in_english, in_french
from model.training.data import Pair

REPLACED = range(2, 13)
# Not in "three hundred", "twenty-three" or at "three o'clock", of which there is no twenty-fifth.
ALONE = r"(?<![\w-]){}(?![\w-]|['’]| hundred| thousand| million| o'clock| cents?\b| mille| heures?\b)"
WRITTEN = [number for number in range(2, 100) if number % 10 != 1 or number in (11, 71, 91)]  # no "une"


def renumber_pairs(pairs: Sequence[Pair], count: int, rng: np.random.Generator) -> list[Pair]:
    """Each an old pair with another number in it; none if the corpus says no numbers."""
    rows = [(row, number) for row, pair in enumerate(pairs) if (number := only_number(pair))]
    if not rows:
        return []
    renumbered = []
    for _ in range(count):
        row, number = rows[rng.integers(len(rows))]
        other = WRITTEN[rng.integers(len(WRITTEN))]
        english, french = (
            re.sub(ALONE.format(spell(number)), spell(other), text)
            for spell, text in zip((in_english, in_french), pairs[row], strict=True)
        )
        renumbered.append((english, french))
    return renumbered


def only_number(pair: Pair) -> int | None:
    """The one small number that a pair says in words, the same on both sides.

    >>> only_number(("I have three cats.", "J'ai trois chats."))
    3
    """
    english, french = (
        {number for number in REPLACED if re.search(ALONE.format(spell(number)), text)}
        for spell, text in zip((in_english, in_french), pair, strict=True)
    )
    return english.pop() if english == french and len(english) == 1 else None
