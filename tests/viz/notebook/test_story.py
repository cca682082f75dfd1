"""The story of the paper runs from top to bottom, in every language, and its files say what it says."""

import json
import time

import pytest

from notebooks import make
from viz.notebook import speak
from viz.text import LANGUAGES

MOST_SECONDS, MOST_BYTES = 25, 400_000
STORY = {language: make.cells(language) for language in LANGUAGES}


@pytest.fixture
def speaking():
    """Whoever comes next hears English again."""
    yield
    speak("en")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_runs_from_top_to_bottom(language, speaking):
    began = time.process_time()  # a busy machine is slow, not wrong
    outputs = make.run(STORY[language])
    assert time.process_time() - began < MOST_SECONDS
    for cell, found in zip(STORY[language], outputs, strict=True):
        assert bool(found) == ("code" in cell)
    drawn = [each["data"] for found in outputs for each in found if "image/svg+xml" in each.get("data", {})]
    assert len(drawn) >= 7 and sum("text/html" in data for data in drawn) >= 3
    said = "".join(each.get("text", "") for found in outputs for each in found)
    assert "parce qu'elle est verte" in said and "parce qu'il est vert" in said
    checks = outputs[-1][-1]["data"]["text/plain"]
    assert "True" in checks and "False" not in checks


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_file_has_these_cells_with_what_they_put_out(language):
    text = make.path(language).read_text("utf-8")
    written, story = json.loads(text), STORY[language]
    assert [cell["source"] for cell in written["cells"]] == [
        cell.get("code", cell.get("text")) for cell in story
    ]
    for cell in written["cells"]:
        assert cell["cell_type"] == "markdown" or cell["outputs"]
    assert len(text.encode()) < MOST_BYTES and written["nbformat"] == 4
    assert len({cell["id"] for cell in written["cells"]}) == len(story)


def test_both_languages_tell_the_same_story():
    english, korean = (STORY[language] for language in ("en", "ko"))
    assert [cell.keys() for cell in english] == [cell.keys() for cell in korean]
    codes = [[cell["code"] for cell in story if "code" in cell] for story in (english, korean)]
    assert [code.replace('speak("en")', 'speak("ko")') for code in codes[0][:1]] == codes[1][:1]
    assert codes[0][1:] == codes[1][1:]
    texts = [cell["text"] for cell in korean if "text" in cell]
    assert all(any("가" <= letter <= "힣" for letter in text) for text in texts)
    assert not any("가" <= letter <= "힣" for cell in english for letter in "".join(cell.values()))
