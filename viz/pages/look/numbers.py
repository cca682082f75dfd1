"""What makes two sentences worth comparing: the words that they share, and how long they are."""

from collections.abc import Mapping

from model.text.tokenizer import Tokens
from viz.figures.labels import SPACE

UNEQUAL = 4  # tokens: so much padding is seen at once


def common_words(first: Tokens, second: Tokens) -> dict[str, tuple[tuple[int, ...], tuple[int, ...]]]:
    """Each shared word, in the first sentence's order, with its positions in both (first occurrence)."""
    here, there = _places(first), _places(second)
    return {word: (places, there[word]) for word, places in here.items() if word in there}


def likest(first: Tokens, others: Mapping[str, Tokens]) -> str:
    """The sentence that shares most words: the less differs, the more the rest of the map can tell."""
    return max(others, key=lambda text: len(common_words(first, others[text])))


def unlike_length(first: Tokens, others: Mapping[str, Tokens]) -> str:
    """The shortest sentence of clearly another length; if there is none, the one that differs most."""
    apart = {text: abs(len(tokens.ids) - len(first.ids)) for text, tokens in others.items()}
    clear = [text for text, count in apart.items() if count >= UNEQUAL]
    return min(clear, key=lambda text: len(others[text].ids)) if clear else max(apart, key=apart.__getitem__)


def _places(tokens: Tokens) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for number in dict.fromkeys(word for word in tokens.words if word >= 0):
        places = tuple(place for place, word in enumerate(tokens.words) if word == number)
        text = "".join(tokens.pieces[place] for place in places).replace(SPACE, " ").strip()
        found.setdefault(text.strip('.,;:!?"()').lower() or text, places)
    return found
