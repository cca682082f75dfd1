"""Two translations, word by word: which words of either the other does not have."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from html import escape


def marked(text: str, other: str) -> str:
    """A translation as HTML; what the other one does not say is marked.

    >>> marked("le chat dort", "la chat dort")
    '<mark>le</mark> chat dort'
    """
    words = text.split()
    return " ".join(
        f"<mark>{escape(' '.join(words[begin:end]))}</mark>"
        if tag != "equal"
        else escape(" ".join(words[begin:end]))
        for tag, begin, end, *_ in _parts(text, other)
        if begin < end
    )


def first_change(text: str, other: str) -> tuple[str, str]:
    """The first words that differ; either may be nothing.

    >>> first_change("il ne dort pas ici", "il dort ici")
    ('ne', '')
    """
    words, others = text.split(), other.split()
    for tag, *place in _parts(text, other):
        if tag != "equal":
            return " ".join(words[place[0] : place[1]]), " ".join(others[place[2] : place[3]])
    return "", ""


def _parts(text: str, other: str) -> Sequence[tuple[str, int, int, int, int]]:
    return SequenceMatcher(None, text.split(), other.split(), autojunk=False).get_opcodes()
