"""Which words of a translation a change exchanged, and how much of the rest is left."""

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

WORD = re.compile(r"aujourd'hui|-?\w+'?|[^\w\s]")
LONG = 4  # letters, of words that say who and what
GAP = " … "  # between words that do not stand side by side


class Exchange(NamedTuple):
    """One place where two translations differ: the words of either, which may be none."""

    before: str
    after: str


def split(text: str) -> list[str]:
    """
    >>> split("Parce qu'elle est là.")
    ['Parce', "qu'", 'elle', 'est', 'là', '.']
    """
    return WORD.findall(text)


def exchanges(before: str, after: str) -> list[Exchange]:
    """From left to right.

    >>> exchanges("la robe est laide.", "le robe est laid.")
    [Exchange(before='la', after='le'), Exchange(before='laide', after='laid')]
    """
    one, other = split(before), split(after)
    found = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    return [Exchange(_join(one[a:b]), _join(other[c:d])) for what, a, b, c, d in found if what != "equal"]


def size(found: Sequence[Exchange]) -> int:
    """How many words are others, whichever side has more of them.

    >>> size([Exchange("ne", ""), Exchange("le chat", "chien")])
    3
    """
    return sum(max(len(split(each.before)), len(split(each.after))) for each in found)


def joined(found: Sequence[Exchange]) -> Exchange:
    """All of it in one line: "elle … petite" and "il … petit"."""
    return Exchange(*(GAP.join(filter(None, side)) for side in zip(*found, strict=True)))


def kept(before: str, after: str) -> float:
    """The share of words that both have, wherever they stand; 1: the same words, perhaps in another order.

    >>> kept("Le chat voit le chien.", "Le chien voit le chat.")
    1.0
    """
    one, other = (Counter(word.lower() for word in split(text)) for text in (before, after))
    return sum((one & other).values()) / max(sum(one.values()), sum(other.values()), 1)


def turned(before: str, after: str) -> float:
    """Of all pairs of long words that both have, the share that stands in the opposite order.

    >>> turned("Le chat voit le chien.", "Le chien voit le chat.")
    1.0
    """
    one, other = (
        [word for word in map(str.lower, split(text)) if len(word) >= LONG] for text in (before, after)
    )
    both = [word for word in one if one.count(word) == other.count(word) == 1]
    pairs = [(a, b) for place, a in enumerate(both) for b in both[place + 1 :]]
    return sum(other.index(a) > other.index(b) for a, b in pairs) / max(len(pairs), 1)


def _join(words: Sequence[str]) -> str:
    return " ".join(words).replace("' ", "'").replace(" -", "-").removeprefix("-")
