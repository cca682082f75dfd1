"""A comparison opens on something that shows what it is for, chosen by measuring."""

import numpy as np
import pytest

from tests.helpers.app import maps, open_app, write
from viz.pages.look.figures import cosines
from viz.pages.look.same_word import told, vectors
from viz.state.session import EXAMPLE
from viz.text import translate


@pytest.fixture
def compared(app):
    def begin(way: str, sentence: str | None = None):
        if sentence:
            write(app, sentence)
        app.selectbox(key="compare").set_value(way).run()
        assert not app.exception
        return app

    return begin


@pytest.mark.parametrize("sentence", [EXAMPLE, "Hello.", "We watch the birds in the garden."])
def test_a_padded_batch_opens_with_padding_to_see(compared, sentence):
    first, second = (numbers for _, numbers in maps(compared("batch", sentence)))
    empty = [np.isnan(each).all(0).sum() for each in (first, second)]
    assert min(empty) == 0 and max(empty) >= 4


def test_what_somebody_typed_stays_and_a_batch_without_padding_says_so():
    app = open_app(s="The dog sees me.", compare="batch:The cat sees me.")
    say = translate("en")
    assert app.text_input(key="other_text").value == "The cat sees me."
    count = maps(app)[0][1].shape[0]
    assert [each.value for each in app.info] == [say("batch.equal", count=count)]


def test_a_sentence_is_never_compared_with_itself(compared):
    other = "The boy didn't buy the coat because it was too small."
    app = compared("sentence", other)
    assert app.text_input(key="other_text").value not in (other, "")
    assert abs(maps(app)[2][1]).max() > 0.01


def test_the_cosine_opens_on_the_word_whose_vectors_part_most(compared, translator):
    app = compared("sentence")
    traces = [translator.trace(text) for text in (EXAMPLE, app.text_input(key="other_text").value)]
    last = {word: float(cosines(*both)[-1]) for word, both in vectors(*traces).items()}
    assert last[app.selectbox(key="cosine_word").value] == pytest.approx(min(last.values()), abs=1e-6)


def test_where_nothing_parts_one_click_shows_where_something_does(compared, translator):
    app = compared("sentence")
    app.selectbox(key="cosine_word").set_value("was").run()
    app.button(key="cosine_go").click().run()
    other, word = app.text_input(key="other_text").value, app.selectbox(key="cosine_word").value
    alike = cosines(*vectors(translator.trace(EXAMPLE), translator.trace(other))[word])
    assert alike[0] - alike[-1] > 0.05
    said = [each.value.replace("\\", "") for each in app.caption]
    assert any(f"{alike[0]:.2f}" in each and f"{alike[-1]:.2f}" in each for each in said)


def test_a_flat_line_is_not_said_to_fall(monkeypatch):
    say = translate("en")
    monkeypatch.setattr("viz.pages.look.same_word.say", say)
    assert told("so", np.array([1.0, 1.0, 0.99])) == say("cosine.same", word="so", first="1.00", last="0.99")
    numbers = {"first": "1.00", "last": "0.40", "layer": 2, "before": "0.90", "after": "0.50"}
    assert told("it", np.array([1.0, 0.9, 0.5, 0.4])) == say("cosine.apart", word="it", **numbers)


def test_another_head_is_not_the_same_head(compared):
    app = compared("head")
    assert abs(maps(app)[2][1]).max() > 0.1
