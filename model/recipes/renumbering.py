"""English–French pairs in which another number stands: most numbers are too rare in a corpus to be learned.

Tatoeba says "three" a thousand times and "twenty-five" twice. Here a pair that says the same small number on
both sides goes on with any other below a hundred, spelled by rule.
"""

import re
from collections.abc import Sequence

import numpy as np

from model.training.data import Pair

ENGLISH = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
ENGLISH_TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
FRENCH = [
    "zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze",
    "treize", "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf",
]  # fmt: skip
FRENCH_TENS = [
    "", "", "vingt", "trente", "quarante", "cinquante", "soixante", "soixante",
    "quatre-vingt", "quatre-vingt",
]  # fmt: skip
REPLACED = range(2, 13)
# Not in "three hundred", "twenty-three" or at "three o'clock", of which there is no twenty-fifth.
ALONE = r"(?<![\w-]){}(?![\w-]|['’]| hundred| thousand| million| o'clock| cents?\b| mille| heures?\b)"
WRITTEN = [number for number in range(2, 100) if number % 10 != 1 or number in (11, 71, 91)]  # no "une"


def renumber_pairs(pairs: Sequence[Pair], share: float, seed: int) -> list[Pair]:
    """`share` times as many new pairs, each an old one with another number in it."""
    if not share:
        return []  # looking for numbers takes seconds
    rows = [(row, number) for row, pair in enumerate(pairs) if (number := only_number(pair))]
    if not rows:
        return []
    dice, renumbered = np.random.default_rng((seed, 2)), []
    for _ in range(round(share * len(pairs))):
        row, number = rows[dice.integers(len(rows))]
        other = WRITTEN[dice.integers(len(WRITTEN))]
        renumbered.append(
            tuple(
                re.sub(ALONE.format(spell(number)), spell(other), text)
                for spell, text in zip((in_english, in_french), pairs[row], strict=True)
            )
        )
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


def in_english(number: int) -> str:
    """
    >>> [in_english(number) for number in (7, 13, 40, 85)]
    ['seven', 'thirteen', 'forty', 'eighty-five']
    """
    if number < 20:
        return ENGLISH[number]
    tens, ones = divmod(number, 10)
    return ENGLISH_TENS[tens] + (f"-{ENGLISH[ones]}" if ones else "")


def in_french(number: int) -> str:
    """
    >>> [in_french(number) for number in (7, 25, 71, 76, 80, 91)]
    ['sept', 'vingt-cinq', 'soixante et onze', 'soixante-seize', 'quatre-vingts', 'quatre-vingt-onze']
    """
    if number < 20:
        return FRENCH[number]
    tens, ones = divmod(number, 10)
    if tens in (7, 9):
        ones += 10  # seventy is sixty-ten
    if not ones:
        return FRENCH_TENS[tens] + ("s" if number == 80 else "")
    joint = " et " if ones in (1, 11) and tens < 8 else "-"
    return f"{FRENCH_TENS[tens]}{joint}{FRENCH[ones]}"
