"""Why a file that somebody gave cannot be read: the place, a word for the reason, and its numbers.

The message is for the shell; the app says the same in its visitor's language, by the word.
"""

from functools import partial
from typing import NamedTuple

REASONS = {
    "utf8": "{place}: not UTF-8",
    "empty": "{place} holds no sentence",
    # CoNLL-U
    "columns": "{place}: {found} columns between TABs, not {wanted}",
    "column": "{place}: column {number} is empty; write _ for nothing",
    "id": "{place}: {id!r} is not the number of a word, a range or an empty node",
    "range": "{place}: the range {id} does not begin at the next word, {wanted}",
    "range_end": "{place}: a range ends at word {found}, the sentence at {wanted}",
    "wordless": "{place}: a sentence without words",
    "order": "{place}: word {found} stands where word {wanted} is expected",
    "head": "{place}: the head is {head!r}, not the number of a word or 0",
    "roots": "{place}: the sentence has {found} roots, not 1",
    "head_beyond": "{place}: the head is {head}, but the sentence has {count} words",
    "circle": "{place}: the heads of word {word} run in a circle",
    "antecedent": "{place}: the antecedent is {found!r}, not the number of a word from 1 to {count}",
    "french_half": "{place}: {given} alone; a French tree needs both heads_fr and relations_fr",
    "french_wordless": "{place}: a French tree without the French words; add a line # words_fr = …",
    "french_count": "{place}: {key} has {found} entries for {wanted} words",
    "link": "{place}: {link!r} is not a link; write i-j if it is sure, i?j if it is possible",
    "link_wordless": "{place}: an alignment without the French words; add a line # words_fr = …",
    "link_beyond": "{place}: the link {link} leaves {english} English and {french} French words",
    # contrasts
    "rowless": "{place} holds no row; a row is sentence TAB right TAB wrong",
    "row": "{place}: {found} columns; a row has 3 to 5: {names}",
    "blank": "{place}: the {name} is blank",
    "again": "{place}: this sentence has been asked already",
    "same": "{place}: the right and the wrong translation are the same",
    "own_partner": "{place}: the partner is the sentence itself",
    "same_pieces": "the right and the wrong translation have the same pieces",
    "in_row": "{place}: {reason}",
}


class Place(NamedTuple):
    """A file, and the line or row of it where something stands; 0 is the whole file."""

    file: str
    number: int = 0
    unit: str = "line"

    def __str__(self) -> str:
        return f"{self.file}, {self.unit} {self.number}" if self.number else self.file


class Refused(ValueError):
    """A file, or a row of one, that cannot be read.

    >>> str(Refused("columns", Place("own.conllu", 3), found=9, wanted=10))
    'own.conllu, line 3: 9 columns between TABs, not 10'
    """

    def __init__(self, why: str, place: Place | None = None, **values: object) -> None:
        super().__init__(REASONS[why].format(place=place, **values))
        self.why, self.place, self.values = why, place, values

    def __reduce__(self) -> tuple:
        """From one process to another, with all that it holds."""
        return partial(Refused, self.why, self.place, **self.values), ()
