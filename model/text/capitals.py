"""A sentence typed in capitals, read by a vocabulary that hardly knows them.

A vocabulary of everyday text spells "WHERE ARE YOU" letter by letter, and a model that has read little of
that writes noise. So a text all in capitals is read in small letters where that takes far fewer pieces; an
abbreviation or a list of letters takes as many, and stays.
"""

import re

from model.text.spelling import normalise
from model.text.tokenizer import Tokenizer

FEWER = 1.5  # times as many pieces in capitals: then they are spelled letter by letter
_BEGINS = re.compile(r"(?:^|[.?!] )\W*\w")
_ENGLISH_I = re.compile(r"\bi\b")


def calmed(text: str, tokenizer: Tokenizer, language: str) -> str:
    """The normalised text as it is read."""
    text = normalise(text)
    if not text.isupper():
        return text
    small = in_small_letters(text, language)
    capital, calm = map(len, tokenizer.ids([text, small]))
    return small if FEWER * calm <= capital else text


def in_small_letters(text: str, language: str) -> str:
    """All but what a sentence begins with, and the English "I".

    >>> in_small_letters("WHERE AM I? I'M LATE.", "en")
    "Where am I? I'm late."
    """
    small = text.lower()
    if language == "en":
        small = _ENGLISH_I.sub("I", small)
    return _BEGINS.sub(lambda found: found[0].upper(), small)
