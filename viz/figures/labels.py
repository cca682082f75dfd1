"""Pieces of the vocabulary as a reader sees them; the one place where labels are escaped.

A piece that goes on with a word carries a joint: ▁bicy, cle → bicy, ·cle
"""

import re
from collections.abc import Callable, Sequence
from html import escape

SPACE = "▁"  # how SentencePiece writes a space inside a piece
JOINT = "·"
VISIBLE_SPACE = "␣"
SPECIAL = {
    "<s>": "piece.start",
    "</s>": "piece.end",
    "<pad>": "piece.pad",
    "<unk>": "piece.unknown",
}
BYTE = re.compile("<0x([0-9A-F]{2})>")


def readable(piece: str, say: Callable[..., str]) -> str:
    """One piece as plain text, not escaped; a byte that is part of a character stays a number."""
    if piece in SPECIAL:
        return say(SPECIAL[piece])
    if byte := BYTE.fullmatch(piece):
        character = chr(int(byte[1], 16))
        return character if "!" <= character <= "~" else f"0x{byte[1]}"
    if piece.startswith(SPACE):
        return piece.removeprefix(SPACE).replace(SPACE, " ") or VISIBLE_SPACE
    text = piece.replace(SPACE, " ")
    # Punctuation needs no joint: a reader expects it to touch the word before.
    return JOINT + text if text[:1].isalnum() else text


def labels(pieces: Sequence[str], say: Callable[..., str]) -> list[str]:
    """The pieces as Plotly and HTML can show them: both would read "<s>" as a tag."""
    return [escape(readable(piece, say), quote=False) for piece in pieces]
