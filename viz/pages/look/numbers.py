"""Words that two sentences share."""

from model.text.tokenizer import Tokens
from viz.figures.labels import SPACE


def common_words(first: Tokens, second: Tokens) -> dict[str, tuple[tuple[int, ...], tuple[int, ...]]]:
    """Each shared word, in the first sentence's order, with its positions in both (first occurrence)."""
    here, there = _places(first), _places(second)
    return {word: (places, there[word]) for word, places in here.items() if word in there}


def _places(tokens: Tokens) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for number in dict.fromkeys(word for word in tokens.words if word >= 0):
        places = tuple(place for place, word in enumerate(tokens.words) if word == number)
        text = "".join(tokens.pieces[place] for place in places).replace(SPACE, " ").strip()
        found.setdefault(text.strip('.,;:!?"()').lower() or text, places)
    return found
