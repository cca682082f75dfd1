"""Layers: every panel opens for any model and any sentence, or says in one sentence why not."""

from functools import partial

import pytest

from model import checkpoint
from model.inspect.sublayers import PARTS
from tests.helpers.app import choose, open_app
from viz.pages.layers import Layers
from viz.text import LANGUAGES, translate


@pytest.fixture
def tiny_app(tiny, tmp_path, monkeypatch):
    checkpoint.save(tmp_path, tiny.model, tiny.tokenizer)
    checkpoint.seal(tmp_path)
    monkeypatch.setenv("HEADLIGHT_CHECKPOINT", str(tmp_path))
    return partial(open_app, "layers")


@pytest.mark.slow
def test_every_panel_of_every_stack_opens_for_any_model_and_sentence(tiny_app):
    for language in LANGUAGES:
        app = tiny_app(lang=language, s="A dog.", row="300")
        assert app.title[0].value == translate(language)("layers.title")
        for stack in PARTS:
            choose(app, stack=stack)
            for panel in Layers.options("layers"):
                choose(app, layers=panel)
                silent = stack == "encoder" and panel == "vocabulary"
                assert len(app.info) == silent
                assert len(app.get("bidi_component")) >= (2 if silent else 3)  # diagram, picture, keys
    choose(app, stack="encoder", layers="vocabulary")
    app.button(key="to_decoder").click().run()
    assert app.session_state["kind"] == "decoder" and not app.info


def test_a_sentence_too_long_to_keep_gets_one_clear_sentence(tiny_app):
    app = tiny_app(s="the cat " * 90)
    choose(app, stack="encoder")
    assert len(app.selectbox(key="token").options) > 128  # a list, where buttons would fill the screen
    for panel in Layers.options("layers"):
        choose(app, layers=panel)
        assert [each.value for each in app.info] == [translate("en")("layers.long", most=128)]
