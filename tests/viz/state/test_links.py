"""A link shows the view that it was copied from, and nonsense in it is named."""

import numpy as np

from tests.helpers.app import open_app, translation, weights
from viz.text import translate


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
