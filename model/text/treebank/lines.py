"""The lines of a text file, each with the place that an error message names."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from model.text.refused import Place, Refused
from model.text.spelling import normalise


class Line(NamedTuple):
    text: str
    place: Place


def read_lines(path: str | Path) -> Iterator[Line]:
    """One line at a time, without its end; refused at the first that is not UTF-8."""
    try:
        with open(path, "rb") as file:
            for number, line in enumerate(file, 1):
                place = Place(str(path), number)
                try:
                    text = line.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError:
                    raise Refused("utf8", place) from None
                yield Line(text.removesuffix("\n").removesuffix("\r"), place)
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None


def read_text(path: str | Path) -> Iterator[str]:
    """The sentences of a plain text, one per line, normalised; blank lines are passed over."""
    found = False
    for line in read_lines(path):
        if text := normalise(line.text):
            yield text
            found = True
    if not found:
        raise Refused("empty", Place(str(path)))
