"""Two translations, word by word: which words of either the other does not have."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from html import escape

END = ".,;:!?"  # what stands at the end of a word and is no part of it


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


def changes(text: str, other: str) -> tuple[list[str], list[str]]:
    """The words that differ, place by place; either may have nothing there.

    >>> changes("il ne dort pas ici", "il dort là")
    (['ne', 'pas ici'], ['', 'là'])
    """
    words, others = text.split(), other.split()
    places = [place for tag, *place in _parts(text, other) if tag != "equal"]
    return (
        [" ".join(words[begin:end]).strip(END) for begin, end, *_ in places],
        [" ".join(others[begin:end]).strip(END) for *_, begin, end in places],
    )


def _parts(text: str, other: str) -> Sequence[tuple[str, int, int, int, int]]:
    return SequenceMatcher(None, text.split(), other.split(), autojunk=False).get_opcodes()
