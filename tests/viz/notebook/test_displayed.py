"""A run displays itself: a page that asks nobody for anything, a drawing that says the same, and words."""

import base64
import re
import subprocess
import sys
from html import unescape

import numpy as np
import pytest

from model.inspect import displayed
from tests.helpers.paths import ROOT
from tests.helpers.payload import unpack
from viz.notebook import PAGES, show, speak
from viz.text import LANGUAGES, translate

MAYBE = re.compile(r"(?:https?:)?//[\w.-]+\.\w+|\b(?:src|href|url)\s*[=(]\s*[\"']?(?!data:|#|\")[\w./]+")


def page_of(html: str) -> str:
    """What stands in the frame."""
    return unescape(re.search(r'srcdoc="([^"]*)"', html)[1])


def data_of(page: str) -> bytes:
    return base64.b64decode(re.search(r'id="data">([^<]*)<', page)[1])


def test_a_run_gives_a_page_a_drawing_and_words(trace):
    shown = trace._repr_mimebundle_(include=None, exclude=None)
    assert set(shown) == {"text/html", "image/svg+xml", "text/plain"}
    for said in (page_of(shown["text/html"]), shown["text/plain"]):
        assert "The cat sleeps near the door." in said and trace.translation.text in said


def test_the_page_holds_the_numbers_of_the_run(trace):
    page = show(trace, kind="cross", layer=3, head=5).page
    header, sent = unpack(data_of(page))
    assert header["queries"][1] == "chat" and header["keys"][1] == "cat"
    weights = sent.reshape(trace.attention["cross"].shape[-2:]) / 65534
    np.testing.assert_allclose(weights, trace.attention["cross"][3, 5], rtol=0, atol=1e-5)


def test_the_drawing_says_the_same(trace):
    svg = show(trace, kind="cross", layer=3, head=5).svg
    said = [float(number) for number in re.findall(r"<title>[^<]* → [^<]*: (\d\.\d{4})</title>", svg)]
    weights = trace.attention["cross"][3, 5]
    np.testing.assert_allclose(said[-weights.size :], weights.ravel(), rtol=0, atol=6e-5)


def test_the_words_say_where_each_row_looks_most(trace):
    lines = show(trace, kind="cross", layer=3, head=5).text.splitlines()[3:]
    weights = trace.attention["cross"][3, 5]
    assert [float(line.split()[-1]) for line in lines] == pytest.approx(weights.max(-1), abs=0.006)
    assert lines[1].split()[:3] == ["chat", "→", "cat"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", PAGES)
def test_every_page_is_shown_in_every_language_and_names_no_host(page, language, trace, translator):
    say = translate(language)
    shown = show(trace, page, translator=translator, language=language)
    html = shown._repr_mimebundle_()["text/html"]
    assert f'lang="{language}"' in shown.page and say("standalone.sentence") in shown.page
    assert html.count("<iframe") == html.count("</iframe>") == 1 and "<script" not in html
    for text in (shown.page, shown.svg):
        found = set(MAYBE.findall(text.replace("http://www.w3.org", "")))
        assert not found, found
    assert "default-src 'none'" in shown.page


def test_a_still_picture_stands_where_no_script_runs(trace):
    html = show(trace).svg, show(trace)._repr_mimebundle_()["text/html"]
    still = re.search(r'src="data:image/svg\+xml;base64,([^"]*)"', html[1])[1]
    assert base64.b64decode(still).decode() == html[0]
    assert html[1].index("<img") < html[1].index("<iframe") and "opacity: 0" in html[1]


def test_a_notebook_speaks_the_language_it_was_told(trace):
    speak("ko")
    try:
        assert translate("ko")("kind.cross") in show(trace).text
        assert translate("en")("kind.cross") in show(trace, language="en").text
    finally:
        speak("en")
    with pytest.raises(KeyError, match="xx"):
        speak("xx")


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"page": "nowhere"}, "look, all_heads"),
        ({"kind": "both"}, "encoder, decoder, cross"),
        ({"layer": 4, "head": 0}, "layer 4 is not there: layers are numbered from 0 to 3"),
        ({"layer": 0, "head": (1, 8)}, "head 8"),
        ({"layer": 0, "head": 0, "row": -1}, "row -1"),
        ({"colour": "pink"}, "linear, root, log"),
        ({"page": "atlas"}, "translator="),
    ],
)
def test_what_is_not_there_is_refused_with_what_is(chosen, said, trace):
    with pytest.raises(ValueError, match=said):
        show(trace, **chosen)


def test_a_view_is_saved_by_its_ending(trace, tmp_path):
    shown = show(trace)
    for ending, made in ((".html", shown.page), (".svg", shown.svg), (".txt", shown.text)):
        assert shown.save(tmp_path / f"view{ending}").read_text("utf-8") == made
    with pytest.raises(ValueError, match=r"\.png"):
        shown.save(tmp_path / "view.png")


def test_without_anybody_who_draws_a_run_shows_itself_in_words(trace, monkeypatch):
    monkeypatch.setattr(displayed, "_drawing", [])
    monkeypatch.setattr(displayed, "entry_points", lambda group: [])
    assert trace._repr_mimebundle_() == {"text/plain": repr(trace)}


def test_an_installed_package_is_found_when_a_run_is_shown(monkeypatch):
    class Found:
        def load(self) -> None:
            displayed.draws(lambda run: {"text/plain": f"drawn {run}"})

    monkeypatch.setattr(displayed, "_drawing", [])
    monkeypatch.setattr(
        displayed, "entry_points", lambda group: [Found()] if group == displayed.GROUP else []
    )
    assert displayed.displayed("a run") == {"text/plain": "drawn a run"}


def test_the_package_names_who_draws():
    assert '[project.entry-points."headlight.display"]\nnotebook = "viz.notebook"' in (
        ROOT / "pyproject.toml"
    ).read_text("utf-8")


def test_importing_the_model_brings_nothing_that_draws():
    code = "import sys, model; print({'viz', 'streamlit', 'plotly', 'pandas'} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "set()"
