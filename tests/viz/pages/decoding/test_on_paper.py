"""What the page of decoding gives to take home reads without a screen."""

import re

import pytest

from tests.helpers.app import open_app
from viz.pages.decoding import page
from viz.text import LANGUAGES

PANELS = ("steps", "choosing", "beam", "given", "memory")
ON_A_SCREEN = re.compile("click|arrow key|slider|누르|화살표|슬라이더", re.IGNORECASE)


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_paper_does_not_ask_to_click(monkeypatch, panel, language):
    given = []
    show = page.show
    monkeypatch.setattr(page, "show", lambda: given.append(show()) or given[-1])
    drawn = {"drawn": "0", "top_k": "1"} if panel == "choosing" else {}
    open_app("decoding", s="She sings.", decoding=panel, lang=language, **drawn)
    for each in given:
        said = " ".join([each.finding, each.explained, *each.said.values()])
        assert said and not ON_A_SCREEN.search(said)
