"""A sentence with what is known about its words, and how words and pieces fit together."""

from bisect import bisect_right
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import NamedTuple

from model.network.config import UNKNOWN
from model.text.spelling import SPACE, normalise
from model.text.tokenizer import BYTE, Tokens


class Alignment(NamedTuple):
    """Pairs (source word, target word), counted from 0; no pair is in both sets."""

    sure: frozenset[tuple[int, int]]
    possible: frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Annotated:
    """A sentence, its words, and what is known about them; words are counted from 0."""

    text: str
    words: tuple[str, ...]
    lemmas: tuple[str, ...]
    upos: tuple[str, ...]
    heads: tuple[int, ...]  # the word each depends on; -1 for the root
    relations: tuple[str, ...]
    spaces_after: tuple[bool, ...]
    antecedents: dict[int, int] = field(default_factory=dict)  # {pronoun: the word it stands for}
    french: str | None = None
    french_words: tuple[str, ...] | None = None
    french_heads: tuple[int, ...] | None = None  # as `heads`, among the French words
    french_relations: tuple[str, ...] | None = None
    alignment: Alignment | None = None
    id: str | None = None
    reason: str | None = None


def plain(text: str) -> Annotated:
    """A sentence about which nothing is known."""
    return Annotated(text, (), (), (), (), (), ())


def pieces_of_words(annotated: Annotated, tokens: Tokens) -> list[list[int]] | None:
    """For each word, the positions of the pieces that spell it; None if words and pieces do not fit.

    Words and pieces are laid over the normalised text without its spaces. A piece belongs to the word in
    which it begins, also if it goes on into the next one; a piece that is only a space, to the word that
    follows. Special tokens belong to none. Words and pieces do not fit if they spell different texts (a
    treebank may write `du` as the words `de le`), or if some word begins no piece of its own.

    >>> tokens = Tokens((9, 8, 7, 2), ("▁It", "▁isn", "'t", "</s>"), (0, 1, 1, -1))
    >>> tree = dict(lemmas=(), upos=(), heads=(), relations=(), spaces_after=())
    >>> pieces_of_words(Annotated("It isn't", ("It", "isn", "'t"), **tree), tokens)
    [[0], [1], [2]]
    """
    words = [normalise(word).replace(" ", "").encode() for word in annotated.words]
    pieces = [
        b"" if word < 0 else _bytes(piece) for piece, word in zip(tokens.pieces, tokens.words, strict=True)
    ]
    if UNKNOWN in tokens.ids or not all(words) or b"".join(words) != b"".join(pieces):
        return None
    begins = [0, *accumulate(map(len, words))][:-1]
    spelled: list[list[int]] = [[] for _ in words]
    offset = 0
    for position, (word, piece) in enumerate(zip(tokens.words, pieces, strict=True)):
        if word >= 0:
            spelled[bisect_right(begins, offset) - 1].append(position)
        offset += len(piece)
    return spelled if all(spelled) else None


def french_pieces(annotated: Annotated, tokens: Tokens) -> list[list[int]] | None:
    """The same for the French words, with the pieces of the French."""
    words = annotated.french_words or tuple((annotated.french or "").split())
    return pieces_of_words(replace(annotated, words=words), tokens)


def _bytes(piece: str) -> bytes:
    """What a piece spells; a word that looks like a byte piece is still a word."""
    if byte := BYTE.fullmatch(piece):
        return bytes.fromhex(byte[1])
    return piece.replace(SPACE, "").encode()
