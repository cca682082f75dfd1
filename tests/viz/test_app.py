"""The app as its scripts see it: every page opens in every language, and says what it lacks."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.helpers.app import PAGES, choose, open_app, speak, weights
from tests.helpers.paths import ROOT
from viz.text import LANGUAGES, translate


def keys(app: AppTest) -> set[str]:
    return {each.key for each in (*app.segmented_control, *app.text_input)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_in_every_language(page, language):
    app = speak(open_app(page), language)
    assert not app.exception
    assert app.title[0].value == translate(language)(f"{page}.title")


def test_both_languages_have_the_same_controls_and_the_same_picture(app):
    choose(app, kind="cross")
    found = [(keys(speak(app, language)), weights(app).tobytes()) for language in LANGUAGES]
    assert found[0] == found[1]
    assert {"language", "sentence", "kind", "layer", "head", "reading"} <= found[0][0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_missing_checkpoint_is_explained(monkeypatch, tmp_path, language):
    monkeypatch.setenv("HEADLIGHT_CHECKPOINT", str(tmp_path / "nothing"))
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.session_state["language"] = language
    app.run()
    assert not app.exception
    assert app.error[0].value == translate(language)("checkpoint.unusable")
    assert "nothing" in app.text[0].value
