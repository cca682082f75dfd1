"""The sentence box: what cannot be translated is explained, and sentences can be had again."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.helpers.app import choose, speak, translation, unfold, weights, write
from viz.state.examples import EXAMPLES
from viz.state.session import EXAMPLE
from viz.text import LANGUAGES, translate, verbatim

REFUSED = {"sentence.blank": ("", "   ", "\t"), "sentence.too_long": ("tree " * 600,)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("key", "text"), [(key, text) for key, texts in REFUSED.items() for text in texts])
def test_what_cannot_be_translated_is_explained_and_nothing_is_lost(app, language, key, text):
    speak(app, language)
    write(app, "Where did you leave your bicycle?")
    before, written = weights(app), translation(app)
    write(app, text)
    (warning,) = app.warning
    begins, _, _ = translate(language)(key, pieces="…", longest="…").partition("…")
    assert warning.value.startswith(begins)
    assert app.text_input(key="sentence").value == text
    assert translation(app) == written
    np.testing.assert_array_equal(weights(app), before)


def test_text_that_is_too_long_is_told_both_numbers(app, translator):
    text = "tree " * 600
    write(app, text)
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
    write(app, "")
    write(app, "The dog that bit me is gone.")
    assert not app.warning
    assert translation(app) == translator.translate("The dog that bit me is gone.").text


def test_an_example_is_one_click_and_undo_brings_the_last_view_back(app, translator):
    opening = app.segmented_control(key="head").value
    app.session_state["several"] = True
    choose(app, kind="encoder", layer=1, head=[0, 2])
    unfold(app, "examples")
    app.button(key="example_rare").click().run()
    assert app.text_input(key="sentence").value == EXAMPLES["rare"]
    assert translation(app) == translator.translate(EXAMPLES["rare"]).text
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
        write(app, text)
    unfold(app, "history")
    assert [app.button(key=f"past_{place}").label for place in range(3)] == [*map(verbatim, texts[::-1])]
    app.button(key="past_2").click().run()
    assert app.text_input(key="sentence").value == texts[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_of_another_script_gets_a_note_and_an_example_to_click(app, language):
    speak(app, language)
    write(app, "나는 학교에 갑니다.")
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
        ("I am so happy 😀🎉", "😀 🎉"),  # most of its tokens are bytes, but none of its letters
        ("🦊🦊🦊", "🦊"),
        ("The woman and her little daughter 👩‍👧 are here with me today.", "👩 👧"),
    ],
)
def test_signs_that_the_vocabulary_lacks_are_named(app, language, text, signs):
    speak(app, language)
    write(app, text)
    (note,) = app.info
    assert note.value == translate(language)("sentence.unknown", signs=signs)
    assert translation(app)
    for plain in ("“Good morning…”", "At 8 Zoe saw 6 cats and 7 dogs."):  # 8, 6, 7 and Z are bytes too
        write(app, plain)
        assert not app.info


@pytest.mark.parametrize("language", LANGUAGES)
def test_capitals_are_read_in_small_letters_and_said_to_be(app, translator, language):
    speak(app, language)
    write(app, "WHERE ARE YOU GOING?")
    (note,) = app.info
    assert note.value == translate(language)("sentence.capitals", read="Where are you going?")
    assert app.text_input(key="sentence").value == "WHERE ARE YOU GOING?"
    assert translation(app) == translator.translate("Where are you going?").text
    write(app, "He lives in the USA.")
    assert not app.info
