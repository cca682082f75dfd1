"""Stepping and sliding never run the model again: they only look at another part of the same run."""

import pytest
from streamlit.testing.v1 import AppTest

from model import Translator
from tests.helpers.paths import ROOT
from viz.state.selection import CHOICES, NUMBERS

STEPS = {"inside": "step", "positions": "order", "layers": "journey"}
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
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.run()
    app.switch_page(f"viz/pages/{page}/page.py").run()
    assert not app.exception
    for option in CHOICES[STEPS[page]]:
        before = len(runs)
        app.session_state[STEPS[page]] = option
        app.run()
        assert not app.exception, option
        if option in ONCE.get(page, ()):
            before = len(runs)
            app.run()
        assert len(runs) == before, (page, option)


def test_sliding_is_a_look_at_the_same_run(runs):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.run()
    app.switch_page("viz/pages/inside/page.py").run()
    app.session_state["step"] = "why"
    app.run()
    before = len(runs)
    for width in NUMBERS["key_width"]:
        app.session_state["key_width"] = width
        app.run()
        assert not app.exception
    for layer in range(2):
        app.session_state["layer"] = layer
        app.run()
    assert len(runs) == before
