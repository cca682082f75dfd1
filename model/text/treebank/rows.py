"""The lines of one CoNLL-U sentence that are words, and the text that they spell."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from model.text.refused import Place, Refused
from model.text.treebank.lines import Line

_COLUMNS = 10
_ID = re.compile(r"([1-9]\d*)|([1-9]\d*)-([1-9]\d*)|\d+\.[1-9]\d*", re.ASCII)


class Row(NamedTuple):
    """One word as the file gives it, counted from 1."""

    form: str
    lemma: str
    upos: str
    head: int
    relation: str
    misc: dict[str, str]
    place: Place


def read_rows(lines: Sequence[Line]) -> tuple[list[Row], str, tuple[bool, ...]]:
    """The words, the text that they were written as, and whether a space follows each word."""
    rows: list[Row] = []
    spaces: list[bool] = []
    surface = ""
    until, space_after_range = 0, True  # the last word of the range we are in, and what follows the range
    for line in lines:
        if line.text.startswith("#"):
            continue
        columns = _columns(line)
        id, form, misc = columns[0], columns[1], _features(columns[9])
        if not (match := _ID.fullmatch(id)):
            raise Refused("id", line.place, id=id)
        space = misc.get("SpaceAfter") != "No"
        if match[2]:
            first, last = int(match[2]), int(match[3])
            if first != len(rows) + 1 or last < first or first <= until:
                raise Refused("range", line.place, id=id, wanted=len(rows) + 1)
            until, space_after_range = last, space
            surface += form + " " * space
        elif match[1]:
            rows.append(_row(columns, len(rows) + 1, misc, line.place))
            if int(id) > until:
                surface += form + " " * space
                spaces.append(space)
            else:
                spaces.append(int(id) == until and space_after_range)
    if until > len(rows):
        raise Refused("range_end", lines[-1].place, found=until, wanted=len(rows))
    if not rows:
        raise Refused("wordless", lines[-1].place)
    return rows, surface.strip(), tuple(spaces)


def _columns(line: Line) -> list[str]:
    columns = line.text.split("\t")
    if len(columns) != _COLUMNS:
        raise Refused("columns", line.place, found=len(columns), wanted=_COLUMNS)
    if not all(columns):
        raise Refused("column", line.place, number=columns.index("") + 1)
    return columns


def _row(columns: Sequence[str], expected: int, misc: dict[str, str], place: Place) -> Row:
    id, form, lemma, upos, _, _, head, relation, *_ = columns
    if int(id) != expected:
        raise Refused("order", place, found=id, wanted=expected)
    if not head.isdecimal():
        raise Refused("head", place, head=head)
    return Row(form, lemma, upos, int(head), relation, misc, place)


def _features(column: str) -> dict[str, str]:
    return dict(pair.split("=", 1) for pair in column.split("|") if "=" in pair)
