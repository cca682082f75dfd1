"""The app as its scripts see it: both languages, every head, and what cannot be translated."""

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from viz.figures.labels import labels
from viz.session import EXAMPLE
from viz.text import LANGUAGES, translate

ROOT = Path(__file__).parent.parent
PAGES = sorted(path for path in (ROOT / "viz/pages").glob("*.py") if path.stem != "__init__")
REFUSED = {"sentence.blank": ("", "   ", "\t"), "sentence.too_long": ("tree " * 600,)}


@pytest.fixture
def app() -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    assert not app.exception
    return app


def speak(app: AppTest, language: str) -> AppTest:
    return app.segmented_control(key="language").set_value(language).run()


def look(app: AppTest, **choices) -> AppTest:
    for key, value in choices.items():
        app.segmented_control(key=key).set_value(value).run()
    assert not app.exception
    return app


def heatmap(app: AppTest) -> dict:
    (chart,) = app.get("plotly_chart")
    return json.loads(chart.proto.spec)


def weights(app: AppTest) -> np.ndarray:
    z = heatmap(app)["data"][0]["z"]
    shape = [int(length) for length in z["shape"].split(",")]
    return np.frombuffer(base64.b64decode(z["bdata"]), z["dtype"]).reshape(shape)


def keys(app: AppTest) -> set[str]:
    return {each.key for each in (*app.segmented_control, *app.text_input)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_page_opens_in_every_language(app, page, language):
    speak(app.switch_page(str(page.relative_to(ROOT))), language)
    assert not app.exception
    assert app.title[0].value == translate(language)(f"{page.stem}.title")


def test_the_page_opens_on_a_translated_sentence(app, translator):
    assert app.text_input(key="sentence").value == EXAMPLE
    written = translator.translate(EXAMPLE).text
    assert written in [each.value for each in app.text]


def test_both_languages_have_the_same_controls_and_the_same_picture(app):
    look(app, kind="cross")
    found = [(keys(speak(app, language)), weights(app).tobytes()) for language in LANGUAGES]
    assert found[0] == found[1]
    assert {"language", "sentence", "kind", "layer", "head", "reading"} <= found[0][0]


def test_every_head_drawn_is_the_one_the_model_used(app, translator):
    trace = translator.trace(EXAMPLE)
    for kind, attention in trace.attention.items():
        layers, heads = attention.shape[:2]
        for layer, head in [(0, 0), (layers - 1, heads - 1)]:
            look(app, kind=kind, layer=layer + 1, head=head + 1)
            expected = np.where(trace.mask[kind][layer, head], attention[layer, head], np.nan)
            np.testing.assert_allclose(weights(app), expected, atol=1e-5)


def test_rows_and_columns_carry_the_right_sequence(app, translator):
    trace, say = translator.trace(EXAMPLE), translate("en")
    source, read, predicted = trace.source.pieces, trace.target.read, trace.target.predicted
    for choices, rows, columns in [
        ({"kind": "encoder"}, source, source),
        ({"kind": "decoder", "reading": "read"}, read, read),
        ({"kind": "decoder", "reading": "predicted"}, predicted, read),
        ({"kind": "cross", "reading": "read"}, read, source),
        ({"kind": "cross", "reading": "predicted"}, predicted, source),
    ]:
        layout = heatmap(look(app, **choices))["layout"]
        assert list(layout["yaxis"]["labelalias"].values()) == labels(rows, say)
        assert list(layout["xaxis"]["labelalias"].values()) == labels(columns, say)
        looking = f"target.{choices['reading']}" if "reading" in choices else "source.query"
        assert layout["yaxis"]["title"]["text"] == say(f"axis.{looking}")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("key", "text"), [(key, text) for key, texts in REFUSED.items() for text in texts])
def test_what_cannot_be_translated_is_explained_and_nothing_is_lost(app, language, key, text):
    speak(app, language)
    app.text_input(key="sentence").set_value("Where did you leave your bicycle?").run()
    before, written = weights(app), [each.value for each in app.text]
    app.text_input(key="sentence").set_value(text).run()
    assert not app.exception
    (warning,) = app.warning
    begins, _, _ = translate(language)(key, pieces="…", longest="…").partition("…")
    assert warning.value.startswith(begins)
    assert app.text_input(key="sentence").value == text
    assert [each.value for each in app.text] == written
    np.testing.assert_array_equal(weights(app), before)


def test_text_that_is_too_long_is_told_both_numbers(app, translator):
    text = "tree " * 600
    app.text_input(key="sentence").set_value(text).run()
    pieces, longest = len(translator.tokenizer.encode(text).ids), translator.config.length
    assert str(pieces) in app.warning[0].value
    assert str(longest) in app.warning[0].value


def test_half_a_character_is_explained():
    def script():
        import streamlit

        from viz import session

        session.choose_language()
        streamlit.text(session.refusal("\ud800"))

    app = AppTest.from_function(script, default_timeout=60).run()
    assert not app.exception
    assert app.text[0].value == translate("en")("sentence.broken")


def test_a_sentence_after_a_refused_one_is_translated(app, translator):
    app.text_input(key="sentence").set_value("").run()
    app.text_input(key="sentence").set_value("The dog that bit me is gone.").run()
    assert not app.warning
    assert translator.translate("The dog that bit me is gone.").text in [e.value for e in app.text]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_missing_checkpoint_is_explained(monkeypatch, tmp_path, language):
    monkeypatch.setenv("HEADLIGHT_CHECKPOINT", str(tmp_path / "nothing"))
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.session_state["language"] = language
    app.run()
    assert not app.exception
    assert app.error[0].value == translate(language)("checkpoint.unusable")
    assert "nothing" in app.text[0].value
