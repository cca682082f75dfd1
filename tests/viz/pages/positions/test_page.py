"""Positions: every panel opens whatever the model, the sentence and the link, and can be taken home."""

import pytest
from streamlit.testing.v1 import AppTest

from model import checkpoint
from tests.helpers.app import open_app
from tests.helpers.tiny import tiny_tokenizer, tiny_translator
from viz.figures.labels import readable
from viz.pages.positions import Positions, numbers
from viz.state.session import EXAMPLE
from viz.text import translate

TEXT = "The cat follows a dog in the garden."
say = translate("en")


def drawn(app: AppTest) -> list:
    return [view for view in app.get("bidi_component") if "keys" not in view.proto.component_name]


@pytest.mark.parametrize("positions", ["learned", "rotary", "none", "window"])
def test_every_panel_opens_for_every_kind_of_model(monkeypatch, tmp_path, positions):
    changes = {"window": 2} if positions == "window" else {"positions": positions}
    translator = tiny_translator(tiny_tokenizer(), **changes)
    checkpoint.save(tmp_path, translator.model, translator.tokenizer)
    monkeypatch.setenv("HEADLIGHT_CHECKPOINT", str(tmp_path))
    for panel in Positions.options("positions"):
        app = open_app("positions", s=TEXT, positions=panel, kind="encoder", lang="en")
        told = [info.value for info in app.info]
        if panel == "terms" and positions in ("rotary", "none"):
            assert told == [say("positions.terms.none", kind=say(f"positions.kind.{positions}"))]
        elif panel == "shuffle" and positions == "none":
            assert told == [say("positions.shuffle.none")]
        else:
            assert not told and drawn(app)


@pytest.mark.parametrize("panel", Positions.options("positions"))
def test_short_and_long_sentences_get_a_picture_or_one_sentence(panel):
    for text in ("Hi", "Hi.", "tree " * 150):
        app = open_app("positions", s=text, positions=panel, kind="encoder", lang="en")
        told = [info.value for info in app.info]
        if told:
            assert panel in ("terms", "shuffle") and len(told) == 1
        else:
            assert drawn(app)
        if text.startswith("tree") and panel in ("terms", "shuffle"):
            assert told == [say("positions.long", longest=128)]


@pytest.mark.parametrize("panel", ["table", "waves", "shift", "kinds"])
def test_a_link_that_asks_for_more_than_the_table_has_is_brought_inside(panel):
    link = {"places": "16", "wave_width": "8", "first": "999", "second": "40", "waves": "9,200"}
    state = open_app("positions", positions=panel, lang="en", **link).session_state
    assert (state["first"], state["second"], list(state["waves"])) == (15, 15, [0])
    largest = {"places": "1024", "wave_width": "512", "first": "1000"}
    open_app("positions", positions=panel, lang="en", **largest)


@pytest.mark.parametrize("panel", Positions.options("positions"))
def test_every_panel_can_be_taken_home(panel, translator):
    app = open_app("positions", s=TEXT, positions=panel, kind="encoder", lang="en")
    app.button(key="export").click().run()
    assert not app.exception
    assert app.get("download_button")


@pytest.mark.parametrize("sentence", [EXAMPLE, "We watch the birds in the garden."])
def test_scores_open_on_a_word_and_say_which_part_is_largest(translator, sentence):
    app = open_app("positions", positions="terms", s=sentence)
    words = [
        readable(piece, say) for piece in translator.trace(sentence).source.pieces if piece[-1].isalpha()
    ]
    assert app.text[0].value in [say("positions.terms.row", word=word) for word in words]
    head = app.session_state["head"][0]
    sizes = numbers.terms(translator.trace(sentence), "encoder", head).sizes
    share = f"{sizes.max() / sizes.sum():.0%}"
    part = say(f"positions.terms.{numbers.TERMS[int(sizes.argmax())]}")
    assert app.text[1].value == say("positions.terms.largest", part=part, share=share)


@pytest.mark.parametrize("reading", ["predicted", "read"])
def test_a_decoder_row_is_named_by_the_word_that_was_read(translator, reading):
    app = open_app("positions", positions="terms", kind="decoder", row="2", reading=reading)
    target = translator.trace(EXAMPLE).target
    read, predicted = (readable(pieces[2], say) for pieces in (target.read, target.predicted))
    assert app.text[0].value == say("positions.terms.row", word=f"{read} → {predicted}")
