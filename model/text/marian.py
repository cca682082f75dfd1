"""The vocabulary of a Marian model: two SentencePiece models that cut, and a list that numbers the pieces.

Marian numbers pieces by a list of its own, and the two languages may have a list each. Here every piece has
one number for both: special tokens come first, as in every vocabulary of ours, and a piece that only one
language has is never read, or never written, on the other side. A piece that no list has is unknown.

As a file it is a safetensors container with both models and the list; nothing of it is ever executed.
"""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import sentencepiece
from safetensors import SafetensorError
from safetensors.numpy import load, save

from model.network.config import END, PAD, START, UNKNOWN
from model.text.tokenizer import SPACE, SPECIAL, Tokenizer, Tokens

NAMES = {PAD: "<pad>", START: "<s>", END: "</s>", UNKNOWN: "<unk>"}
READ, WRITTEN = 1, 2  # on which sides a piece has a number
PARTS = {"source": np.uint8, "target": np.uint8, "pieces": np.uint8, "sides": np.uint8, "language": np.uint8}


class Numbered(NamedTuple):
    """What makes such a vocabulary."""

    source: bytes  # the SentencePiece model that cuts sentences
    target: bytes  # and the one that cuts translations
    pieces: tuple[str, ...]  # by number
    sides: tuple[int, ...]  # READ, WRITTEN or both, by number
    language: str = ""  # the piece that every sentence begins with: ">>fra<<"

    def to_bytes(self) -> bytes:
        parts = {
            "source": self.source, "target": self.target, "sides": bytes(self.sides),
            "pieces": json.dumps(self.pieces).encode(), "language": self.language.encode(),
        }  # fmt: skip
        return save({name: np.frombuffer(part, np.uint8) for name, part in parts.items()})

    @classmethod
    def from_bytes(cls, content: bytes) -> "Numbered":
        try:
            parts = load(content)
            if {name: part.dtype for name, part in parts.items()} != PARTS:
                raise ValueError
            source, target, pieces, sides, language = (parts[name].tobytes() for name in PARTS)
            found = cls(source, target, tuple(json.loads(pieces)), tuple(sides), language.decode())
        except (SafetensorError, ValueError, TypeError, RecursionError):
            raise ValueError("not a vocabulary of a Marian model") from None
        if len(found.pieces) != len(found.sides) or not all(isinstance(each, str) for each in found.pieces):
            raise ValueError("not a vocabulary of a Marian model")
        return found


class MarianTokenizer(Tokenizer):
    """Reads sentences; its `target` cuts translations."""

    def __init__(self, model: bytes, side: int = READ) -> None:
        self.model, self.numbered, self._inner = model, Numbered.from_bytes(model), False
        if self.numbered.pieces[: len(NAMES)] != tuple(NAMES.values()):
            raise ValueError(f"its first pieces are not {', '.join(NAMES.values())}")
        self._cutting, self._joining = map(_processor, (
            self.numbered.source if side == READ else self.numbered.target, self.numbered.target,
        ))  # fmt: skip
        self._processor = self._cutting
        both = zip(self.numbered.pieces, self.numbered.sides, strict=True)
        self._ids = {piece: id for id, (piece, sides) in enumerate(both) if id >= len(NAMES) and sides & side}
        self.languages = {piece: id for piece, id in self._ids.items() if is_language(piece)}
        self.special = SPECIAL | frozenset(self.languages.values())
        self._begin = [self._ids[self.numbered.language]] if self.numbered.language and side == READ else []
        self._target = MarianTokenizer(model, WRITTEN) if side == READ else self

    @property
    def target(self) -> Tokenizer:
        return self._target

    def __len__(self) -> int:
        return len(self.numbered.pieces)

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of many normalised texts; a text may name the language that it wants first."""
        return [self._ids_of(text) for text in texts]

    def _ids_of(self, text: str) -> list[int]:
        begin = self._begin
        code, separator, rest = text.partition("<<")
        if separator and code + separator in self.languages:
            begin, text = [self.languages[code + separator]], rest
        pieces: list[str] = self._cutting.encode(text, out_type=str)
        return [*begin, *(self._ids.get(piece, UNKNOWN) for piece in pieces)]

    def spelled(self, ids: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.numbered.pieces[int(id)] for id in ids)

    def piece_id(self, piece: str) -> int | None:
        return self._ids.get(piece)

    def decode(self, tokens: Tokens | Sequence[int]) -> str:
        ids = tokens.ids if isinstance(tokens, Tokens) else tokens
        spelled = self.spelled(id for id in ids if id not in self.special)
        text: str = self._joining.decode_pieces(list(spelled))
        return text.replace(SPACE, " ").strip()


def open_tokenizer(content: bytes) -> Tokenizer:
    """A vocabulary of ours or of Marian's; a safetensors file has its header after eight bytes."""
    return MarianTokenizer(content) if content[8:9] == b"{" else Tokenizer(content)


def is_language(piece: str) -> bool:
    """Whether a piece names the language to write.

    >>> is_language(">>fra<<"), is_language(">>")
    (True, False)
    """
    return len(piece) > 4 and piece.startswith(">>") and piece.endswith("<<")


def _processor(model: bytes) -> sentencepiece.SentencePieceProcessor:
    try:
        return sentencepiece.SentencePieceProcessor(model_proto=model)
    except RuntimeError:
        raise ValueError("not a SentencePiece model") from None
