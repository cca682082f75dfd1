"""Look beside a second picture: another sentence, another head, an untrained twin or a padded batch."""

import base64
import json

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model import load
from tests.helpers.app import choose, maps, weights, write
from viz.pages.look.comparison import OTHER
from viz.state.session import EXAMPLE
from viz.text import translate, verbatim


def pictures(app: AppTest) -> list[np.ndarray]:
    return [numbers for _, numbers in maps(app)]


def decode(array: dict) -> np.ndarray:
    """An array as Plotly packs it."""
    numbers = np.frombuffer(base64.b64decode(array["bdata"]), array["dtype"])
    shape = array.get("shape", str(len(numbers)))
    return numbers.reshape([int(length) for length in shape.split(",")])


@pytest.mark.parametrize("way", ["sentence", "head", "untrained"])
def test_a_comparison_shows_both_pictures_and_their_difference(app, translator, way):
    choose(app, kind="encoder", layer=0, head=[0])
    if way == "sentence":
        write(app, "The dog sees me.")
    app.selectbox(key="compare").set_value(way).run()
    assert not app.exception
    trace, layers = translator.trace(EXAMPLE), translator.config.layers
    first = trace.attention["encoder"][0, 0]
    if way == "head":
        choose(app, other_layer=layers - 1, other_head=2)
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
