"""Contrasts: the right and a wrong translation of the same sentence, which part at one deciding word.

A phenomenon is a UTF-8 file of rows, named by the file, with TABs between columns:

    # family: agreement
    # asks: does the pronoun take the gender of what it stands for?
    sentence    right translation    wrong translation    partner sentence    partner's right translation

Lines that begin with # are remarks; of these, `family` (which phenomena belong together) and `asks` are read.
The last two columns may be missing. A partner is a sentence as near as possible for which the choice goes the
other way: what decides in `wrong` stands at the same place of the partner's translation. Where only the
partner is given, its right translation is this row's wrong one.

Those that ship stand in a folder for each pair of languages: `en-fr`. They are sentences of our own.
"""

import unicodedata
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from model.text.refused import Place, Refused
from model.text.spelling import normalise

FOLDER = Path(__file__).parent
COLUMNS = ("sentence", "right translation", "wrong translation", "partner", "partner's right translation")
OWN = "own"  # the family of a file that names none


class Contrast(NamedTuple):
    """One row."""

    sentence: str
    right: str
    wrong: str
    partner: str | None = None
    partner_right: str | None = None

    @property
    def number(self) -> int:
        """The same for a row and its partner's, wherever they stand: its parity is their half of the rows."""
        return zlib.crc32("\n".join(sorted({self.sentence, self.partner or self.sentence})).encode())


@dataclass(frozen=True)
class Phenomenon:
    name: str
    contrasts: tuple[Contrast, ...]
    family: str = OWN
    asks: str = ""


def shipped(source: str, target: str) -> list[Phenomenon]:
    """All phenomena of a pair of languages; none if nobody has written any."""
    folder = FOLDER / f"{source}-{target}"
    return [read_phenomenon(path) for path in sorted(folder.glob("*.tsv"))]


def read_phenomenon(path: Path) -> Phenomenon:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    return parse_phenomenon(path.stem, content, str(path))


def parse_phenomenon(name: str, content: bytes, place: str) -> Phenomenon:
    """The phenomenon that a file holds, refused at its first bad line."""
    rows: dict[str, Contrast] = {}
    told: dict[str, str] = {}
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").splitlines(), 1):
        here = Place(place, number)
        try:
            text = unicodedata.normalize("NFC", line.decode("utf-8"))
        except UnicodeDecodeError:
            raise Refused("utf8", here) from None
        if text.startswith("#"):
            key, _, value = text.lstrip("# ").partition(":")
            told[key.strip()] = value.strip()
        elif text.strip():
            row = _row(here, text)
            if row.sentence in rows:
                raise Refused("again", here)
            rows[row.sentence] = row
    if not rows:
        raise Refused("rowless", Place(place))
    return Phenomenon(name, tuple(rows.values()), told.get("family", OWN), told.get("asks", ""))


def as_line(contrast: Contrast) -> str:
    """A row as a file holds it."""
    return "\t".join(column for column in contrast if column is not None)


def _row(here: Place, text: str) -> Contrast:
    columns = [normalise(column) for column in text.rstrip("\t\r\n").split("\t")]
    if not 3 <= len(columns) <= len(COLUMNS):
        raise Refused("row", here, found=len(columns), names=", ".join(COLUMNS))
    if blank := [name for name, column in zip(COLUMNS, columns, strict=False) if not column]:
        raise Refused("blank", here, name=blank[0], number=COLUMNS.index(blank[0]) + 1)
    row = Contrast(*columns)
    if row.right == row.wrong:
        raise Refused("same", here)
    if row.partner == row.sentence:
        raise Refused("own_partner", here)
    return row
