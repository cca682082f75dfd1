"""Stepping and sliding never run the model again: they only look at another part of the same run."""

import pytest

from model import Translator
from tests.helpers.app import choose, open_app
from viz.pages import load
from viz.pages.inside import Inside

STEPS = {name: page.steps for name, page in load("inside", "positions", "layers").items()}
# Questions that are about other runs: what they need is run once, when they are first asked.
ONCE = {"positions": {"shuffle"}, "layers": {"norm", "gradients"}}


@pytest.fixture
def runs(monkeypatch) -> list[str]:
    """Every sentence that the model was run on."""
    made, trace = [], Translator.trace

    def counted(self, text, *arguments, **named):
        made.append(text)
        return trace(self, text, *arguments, **named)

    monkeypatch.setattr(Translator, "trace", counted)
    return made


@pytest.mark.parametrize("page", STEPS)
def test_every_panel_is_a_look_at_the_same_run(page, runs):
    app = open_app(page)
    for option in load(page)[page].choices.options(STEPS[page]):
        before = len(runs)
        app.session_state[STEPS[page]] = option
        app.run()
        assert not app.exception, option
        if option in ONCE.get(page, ()):
            before = len(runs)
            app.run()
        assert len(runs) == before, (page, option)


def test_sliding_is_a_look_at_the_same_run(runs):
    app = open_app("inside")
    app.session_state["step"] = "why"
    app.run()
    before = len(runs)
    for width in Inside.options("key_width"):
        app.session_state["key_width"] = width
        app.run()
        assert not app.exception
    for layer in range(2):
        app.session_state["layer"] = layer
        app.run()
    assert len(runs) == before


def test_changing_layer_or_head_never_runs_the_model_again(app, monkeypatch):
    def run(*_, **__):
        raise AssertionError("the model ran")

    monkeypatch.setattr(Translator, "trace", run)
    monkeypatch.setattr(Translator, "translate_many", run)
    for name, value in (
        ("kind", "encoder"), ("layer", 1), ("head", [1, 2]), ("units", "words"), ("weighting", "norm"),
        ("special", "hidden"), ("colour", "log"), ("combine", "max"), ("kind", "decoder"),
        ("reading", "read"),
    ):  # fmt: skip
        choose(app, **{name: value})
