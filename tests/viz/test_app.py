"""The app as its scripts see it: both languages, every head, and what cannot be translated."""

import base64
import json
import re
import struct
from html import unescape

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model import Translator, load
from model.checkpoint import find
from tests.helpers.app import PAGES, open_app
from tests.helpers.paths import ROOT
from viz.components.payload import FORBIDDEN, SCALE
from viz.figures.labels import readable
from viz.pages.look.comparison import OTHER
from viz.state import runs, session
from viz.state.atlas import aligner
from viz.state.examples import EXAMPLES
from viz.state.session import EXAMPLE
from viz.text import LANGUAGES, translate, verbatim

REFUSED = {"sentence.blank": ("", "   ", "\t"), "sentence.too_long": ("tree " * 600,)}


@pytest.fixture
def app() -> AppTest:
    return open_app()


def speak(app: AppTest, language: str) -> AppTest:
    return app.segmented_control(key="language").set_value(language).run()


def look(app: AppTest, **choices) -> AppTest:
    for key, value in choices.items():
        app.segmented_control(key=key).set_value(value)
        app.run()
    assert not app.exception
    return app


def maps(app: AppTest) -> list[tuple[dict, np.ndarray]]:
    """Every map on the page: what is said about it, and its numbers, NaN where nobody may look."""
    found = []
    for view in app.get("bidi_component"):
        if view.proto.component_name == "headlight_heatmap":
            found.append(unpack(view.proto.bytes))
    return found


def unpack(data: bytes) -> tuple[dict, np.ndarray]:
    """A payload as the browser reads it."""
    (length,) = struct.unpack("<I", data[:4])
    header = json.loads(data[4 : 4 + length])
    numbers = np.frombuffer(data[4 + length :], "<u2").reshape(len(header["queries"]), len(header["keys"]))
    least, most = header["least"], header["most"]
    return header, np.where(numbers == FORBIDDEN, np.nan, least + numbers / SCALE * (most - least))


def translation(app: AppTest) -> str:
    """What is written in ink."""
    (ink,) = (each.proto.body for each in app.get("html") if 'class="ink"' in each.proto.body)
    return unescape(re.sub("<[^>]*>", "", ink))


def weights(app: AppTest) -> np.ndarray:
    return maps(app)[0][1]


def pictures(app: AppTest) -> list[np.ndarray]:
    return [numbers for _, numbers in maps(app)]


def decode(array: dict) -> np.ndarray:
    """An array as Plotly packs it."""
    numbers = np.frombuffer(base64.b64decode(array["bdata"]), array["dtype"])
    shape = array.get("shape", str(len(numbers)))
    return numbers.reshape([int(length) for length in shape.split(",")])


def keys(app: AppTest) -> set[str]:
    return {each.key for each in (*app.segmented_control, *app.text_input)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_in_every_language(page, language):
    app = speak(open_app(page), language)
    assert not app.exception
    assert app.title[0].value == translate(language)(f"{page}.title")


def test_the_page_opens_on_a_translated_sentence(app, translator):
    assert app.text_input(key="sentence").value == EXAMPLE
    assert translation(app) == translator.translate(EXAMPLE).text


def test_the_first_picture_is_of_the_head_that_aligns(app, translator, monkeypatch):
    place = aligner(json.loads((find(translator.name) / "atlas.json").read_text("utf-8")))
    surest = translator.trace(EXAMPLE).attention["cross"].max(-1).mean(-1)
    unaided = tuple(np.unravel_index(surest.argmax(), surest.shape))
    assert seen_at(app) == (place or unaided)
    # A checkpoint that nobody has measured opens on the head that is surest.
    session._opening.clear()
    monkeypatch.setattr(runs, "_atlas", lambda name, corpus: None)
    assert seen_at(open_app(s=EXAMPLE)) == unaided
    session._opening.clear()


def seen_at(app) -> tuple[int, int]:
    (head,) = app.segmented_control(key="head").value
    return app.segmented_control(key="layer").value, head


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
            look(app, kind=kind, layer=layer, head=[head])
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
        header = maps(look(app, **choices))[0][0]
        for axis, pieces in (("queries", rows), ("keys", columns)):
            assert header[axis] == [readable(piece, say) for piece in pieces]
        looking = f"target.{choices['reading']}" if "reading" in choices else "source.query"
        assert header["axes"][0] == say(f"axis.{looking}")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("key", "text"), [(key, text) for key, texts in REFUSED.items() for text in texts])
def test_what_cannot_be_translated_is_explained_and_nothing_is_lost(app, language, key, text):
    speak(app, language)
    app.text_input(key="sentence").set_value("Where did you leave your bicycle?").run()
    before, written = weights(app), translation(app)
    app.text_input(key="sentence").set_value(text).run()
    assert not app.exception
    (warning,) = app.warning
    begins, _, _ = translate(language)(key, pieces="…", longest="…").partition("…")
    assert warning.value.startswith(begins)
    assert app.text_input(key="sentence").value == text
    assert translation(app) == written
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

        from viz.state import language, runs

        language.choose_language()
        streamlit.text(runs.refusal("\ud800"))

    app = AppTest.from_function(script, default_timeout=60).run()
    assert not app.exception
    assert app.text[0].value == translate("en")("sentence.broken")


def test_a_sentence_after_a_refused_one_is_translated(app, translator):
    app.text_input(key="sentence").set_value("").run()
    app.text_input(key="sentence").set_value("The dog that bit me is gone.").run()
    assert not app.warning
    assert translation(app) == translator.translate("The dog that bit me is gone.").text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_missing_checkpoint_is_explained(monkeypatch, tmp_path, language):
    monkeypatch.setenv("HEADLIGHT_CHECKPOINT", str(tmp_path / "nothing"))
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.session_state["language"] = language
    app.run()
    assert not app.exception
    assert app.error[0].value == translate(language)("checkpoint.unusable")
    assert "nothing" in app.text[0].value


def test_an_example_is_one_click_and_undo_brings_the_last_view_back(app, translator):
    opening = app.segmented_control(key="head").value
    app.session_state["several"] = True
    look(app, kind="encoder", layer=1, head=[0, 2])
    unfold(app, "examples")
    app.button(key="example_question").click().run()
    assert app.text_input(key="sentence").value == EXAMPLES["question"]
    assert translation(app) == translator.translate(EXAMPLES["question"]).text
    app.button(key="undo").click().run()
    assert app.text_input(key="sentence").value == EXAMPLE
    assert app.segmented_control(key="head").value == [0, 2]
    app.button(key="undo").click().run()
    assert app.segmented_control(key="head").value == opening
    unfold(app, "history")
    app.button(key="reset").click().run()
    assert app.segmented_control(key="kind").value == "cross"
    assert not app.exception


def test_the_last_sentences_are_offered_again(app):
    texts = [f"I have {number} books." for number in ("two", "three", "ten")]
    for text in texts:
        app.text_input(key="sentence").set_value(text).run()
    unfold(app, "history")
    assert [app.button(key=f"past_{place}").label for place in range(3)] == [*map(verbatim, texts[::-1])]
    app.button(key="past_2").click().run()
    assert app.text_input(key="sentence").value == texts[0]


def test_a_click_moves_on_to_another_head_unless_several_are_wanted(app):
    look(app, head=[3])
    look(app, head=[3, 5])
    assert app.segmented_control(key="head").value == [5]
    app.toggle(key="several").set_value(True).run()
    look(app, head=[5, 1])
    assert sorted(app.segmented_control(key="head").value) == [1, 5]
    app.toggle(key="several").set_value(False).run()
    assert len(app.segmented_control(key="head").value) == 1


def test_the_last_head_cannot_be_taken_away(app):
    look(app, head=[3])
    look(app, head=[])
    assert app.segmented_control(key="head").value == [3]


def unfold(app: AppTest, name: str) -> None:
    """What clicking on its button does."""
    app.session_state[name] = True
    app.run()


def test_a_link_shows_the_same_view(translator):
    text = "She reads a long letter."
    app = open_app(s=text, lang="ko", kind="decoder", layer="1", head="2", reading="read", row="3")
    assert not app.exception
    assert app.title[0].value == translate("ko")("look.title")
    trace = translator.trace(text)
    np.testing.assert_allclose(
        weights(app),
        np.where(trace.mask["decoder"][1, 2], trace.attention["decoder"][1, 2], np.nan),
        atol=1e-5,
    )
    assert app.session_state["row"] == 3


def test_nonsense_in_a_link_is_named_in_one_sentence_and_the_usual_view_is_shown():
    app = open_app(
        kind="sideways", layer="-4", head="1,2,999", row="x", lang="tlh", page="nowhere", compare="9"
    )
    assert not app.exception
    names = "layer, head, row, kind, lang, compare, page"
    (notice,) = app.info
    found = notice.value.split("(")[1].split(")")[0]
    assert sorted(found.split(", ")) == sorted(names.split(", "))
    assert weights(app).size


def test_a_blank_or_endless_sentence_in_a_link_is_explained():
    for text, key in (("   ", "sentence.blank"), ("word " * 5_000, "sentence.too_long")):
        app = open_app(s=text, lang="en")
        assert not app.exception
        begins, _, _ = translate("en")(key, pieces="…", longest="…").partition("…")
        assert app.warning[0].value.startswith(begins)
        assert translation(app)


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_of_another_script_gets_a_note_and_an_example_to_click(app, language):
    speak(app, language)
    app.text_input(key="sentence").set_value("나는 학교에 갑니다.").run()
    assert not app.exception
    (note,) = app.info
    assert note.value.startswith(
        translate(language)("sentence.foreign", language=translate(language)("name.en"))[:20]
    )
    app.button(key="foreign_example").click().run()
    assert app.text_input(key="sentence").value == EXAMPLE
    assert not app.info


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("I love you 🙂!", "🙂"),
        ("<b>Good</b> morning.", "\\< \\> /"),
        ("The woman and her little daughter 👩‍👧 are here with me today.", "👩 👧"),
    ],
)
def test_signs_that_the_vocabulary_lacks_are_named(app, language, text, signs):
    speak(app, language)
    app.text_input(key="sentence").set_value(text).run()
    assert not app.exception
    (note,) = app.info
    assert note.value == translate(language)("sentence.unknown", signs=signs)
    assert translation(app)
    for plain in ("“Good morning…”", "At 8 Zoe saw 6 cats and 7 dogs."):  # 8, 6, 7 and Z are bytes too
        app.text_input(key="sentence").set_value(plain).run()
        assert not app.info


def test_the_badge_says_what_was_checked(app, translator):
    say = translate("en")
    unfold(app, "checks")
    said = [each.value for each in app.markdown]
    for check in translator.trace(EXAMPLE).checks:
        assert check.passed
        assert f"✓ {say(f'check.{check.name}')}" in said


@pytest.mark.parametrize("way", ["sentence", "head", "untrained"])
def test_a_comparison_shows_both_pictures_and_their_difference(app, translator, way):
    look(app, kind="encoder", layer=0, head=[0])
    if way == "sentence":
        app.text_input(key="sentence").set_value("The dog sees me.").run()
    app.selectbox(key="compare").set_value(way).run()
    assert not app.exception
    trace, layers = translator.trace(EXAMPLE), translator.config.layers
    first = trace.attention["encoder"][0, 0]
    if way == "head":
        look(app, other_layer=layers - 1, other_head=2)
        second = trace.attention["encoder"][layers - 1, 2]
    elif way == "untrained":
        twin = load(translator.name, untrained=True)
        second = twin.trace(EXAMPLE, trace.translation.ids).attention["encoder"][0, 0]
    else:
        app.text_input(key="other_text").set_value("The cat sees me.").run()
        first, second = (
            translator.trace(f"The {animal} sees me.").attention["encoder"][0, 0] for animal in ("dog", "cat")
        )
    for shown, expected in zip(pictures(app), (first, second, second - first), strict=True):
        np.testing.assert_allclose(shown, expected, atol=3e-5)


def test_a_typed_sentence_is_no_markdown_where_it_is_a_title(app):
    app.selectbox(key="compare").set_value("sentence").run()
    app.text_input(key="other_text").set_value("*It* costs $5$ :smile:").run()
    assert verbatim("*It* costs $5$ :smile:") in [each.value for each in app.caption]
    assert "*It* costs $5$ :smile:" in maps(app)[1][0]["text"]["label"]


def test_one_word_in_two_sentences_has_two_vectors(app, translator):
    app.selectbox(key="compare").set_value("sentence").run()
    app.selectbox(key="cosine_word").set_value("it").run()
    spec = json.loads(app.get("plotly_chart")[-1].proto.spec)
    here, there = translator.trace(EXAMPLE), translator.trace(OTHER)
    place = here.source.pieces.index("▁it")
    for layer in range(translator.config.layers):
        path = f"encoder.layers.{layer}.after_feed_forward"
        first, second = (each.stream["encoder"][path][place] for each in (here, there))
        cosine = first @ second / np.linalg.norm(first) / np.linalg.norm(second)
        assert decode(spec["data"][0]["y"])[layer + 1] == pytest.approx(cosine, abs=1e-4)


def test_a_padded_batch_shows_empty_columns(app):
    app.selectbox(key="compare").set_value("batch").run()
    app.text_input(key="other_text").set_value("Hello.").run()
    assert not app.exception
    first, second = pictures(app)
    assert first.shape == second.shape
    assert not np.isnan(first).any()
    assert np.isnan(second).all(0).sum() > 5


def test_a_comparison_with_a_blank_sentence_is_explained_and_keeps_the_picture(app):
    before = weights(app)
    app.selectbox(key="compare").set_value("sentence").run()
    app.text_input(key="other_text").set_value(" ").run()
    assert not app.exception
    assert app.warning[0].value == translate("en")("sentence.blank")
    np.testing.assert_array_equal(weights(app), before)


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
        look(app, **{name: value})


def test_a_control_that_lost_its_value_does_no_harm(app):
    """Seen in the wild: a segmented control sends nothing although one option is always chosen."""
    for name in ("language", "kind", "units"):
        app.session_state[name] = None
        app.run()
        assert not app.exception, name
