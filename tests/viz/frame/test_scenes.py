"""A scene sets everything it speaks of, and what it claims holds on the checkpoint that is loaded."""

import re
from html import unescape

import numpy as np
import pytest

from model.inspect.edits_json import from_json
from tests.helpers.app import open_app, speak, translation, unfold
from viz.state import runs
from viz.state.scenes import SURE, _scenes, scene, scenes
from viz.text import LANGUAGES


def read(app) -> list[str]:
    """The sentence of the open scene."""
    bodies = (each.proto.body for each in app.get("html"))
    return [unescape(found[1]) for body in bodies if (found := re.search('<p class="scene">(.*)</p>', body))]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_scene_opens_on_its_page_with_one_sentence_to_read(app, language):
    speak(app, language)
    for each in scenes():
        unfold(app, "examples")
        app.button(key=f"example_{each.name}").click().run()
        assert not app.exception, each.name
        assert not app.session_state["examples"], "the list closes"
        assert app.text_input(key="sentence").value == each.sentence
        assert app.session_state["here"] == each.page
        for name, value in each.view.items():
            shown = app.session_state[name]
            assert (tuple(shown) if isinstance(value, tuple) else shown) == value, (each.name, name)
        (sentence,) = read(app)
        assert "{" not in sentence and "None" not in sentence
        assert all(word in sentence for word in each.words or () if len(word) < 20), each.name


def test_what_is_told_of_changed_words_is_what_the_model_writes(app, translator):
    for each in scenes():
        if each.page != "experiment":
            continue
        before = translator.translate(each.sentence).text
        after = translator.translate(each.sentence, from_json(each.edits)).text
        for text, words in ((before, each.words[0]), (after, each.words[1])):
            assert all(word in text for part in words.split(" … ") for word in part.split()), each.name


def test_what_is_told_of_heads_is_what_they_do(app, translator):
    found = scene("aligner")
    layer, (head,) = found.view["layer"], found.view["head"]
    trace = translator.trace(found.sentence)
    spoken = np.array(trace.target.predicted_words) >= 0
    weights = trace.attention["cross"][layer, head][spoken][:, np.array(trace.source.words) >= 0]
    assert found.values["sure"] == (weights.max(-1) > SURE).sum() > SURE * found.values["tokens"]
    np.testing.assert_allclose(found.weights, trace.attention["cross"][layer, head], atol=1e-5)


def test_what_does_not_hold_is_not_offered(app, monkeypatch):
    monkeypatch.setattr(runs, "atlas", lambda corpus: None)
    monkeypatch.setattr(runs, "stories", list)
    offered = {each.name for each in _scenes.__wrapped__(runs.checkpoint())}
    assert offered == {"pair", "rare"}, "what the sentences themselves show needs no atlas"


def test_a_link_to_a_scene_that_is_none_says_nothing():
    app = open_app("look", scene="of-nobody")
    assert not read(app) and translation(app)
