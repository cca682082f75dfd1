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
    if not piece:  # a space that is none: what stands before "n't", spelled out
        return VISIBLE_SPACE
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


def join(pieces: Sequence[str], say: Callable[..., str]) -> str:
    """The pieces of one word as the word; bytes that make up characters become those characters."""
    spelled = b"".join(
        bytes([int(byte[1], 16)]) if (byte := BYTE.fullmatch(piece)) else piece.encode() for piece in pieces
    )
    word = spelled.decode("utf-8", errors="replace").removeprefix(SPACE).replace(SPACE, " ")
    return word or readable(pieces[0], say)


def escaped(label: str) -> str:
    """A label as Plotly and HTML can show it: both would read "<s>" as a tag."""
    return escape(label, quote=False)
