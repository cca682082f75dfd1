"""Word alignments as files write them: `i-j` is a sure link, `i?j` a possible one, words counted from 0."""

import re
from collections.abc import Iterator
from pathlib import Path

from model.text.refused import Place, Refused
from model.text.treebank.annotated import Alignment
from model.text.treebank.lines import read_lines

_LINK = re.compile(r"(\d+)([-?])(\d+)", re.ASCII)


def read_alignments(path: str | Path) -> Iterator[Alignment]:
    """One sentence a line in Pharaoh format; a blank line is a sentence without a link."""
    for line in read_lines(path):
        yield read_alignment(line.text, line.place)


def read_alignment(links: str, place: Place) -> Alignment:
    """The links of one sentence; `place` is where they stand, for error messages."""
    kinds: dict[str, set[tuple[int, int]]] = {"-": set(), "?": set()}
    for link in links.split():
        if not (match := _LINK.fullmatch(link)):
            raise Refused("link", place, link=link)
        kinds[match[2]].add((int(match[1]), int(match[3])))
    return Alignment(frozenset(kinds["-"]), frozenset(kinds["?"] - kinds["-"]))
