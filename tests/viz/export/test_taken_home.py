"""Every panel of every page can be taken home whole, and its handout reads as paper, in one language."""

import csv
import io
import re

import pytest

from tests.helpers.app import PAGES
from tests.helpers.taken import taken, words_of
from viz.text import LANGUAGES

# What one can do on a screen only.
HINTS = re.compile(
    r"\b(point(ing)? at|click\w*|hover\w*|taps?|press\w*|drag\w*)\b|가리키면|누르|눌러|클릭|끌어", re.I
)
# Words of the sentence, terms of the field, and who wrote a paper.
QUOTED = re.compile(r"“[^”]*”|‘[^’]*’|\([^)]*\)|\w+ et al\.")
ENGLISH = re.compile(r"[A-Za-z']+(?: [A-Za-z']+){2,}|\b(?:numbers|encoder|decoder|cross|head|layer|row)\b")


def spoken(page: str) -> list[str]:
    return [QUOTED.sub("", sentence) for sentence in words_of(page)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_every_panel_is_taken_home_whole(name, language, monkeypatch):
    for panel, files in taken(name, language, monkeypatch):
        assert list(files.numbers) == ["CSV", "JSON", "NPZ"], panel
        rows = list(csv.reader(io.StringIO(files.numbers["CSV"]().lstrip("\ufeff"))))
        assert sum(map(len, rows)) > 2, panel
        assert not files.pictures or files.page, panel
        if files.page:
            page = files.page()
            assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
            assert page.count("<svg") >= len(files.pictures) or name in ("look", "all_heads"), panel
        paper = files.handout()
        assert "**" not in paper and "<script" not in paper, panel
        for sentence in spoken(paper):
            assert not HINTS.search(sentence), (panel, sentence)
            if language == "ko":
                assert not ENGLISH.search(sentence), (panel, sentence)
