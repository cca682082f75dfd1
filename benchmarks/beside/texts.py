"""Everyday sentences of any length."""

from collections.abc import Sequence
from itertools import cycle, islice

from model import Translator

TEXT = [
    "We have lived in this small house near the river for ten years.",
    "My brother works in the city, but he comes home every weekend.",
    "On Sunday morning we walk along the water and talk about the week.",
    "Then my mother makes soup, and everyone sits down at the big table.",
    "The children play in the garden until it gets dark outside.",
    "Sometimes it rains, so they read books by the window instead.",
    "Last summer we painted the kitchen blue because she likes the sea.",
    "Our neighbours have an old dog that sleeps under the apple tree.",
    "In winter the road is often closed, and the bus does not come.",
    "Then we stay at home, drink tea and listen to the radio.",
]


def sentence(translator: Translator, pieces: int, first: int = 0) -> str:
    """Everyday words, starting at the `first` sentence, as many as fit into `pieces`."""
    words = [word for text in islice(cycle(TEXT), first, first + 60) for word in text.split()]
    count = next(n for n in range(1, len(words)) if len(_pieces(translator, words[: n + 1])) > pieces)
    return " ".join(words[:count])


def _pieces(translator: Translator, words: Sequence[str]) -> tuple[int, ...]:
    return translator.read(" ".join(words)).ids
