"""How a text is written before it is cut into pieces: normalised, with its apostrophes marked.

A vocabulary reads "didn't" as "did" and "n't", and "l'animal" as "l'" and "animal": so the noun is the same
piece as in "un animal". Where two such parts touch there is a space with a mark beside it. The marks look
like apostrophes and count as letters; SentencePiece never puts a letter and a true apostrophe in one piece.
"""

import re
import unicodedata

from model.text.french import ELIDED

SPACE = "▁"  # how SentencePiece writes a space inside a piece
INNER = "\ua78c"  # an apostrophe between letters
SILENT = "\ua78b"  # none: what stands before "n't"
MARKS = (INNER, SILENT)

_BETWEEN = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")
_ELISION = rf"(?<!\w)({ELIDED})"
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


def has_something_to_see(text: str) -> bool:
    return any(
        unicodedata.category(character) not in _INVISIBLE and character not in _FILLERS for character in text
    )


def spell(text: str) -> str:
    """A normalised text as a vocabulary knows it (here with other marks, to be readable).

    >>> readable = str.maketrans({INNER: "^", SILENT: "_"})
    >>> spell("L'ours n'a pas dit 'non'.").translate(readable)
    "L^ ours n^ a pas dit 'non'."
    >>> spell("I'm sure it didn't.").translate(readable)
    'I ^m sure it did _n^t.'
    """
    text = _BEGUN.sub(rf"\1{INNER}", text)
    text = _CLITIC.sub(_apart, _BETWEEN.sub(INNER, text))
    return _ELIDED.sub(lambda found: f"{found[0]} ", text)


def unspell(text: str) -> str:
    """The text that `spell` was given.

    >>> unspell(spell("L'ours n'a pas dit 'non'."))
    "L'ours n'a pas dit 'non'."
    """
    return without_marks(_TOUCHING.sub("", text))


def without_marks(text: str) -> str:
    """Marks as people see them: an apostrophe, or nothing."""
    return text.replace(INNER, "'").replace(SILENT, "")


def _apart(found: re.Match[str]) -> str:
    return f" {found[0]}" if found[0].startswith(INNER) else f" {SILENT}{found[0]}"
