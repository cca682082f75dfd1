"""Everyday sentences with the translations that are right, as they ship: one a line, TABs between columns."""

from pathlib import Path

from model import probe
from model.network.config import Config
from model.text.spelling import normalise

LANGUAGES = ("en", "fr")  # of the file that ships


def read_everyday(config: Config) -> dict[str, list[str]]:
    """Those that ship; none for a model of other languages."""
    if (config.source, config.target) != LANGUAGES:
        return {}
    return parse_everyday((Path(probe.__file__).parent / "everyday.tsv").read_text("utf-8"), "everyday.tsv")


def parse_everyday(content: str, place: str) -> dict[str, list[str]]:
    """
    >>> parse_everyday("# a remark\\nHi.\\tSalut.\\tBonjour.", "here")
    {'Hi.': ['Salut.', 'Bonjour.']}
    """
    found = {}
    for number, line in enumerate(content.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            sentence, *right = (normalise(column) for column in line.split("\t"))
            if not sentence or not all(right) or not right:
                raise ValueError(f"{place}, line {number}: a line is sentence TAB right translation")
            found[sentence] = right
    return found
