"""Text to pieces and back: one shared SentencePiece BPE vocabulary with byte fallback.

Any text can be encoded, and decode(encode(text)) == normalise(text).
"""

import io
import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import sentencepiece

from model.network.config import END, PAD, START, UNKNOWN

SPECIAL = frozenset((PAD, START, END))
SPACE = "▁"  # how SentencePiece writes a space inside a piece
BYTE = re.compile(r"<0x([0-9A-F]{2})>")  # a piece for one byte of what the vocabulary lacks

# A vocabulary reads "didn't" as "did" and "n't", and "l'animal" as "l'" and "animal": so the noun is the same
# piece as in "un animal". Where two such parts touch there is a space with a mark beside it. The marks look
# like apostrophes and count as letters; SentencePiece never puts a letter and a true apostrophe in one piece.
INNER = "\ua78c"  # an apostrophe between letters
SILENT = "\ua78b"  # none: what stands before "n't"
MARKS = (INNER, SILENT)
_BETWEEN = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")
_ELISION = r"(?<!\w)([cdjlmnst]|(?:jus|lors|puis|quoi)?qu)"
_ELIDED = re.compile(f"{_ELISION}{INNER}", re.IGNORECASE)
_BEGUN = re.compile(f"{_ELISION}'$", re.IGNORECASE)  # the beginning of a text that goes on: "L'"
_CLITIC = re.compile(rf"(?<=[^\W\d_])(n{INNER}t|{INNER}(?:d|ll|m|re|s|ve))(?![^\W{INNER}])", re.IGNORECASE)
_TOUCHING = re.compile(rf" (?=[{INNER}{SILENT}])|(?<={INNER}) ")

# What phones and word processors type instead of what a keyboard has.
_PLAIN = str.maketrans(
    dict.fromkeys(f"\u2018\u2019\u02bc\uff07{INNER}{SILENT}", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f", '"')
    | {"\u2026": "..."}
)
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
    """NFC; each run of white space is one space, none at the ends; quotes are straight, … is three dots.

    U+2581, which SentencePiece uses for a space, counts as one. Doing it twice changes nothing.

    >>> normalise("  l’été…\\n")
    "l'été..."
    """
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise BrokenText
    text = unicodedata.normalize("NFC", text).translate(_PLAIN)
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
        # A vocabulary that was learned without it spells every apostrophe as a mark.
        self._inner = self._processor.piece_to_id(INNER) != UNKNOWN

    def __len__(self) -> int:
        return self._processor.get_piece_size()

    def encode(self, text: str, longest: int | None = None) -> Tokens:
        """The pieces of `text` and the end token; refused when blank or over `longest` pieces."""
        text = normalise(text)
        if not any(map(_visible, text)):
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
            if id in SPECIAL:
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
            pieces.append(piece.replace(INNER, "'").replace(SILENT, ""))
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
        return _TOUCHING.sub("", text).replace(INNER, "'").replace(SILENT, "") if self._inner else text


def spell(text: str) -> str:
    """A normalised text as a vocabulary knows it (here with other marks, for the eye).

    >>> eye = str.maketrans({INNER: "^", SILENT: "_"})
    >>> spell("L'ours n'a pas dit 'non'.").translate(eye)
    "L^ ours n^ a pas dit 'non'."
    >>> spell("I'm sure it didn't.").translate(eye)
    'I ^m sure it did _n^t.'
    """
    text = _BEGUN.sub(rf"\1{INNER}", text)
    text = _CLITIC.sub(_apart, _BETWEEN.sub(INNER, text))
    return _ELIDED.sub(lambda found: f"{found[0]} ", text)


def _apart(found: re.Match) -> str:
    return f" {found[0]}" if found[0].startswith(INNER) else f" {SILENT}{found[0]}"


def _visible(character: str) -> bool:
    return unicodedata.category(character) not in _INVISIBLE and character not in _FILLERS


def train_tokenizer(sentences: Iterable[str], size: int) -> Tokenizer:
    """Learn a vocabulary of `size` pieces, of which 4 are special and 256 are bytes."""
    model = io.BytesIO()
    try:
        sentencepiece.SentencePieceTrainer.train(
            # What is required must occur.
            sentence_iterator=chain([f"' {INNER} {SILENT}"], (spell(normalise(text)) for text in sentences)),
            model_writer=model,
            model_type="bpe",
            vocab_size=size,
            byte_fallback=True,
            split_digits=True,
            character_coverage=0.9999,
            required_chars=f"'{INNER}{SILENT}",
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
