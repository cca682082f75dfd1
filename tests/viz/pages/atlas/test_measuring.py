"""Somebody's own corpus: measured in another process, one at a time, with the same numbers."""

import json
import os
import subprocess
import sys
import threading

import pytest
from streamlit.testing.v1 import AppTest

from model import checkpoint, load
from model.atlas import worker
from model.atlas.causal.report import measure as measure_causal
from model.atlas.observed import make_atlas
from model.probe import HAND
from model.probe.contrasts import Contrast, Phenomenon
from model.text.treebank import plain, read
from tests.helpers.paths import ROOT
from tests.helpers.tiny import SENTENCES, tiny_tokenizer, tiny_translator
from viz.pages.atlas.numbers import measuring
from viz.pages.atlas.panels import corpus as own_corpus
from viz.text import translate, verbatim

WHERE = {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    translator = tiny_translator(tiny_tokenizer(), length=24)
    checkpoint.save(folder, translator.model, translator.tokenizer)
    return str(folder)


@pytest.mark.slow
def test_another_process_gives_the_numbers_of_this_one(folder):
    sentences, heard = [plain(text) for text in SENTENCES[:6]], []
    found = measuring.measure(folder, sentences, "mine", heard.append)
    expected = make_atlas(load(folder), sentences, "mine", silencing=False, chunk=8)
    assert found == json.loads(json.dumps(expected))
    assert heard[-1] <= len(sentences) and None not in heard


@pytest.mark.slow
def test_contrasts_are_measured_there_as_well(folder):
    translator, heard = load(folder), []
    texts = [translator.tokenizer.decode(translator.read(text).ids) for text in SENTENCES[:6]]
    rows = tuple(Contrast(text, f"{text} a", f"{text} b") for text in dict.fromkeys(texts))
    own = Phenomenon("mine", rows)
    found = measuring.measure_contrasts(folder, own, heard.append)
    assert found["told"] == json.loads(json.dumps(measure_causal(translator, [own])[0]["mine"]))
    assert heard[-1] <= len(rows) and None not in heard
    if found["head"]:
        gaps = [gap for gap, _ in found["rows"]]
        assert sum(gap > 0 for gap in gaps) == found["told"]["rows"] and len(gaps) == len(rows)


def test_who_stops_ends_the_work_and_frees_the_turn(folder):
    class Stopped(BaseException):  # as Streamlit ends the run of a page
        pass

    def stop(done):
        raise Stopped

    with pytest.raises(Stopped):
        measuring.measure(folder, [plain(text) for text in SENTENCES], "mine", stop)
    assert not measuring._turn.locked()


def test_a_second_corpus_waits_for_its_turn():
    told = threading.Event()

    class Stopped(BaseException):
        pass

    def hear(done):
        assert done is None
        told.set()
        raise Stopped

    with measuring._turn, pytest.raises(Stopped):
        measuring.measure("nowhere", [], "mine", hear)
    assert told.is_set()
    assert not measuring._turn.locked()


def test_whoever_asks_is_not_run_again_and_nothing_is_logged(tmp_path):
    """The app is a script, too: run once more without a browser, it warned in every line that it drew."""
    script = tmp_path / "asking.py"
    script.write_text(
        """
import sys
print("asking", file=sys.stderr)
from viz.pages.atlas.numbers import measuring
try:
    measuring.measure("nowhere", [], "mine", lambda done: None)
except RuntimeError:
    print("answered", file=sys.stderr)
""",
        "utf-8",
    )
    heard = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, env=WHERE, timeout=120
    ).stderr
    assert heard.count("asking\n") == 1 and heard.count("answered\n") == 1
    assert "ScriptRunContext" not in heard


def test_what_is_known_of_a_sentence_comes_through():
    sentences = list(read(HAND))[:20]
    order = json.loads(worker.order_atlas("en-fr", sentences, "mine"))
    assert [worker._read(each) for each in order["sentences"]] == sentences
    assert any(each.alignment for each in sentences) and any(each.antecedents for each in sentences)


@pytest.mark.slow
def test_a_process_that_dies_is_told(tmp_path):
    with pytest.raises(RuntimeError, match="after 0 sentences"):
        measuring.measure(str(tmp_path / "no checkpoint"), [], "mine", lambda done: None)


@pytest.mark.parametrize(("given", "message"), [(3, "corpus.done"), (4, "corpus.first")])
def test_a_corpus_that_is_too_long_is_cut_and_the_page_says_so(monkeypatch, given, message):
    measured = []

    def measure(name, sentences, corpus, progress):
        measured.extend(each.text for each in sentences)
        return {}

    def script():
        from viz.pages.atlas.panels.corpus import own_corpus

        own_corpus()

    monkeypatch.setattr(own_corpus, "MOST", 3)
    monkeypatch.setattr(own_corpus, "measure", measure)
    app = AppTest.from_function(script, default_timeout=60)
    app.session_state["language"] = "en"
    app.session_state["checkpoint"] = "en-fr"
    app.run()
    app.text_area(key="corpus_text").set_value("\n".join(SENTENCES[:given])).run()
    app.button(key="corpus_start").click().run()
    assert not app.exception and not app.warning
    assert measured == list(SENTENCES[:3])
    say = translate("en")
    assert app.success[0].value == verbatim(say(message, name=say("corpus.own"), count=3))
