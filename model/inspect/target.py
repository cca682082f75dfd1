"""The target side of a run: decoder row i reads one piece and predicts the next."""

from typing import NamedTuple

from model.text.tokenizer import Tokens


class Target(NamedTuple):
    """One entry per decoder row, in every field."""

    read: tuple[str, ...]
    predicted: tuple[str, ...]
    read_ids: tuple[int, ...]
    predicted_ids: tuple[int, ...]
    read_words: tuple[int, ...]
    predicted_words: tuple[int, ...]

    @classmethod
    def of(cls, read: Tokens, predicted: Tokens) -> "Target":
        return cls(read.pieces, predicted.pieces, read.ids, predicted.ids, read.words, predicted.words)
