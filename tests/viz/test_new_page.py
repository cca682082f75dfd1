"""Adding a page is one folder, one line in app.py and its words: nothing else has to know of it."""

import json
import sys
from pathlib import Path

import pytest

import viz.pages
from tests.helpers.app import PAGES, open_app
from tests.helpers.paths import ROOT
from viz.text import LANGUAGES, TEXT

DECLARATION = '''
"""Letters: how long is each word?"""

from dataclasses import dataclass

from viz.state.choices import Choices, integer, one_of
from viz.state.page import Page


@dataclass(frozen=True)
class Letters(Choices):
    letters: str = one_of("bars", "numbers")
    least: int = integer(1)


PAGE = Page("letters", Letters, steps="letters", always_steps=True)
'''
SCRIPT = '''
"""Letters: how long is each word?"""

import numpy as np
import streamlit as st

from viz.figures.drawing import Drawing, rect
from viz.pages.letters import Letters
from viz.state.language import say
from viz.state.runs import current_trace
from viz.state.session import chosen
from viz.widgets.controls import choose
from viz.widgets.panel import Panel


def show() -> Panel:
    st.title(say("letters.title"), anchor=False)
    choose("letters")
    asked, pieces = chosen(Letters), current_trace().source.pieces
    lengths = np.array([len(piece) for piece in pieces if len(piece) >= asked.least])
    st.text(f"{asked.letters}: {lengths.tolist()}")
    marks = [rect(0, 10 * place, 8 * length, 8, "ink") for place, length in enumerate(lengths.tolist())]
    drawn = Drawing(200, 10 * len(marks), say("letters.title"), tuple(marks))
    return Panel({"letters": drawn}, {"lengths": lengths}, explained=say("letters.what"))
'''
WORDS = ("letters.short", "letters.title", "letters.label", "letters.bars", "letters.numbers",
         "letters.what", "export.letters")  # fmt: skip


@pytest.fixture
def app_file(tmp_path, monkeypatch) -> Path:
    """app.py with one more line, and one more folder among the pages."""
    folder = tmp_path / "pages" / "letters"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(DECLARATION, "utf-8")
    (folder / "page.py").write_text(SCRIPT, "utf-8")
    monkeypatch.setattr(viz.pages, "__path__", [*viz.pages.__path__, str(folder.parent)])
    for key in WORDS:
        monkeypatch.setitem(TEXT, key, {language: f"{key} ({language})" for language in LANGUAGES})
    text = (ROOT / "app.py").read_text("utf-8")
    last = '    "experiment",\n'
    assert last in text
    app = tmp_path / "app.py"
    app.write_text(text.replace(last, f'{last}    "letters",\n'), "utf-8")
    yield app
    for name in [name for name in sys.modules if name.startswith("viz.pages.letters")]:
        del sys.modules[name]
    del viz.pages.letters  # a package keeps what was once imported


def test_it_stands_in_the_navigation_in_every_language(app_file):
    for language in LANGUAGES:
        app = open_app(script=app_file, lang=language)
        linked = [each.proto.label for each in app.get("page_link")]
        assert linked[-1] == f"letters.short ({language})"
        assert len(linked) == 1 + len(PAGES) + 1  # the name leads home too


def test_its_fields_are_read_from_the_link_and_written_to_it(app_file):
    app = open_app("letters", script=app_file, letters="numbers", least="3")
    assert app.title[0].value == "letters.title (en)"
    shown, _, lengths = app.text[-1].value.partition(": ")
    assert shown == "numbers" and min(json.loads(lengths)) >= 3
    written = dict(app.run().query_params)  # the address that was opened, the browser exchanges by itself
    assert written["letters"] == "numbers" and written["least"] == "3"
    app = open_app("letters", script=app_file, letters="poems")
    assert app.session_state["letters"] == "bars"
    assert any("letters" in each.value for each in app.info)  # refused by name


def test_the_presenters_keys_step_through_it(app_file):
    app = open_app("letters", script=app_file, present="on")
    app.session_state["keys"] = {"step": {"listener": 1.0, "presses": 1, "count": 1}}
    app.run()
    assert not app.exception
    assert app.session_state["letters"] == "numbers"


def test_its_picture_and_numbers_can_be_taken_home(app_file):
    app = open_app("letters", script=app_file)
    app.button(key="export").click().run()
    assert not app.exception
    labels = {each.proto.label for each in app.get("download_button")}
    assert {"SVG", "JSON", "NPZ", "HTML"} <= labels
    assert "export.letters (en)" in [each.value for each in app.caption]


def test_what_other_pages_show_stays_the_same(app_file):
    app = open_app(script=app_file, letters="numbers")
    assert app.title[0].value == TEXT["look.title"]["en"]
