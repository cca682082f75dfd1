"""Annotated sentences: what they hold, and the files they are read from.

Files are read one sentence at a time, so a treebank may be longer than memory; the first malformed line is
refused with its number.
"""

from model.text.treebank.alignments import read_alignment, read_alignments
from model.text.treebank.annotated import Alignment, Annotated, french_pieces, pieces_of_words, plain
from model.text.treebank.conllu import read
from model.text.treebank.lines import read_text

__all__ = [
    "Alignment", "Annotated", "french_pieces", "pieces_of_words", "plain", "read", "read_alignment",
    "read_alignments", "read_text",
]  # fmt: skip
