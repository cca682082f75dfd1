"""Learning a vocabulary from text: SentencePiece's BPE, one for both languages.

Whatever people type on a keyboard gets a piece of its own, however rare it was in the text that was learned
from: otherwise "8" or "€" would be spelled in bytes, which the model has hardly read.
"""

import io
import re
import string
from collections.abc import Iterable
from itertools import chain

import sentencepiece

from model.network.config import END, PAD, START, UNKNOWN
from model.text.spelling import INNER, SILENT, normalise, spell
from model.text.tokenizer import Tokenizer

TYPED = (
    string.ascii_letters + string.digits + "'\"!?.,:;-()[]/%&$€£@#+*=<>_" + "éèêëàâäçîïôöùûüœæÉÈÊÀÂÇÎÔŒ«»°"
)
BYTES, SPECIALS = 256, 4


def train_tokenizer(sentences: Iterable[str], size: int) -> Tokenizer:
    """Learn a vocabulary of `size` pieces, of which 4 are special and 256 are bytes."""
    model, required = io.BytesIO(), _required(size)
    try:
        sentencepiece.SentencePieceTrainer.train(
            # What is required must occur, so the first sentence holds all of it.
            sentence_iterator=chain([" ".join(required)], (spell(normalise(text)) for text in sentences)),
            model_writer=model,
            model_type="bpe",
            vocab_size=size,
            byte_fallback=True,
            split_digits=True,
            character_coverage=0.9999,
            required_chars=required,
            # normalise() has done this already; SentencePiece's own rules would break decode(encode(x)).
            normalization_rule_name="identity",
            remove_extra_whitespaces=False,
            pad_id=PAD, bos_id=START, eos_id=END, unk_id=UNKNOWN,
            pad_piece="<pad>",
            num_threads=1,
            minloglevel=2,
        )  # fmt: skip
    except RuntimeError as error:
        raise ValueError(f"cannot learn {size} pieces from this text; {_advice(str(error))}") from None
    return Tokenizer(model.getvalue())


def _advice(error: str) -> str:
    """What SentencePiece's message means for whoever chose the size.

    >>> _advice("… Vocabulary size too high (8000). Please set it to a value <= 645.")
    'it has at most 645: give more text, or ask for a vocabulary of 645 or fewer'
    """
    if most := re.search(r"value <= (\d+)", error):
        return f"it has at most {most[1]}: give more text, or ask for a vocabulary of {most[1]} or fewer"
    if least := re.search(r"\d+ vs (\d+)", error):
        return f"its letters alone take {least[1]}: ask for a larger vocabulary"
    return "give more text or another vocabulary size"


def _required(size: int) -> str:
    """The characters that get pieces of their own: all that are typed, if that leaves half of the room."""
    room = size - BYTES - SPECIALS
    return f"'{INNER}{SILENT}" + ("".join(sorted(set(TYPED) - {"'"})) if 2 * len(TYPED) <= room else "")
