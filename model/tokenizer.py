"""Text to pieces and back: one shared SentencePiece BPE vocabulary with byte fallback.

Any text can be encoded, and decode(encode(text)) == normalise(text).
"""

import io
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import sentencepiece

from model.config import END, PAD, START, UNKNOWN

SPECIAL = frozenset((PAD, START, END))
SPACE = "▁"  # how SentencePiece writes a space inside a piece

_APOSTROPHES = str.maketrans(dict.fromkeys("\u2018\u2019\u02bc\uff07", "'"))
_SPACES = re.compile(rf"[\s{SPACE}]+")
_INVISIBLE = {"Zs", "Zl", "Zp", "Cc", "Cf"}  # Unicode categories with nothing to see
_FILLERS = "\u115f\u1160\u2800\u3164\uffa0"  # letters by category, blank to the eye


class BrokenText(ValueError):
    """Text that no file could hold."""

    def __init__(self) -> None:
        super().__init__("the text holds half a character (a lone surrogate); type or paste it again")


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


def normalise(text: str) -> str:
    """NFC; every run of white space is one space, none at the ends; curly apostrophes are straight.

    U+2581, which SentencePiece uses for a space, counts as one. Doing it twice changes nothing.

    >>> normalise("  l’été\\n")
    "l'été"
    """
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise BrokenText
    text = unicodedata.normalize("NFC", text).translate(_APOSTROPHES)
    return _SPACES.sub(" ", text).strip()


class Tokenizer:
    """A trained vocabulary."""

    def __init__(self, model: bytes) -> None:
        self.model = model
        try:
            self._processor = sentencepiece.SentencePieceProcessor(model_proto=model)
        except RuntimeError:
            raise ValueError("not a SentencePiece model") from None
        specials = tuple(
            getattr(self._processor, name)() for name in ("pad_id", "bos_id", "eos_id", "unk_id")
        )
        if specials != (PAD, START, END, UNKNOWN):
            raise ValueError(f"its special tokens are {specials}, not {(PAD, START, END, UNKNOWN)}")

    def __len__(self) -> int:
        return self._processor.get_piece_size()

    def encode(self, text: str, longest: int | None = None) -> Tokens:
        """The pieces of `text` and the end token; refused when blank or over `longest` pieces."""
        text = normalise(text)
        if not any(map(_visible, text)):
            raise BlankText
        ids = (*self._processor.encode(text), END)
        if longest is not None and len(ids) > longest:
            raise TextTooLong(len(ids), longest)
        return self.tokens(ids)

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of many normalised texts at once, without end tokens."""
        return self._processor.encode(list(texts))

    def tokens(self, ids: Sequence[int]) -> Tokens:
        """Pieces and words of given ids. A word is what stands between two spaces (Korean: 어절)."""
        pieces = tuple(self._processor.id_to_piece(int(id)) for id in ids)
        words, word = [], -1
        for id, piece in zip(ids, pieces, strict=True):
            if id in SPECIAL:
                words.append(-1)
                continue
            if piece.startswith(SPACE) or word < 0:
                word += 1
            words.append(word)
        return Tokens(tuple(int(id) for id in ids), pieces, tuple(words))

    def piece_id(self, piece: str) -> int | None:
        """The id of exactly this piece; None where the vocabulary has no such piece."""
        id = self._processor.piece_to_id(piece)
        return None if id == UNKNOWN else id

    def decode(self, tokens: Tokens | Sequence[int]) -> str:
        ids = tokens.ids if isinstance(tokens, Tokens) else tokens
        return self._processor.decode([int(id) for id in ids if id not in SPECIAL])


def _visible(character: str) -> bool:
    return unicodedata.category(character) not in _INVISIBLE and character not in _FILLERS


def train_tokenizer(sentences: Iterable[str], size: int) -> Tokenizer:
    """Learn a vocabulary of `size` pieces, of which 4 are special and 256 are bytes."""
    model = io.BytesIO()
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=(normalise(sentence) for sentence in sentences),
            model_writer=model,
            model_type="bpe",
            vocab_size=size,
            byte_fallback=True,
            split_digits=True,
            character_coverage=0.9999,
            # normalise() has done this already; SentencePiece's own rules would break decode(encode(x)).
            normalization_rule_name="identity",
            remove_extra_whitespaces=False,
            pad_id=PAD, bos_id=START, eos_id=END, unk_id=UNKNOWN,
            pad_piece="<pad>",
            num_threads=1,
            minloglevel=2,
        )  # fmt: skip
    except RuntimeError:
        raise ValueError(
            f"cannot learn {size} pieces from this text; give more text or another vocabulary size"
        ) from None
    return Tokenizer(model.getvalue())
