"""Text to pieces and back: one shared SentencePiece BPE vocabulary with byte fallback.

Any text can be encoded, and decode(encode(text)) == normalise(text).
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import sentencepiece

from model.network.config import END, PAD, START, UNKNOWN
from model.text.spelling import (
    INNER,
    MARKS,
    SPACE,
    BrokenText,
    has_something_to_see,
    normalise,
    spell,
    unspell,
    without_marks,
)

__all__ = ["BYTE", "SPACE", "SPECIAL", "BlankText", "BrokenText", "TextTooLong", "Tokenizer", "Tokens"]

SPECIAL = frozenset((PAD, START, END))
BYTE = re.compile(r"<0x([0-9A-F]{2})>")  # a piece for one byte of what the vocabulary lacks


class BlankText(ValueError):
    """Text with nothing to see in it."""

    def __init__(self) -> None:
        super().__init__("the text is blank; type at least one word")


class TextTooLong(ValueError):
    """More pieces than the model reads."""

    def __init__(self, pieces: int, longest: int) -> None:
        super().__init__(f"the text has {pieces} pieces and the model reads at most {longest}; shorten it")
        self.pieces, self.longest = pieces, longest


class Tokens(NamedTuple):
    """A sentence as the model reads it, end token included."""

    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    words: tuple[int, ...]  # the word each piece belongs to; -1 for special tokens


class Tokenizer:
    """A trained vocabulary."""

    def __init__(self, model: bytes) -> None:
        self.model = model
        self.special = SPECIAL  # no part of the text
        try:
            self._processor = sentencepiece.SentencePieceProcessor(model_proto=model)
        except RuntimeError:
            raise ValueError("not a SentencePiece model") from None
        specials = tuple(
            getattr(self._processor, name)() for name in ("pad_id", "bos_id", "eos_id", "unk_id")
        )
        if specials != (PAD, START, END, UNKNOWN):
            raise ValueError(f"its special tokens are {specials}, not {(PAD, START, END, UNKNOWN)}")
        # A vocabulary that was learned without this mark takes apostrophes as they are typed.
        self._inner = self._processor.piece_to_id(INNER) != UNKNOWN

    @property
    def target(self) -> "Tokenizer":
        """What cuts translations into pieces: the same, since both languages share one vocabulary."""
        return self

    def __len__(self) -> int:
        return self._processor.get_piece_size()

    def encode(self, text: str, longest: int | None = None) -> Tokens:
        """The pieces of `text` and the end token; refused when blank or over `longest` pieces."""
        text = normalise(text)
        if not has_something_to_see(text):
            raise BlankText
        ids = (*self.ids([text])[0], END)
        if longest is not None and len(ids) > longest:
            raise TextTooLong(len(ids), longest)
        return self.tokens(ids)

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of many normalised texts at once, without end tokens."""
        return self._processor.encode([spell(text) for text in texts] if self._inner else list(texts))

    def tokens(self, ids: Sequence[int]) -> Tokens:
        """Pieces and words of the ids of a text. A word is what stands between two spaces (Korean: 어절).

        The pieces spell the text: one that touches the piece before begins with no space.
        """
        spelled = self.spelled(ids)
        pieces, words, word = [], [], -1
        for place, (id, piece) in enumerate(zip(ids, spelled, strict=True)):
            if id in self.special:
                pieces.append(piece)
                words.append(-1)
                continue
            if piece.startswith(SPACE):
                after = piece[1:2] or "".join(spelled[place + 1 : place + 2])[:1]
                if after in MARKS or (place and spelled[place - 1].endswith(INNER)):
                    piece = piece[1:]
                else:
                    word += 1
            word = max(word, 0)
            pieces.append(without_marks(piece))
            words.append(word)
        return Tokens(tuple(int(id) for id in ids), tuple(pieces), tuple(words))

    def spelled(self, ids: Iterable[int]) -> tuple[str, ...]:
        """Pieces as the vocabulary spells them."""
        return tuple(self._processor.id_to_piece(int(id)) for id in ids)

    def choices(self, ids: Iterable[int]) -> tuple[str, ...]:
        """Pieces that stand each for itself, as in a list of what might come next."""
        return tuple(self.tokens([id]).pieces[0] for id in ids)

    def piece_id(self, piece: str) -> int | None:
        """The id of a piece as the vocabulary spells it; None where the vocabulary has no such piece."""
        id = self._processor.piece_to_id(piece)
        return None if id == UNKNOWN else id

    def decode(self, tokens: Tokens | Sequence[int]) -> str:
        ids = tokens.ids if isinstance(tokens, Tokens) else tokens
        text = self._processor.decode([int(id) for id in ids if id not in SPECIAL])
        return unspell(text) if self._inner else text
