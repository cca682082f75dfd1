"""Layers: every panel opens for any model and any sentence, or says in one sentence why not."""

from functools import partial

import pytest

from model import checkpoint
from model.inspect.gradients import gradient_norms
from model.inspect.sublayers import PARTS
from tests.helpers.app import choose, open_app
from viz.figures.labels import readable
from viz.figures.numbers import fraction
from viz.pages.layers import Layers
from viz.pages.layers.panels.depth import carried
from viz.state.session import EXAMPLE
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_residual_connections_carry_is_said_beside_the_top(translator, language):
    """At the embedding alone, a run without layer norm looked best of all: beside the top, none does."""
    app = open_app("layers", layers="gradients", kind="decoder", row="3", lang=language)
    trace, say = translator.trace(EXAMPLE), translate(language)
    found = gradient_norms(translator.model, trace.source.ids, trace.target.predicted_ids)
    last = f"decoder.layers.{translator.config.layers - 1}.after_feed_forward"
    left = {way: lengths["decoder.embedding.sum"][3] / lengths[last][3] for way, lengths in found.items()}
    assert left["no_residual"] < left["trained"] / 2 < 0.5
    said = app.text[0].value
    assert say("gradients.left.less", fraction=fraction(left["trained"])) in said
    assert carried(left, say) in said


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        ({"trained": 0.1, "no_residual": 1e-5}, "without them about 1/10,000 of what arrives would"),
        ({"trained": 0.1, "no_residual": 7e-22}, "without them none of it would arrive"),
        ({"trained": 0.1, "no_residual": 0.08}, None),  # these numbers do not show it
        ({"trained": float("nan"), "no_residual": float("nan")}, None),
    ],
)
def test_what_residual_connections_carry_is_worded_from_the_numbers(left, expected):
    said = carried(left, translate("en"))
    assert expected in said if expected else said == ""


@pytest.mark.parametrize("reading", ["predicted", "read"])
def test_a_decoder_vector_is_named_by_the_word_that_was_read(translator, reading):
    app, target = (
        open_app("layers", kind="decoder", row="2", reading=reading),
        translator.trace(EXAMPLE).target,
    )
    read, predicted = (readable(pieces[2], translate("en")) for pieces in (target.read, target.predicted))
    assert app.text[0].value.startswith(f"“{read} → {predicted}”")
