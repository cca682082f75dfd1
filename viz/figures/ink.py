"""A translation written in ink: the surer the model was of a piece, the darker it stands there."""

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from viz.figures.labels import BYTE, SPACE
from viz.figures.numbers import fixed
from viz.figures.palette import FAINTEST_INK

SPECIAL = ("<s>", "</s>", "<pad>")


class Part(NamedTuple):
    text: str
    probability: float
    joined: bool  # whether it goes on with the word before


def parts(pieces: Sequence[str], log_probs: Sequence[float]) -> list[Part]:
    """The visible parts of a translation. Bytes of one character stand together.

    >>> parts(["▁Le", "▁cha", "t", "</s>"], [0.0, 0.0, 0.0, 0.0])[1:]
    [Part(text='cha', probability=1.0, joined=False), Part(text='t', probability=1.0, joined=True)]
    """
    found: list[Part] = []
    spelled, total = b"", 0.0
    for piece, log_prob in zip(pieces, log_probs, strict=True):
        if piece in SPECIAL:
            continue
        byte = BYTE.fullmatch(piece)
        if spelled and not byte:  # the bytes before it are no character, and never will be
            found.append(_broken(spelled, total))
            spelled, total = b"", 0.0
        spelled += bytes([int(byte[1], 16)]) if byte else piece.encode()
        total += log_prob
        try:
            text = spelled.decode()
        except UnicodeDecodeError:
            continue  # in the middle of a character
        found.append(Part(text.replace(SPACE, " ").strip(" "), math.exp(total), not text.startswith(SPACE)))
        spelled, total = b"", 0.0
    if spelled:
        found.append(_broken(spelled, total))
    return found


def _broken(spelled: bytes, total: float) -> Part:
    return Part(spelled.decode(errors="replace"), math.exp(total), True)


def ink(pieces: Sequence[str], log_probs: Sequence[float]) -> str:
    """The same as HTML; its text is the translation, and every part tells its probability."""
    written = []
    for number, part in enumerate(parts(pieces, log_probs)):
        shade = FAINTEST_INK + (1 - FAINTEST_INK) * part.probability
        space = "" if part.joined or not number else " "
        about = f'title="{fixed(part.probability, 4)}" style="opacity:{shade:.2f}"'
        written.append(f"{space}<span {about}>{escape(part.text)}</span>")
    return "".join(written)
