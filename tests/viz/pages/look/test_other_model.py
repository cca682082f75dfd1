"""Two models on one sentence: the second map is the other model's, and what it lacks is said."""

import numpy as np
import pytest

from model import Translator, load
from tests.helpers.app import maps, open_app, translation
from tests.helpers.tiny import SENTENCES, write_checkpoint
from viz.pages.look.comparison import Comparison
from viz.state import models
from viz.state.choices import Limits
from viz.text import LANGUAGES, translate

TEXT = SENTENCES[0]
HERE = {"page": "look", "s": TEXT, "kind": "encoder", "layer": "1", "head": "2"}


@pytest.fixture
def other(tmp_path, monkeypatch) -> Translator:
    monkeypatch.setenv(models.OTHERS, str(tmp_path))
    return write_checkpoint(tmp_path / "other", 1)


@pytest.mark.parametrize("usual", ["en-fr", "other"])
def test_both_maps_are_of_their_own_models(other, usual):
    made = {"en-fr": load("en-fr"), "other": other}
    (second,) = {*made} - {usual}
    app = open_app(**HERE, model=usual, compare=f"model:{second}")
    for (_, found), name in zip(maps(app), (usual, second), strict=False):
        expected = made[name].trace(TEXT).attention["encoder"][1, 2]
        assert np.allclose(found, expected, atol=1e-4), name
    assert translation(app) == made[usual].translate(TEXT).text
    written = translate("en")("compare.written", text=made[second].translate(TEXT).text)
    assert any(each.value.replace("\\", "") == written for each in app.caption)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_head_that_the_other_lacks_is_one_sentence(other, language):
    app = open_app(**HERE | {"layer": "3"}, compare="model:other", lang=language)
    app.segmented_control(key="language").set_value(language).run()
    said = translate(language)("compare.no_head", name="other", layers=2, heads=4)
    assert [each.value for each in app.warning] == [said]
    assert len(maps(app)) == 1


def test_an_unknown_model_is_named_and_another_shown(other):
    app = open_app(**HERE, compare="model:../other")
    said = translate("en")("link.no_model", name="../other", shown="other")
    assert next(each.value.replace("\\", "") for each in app.info) == said
    assert np.allclose(maps(app)[1][1], other.trace(TEXT).attention["encoder"][1, 2], atol=1e-4)


def test_with_one_model_there_is_none_to_compare_with():
    app = open_app(**HERE)
    offered = app.selectbox(key="compare").options
    assert translate("en")("compare.model") not in offered
    app = open_app(**HERE, compare="model:gone")
    assert [each.value for each in app.warning] == [translate("en")("compare.no_model", name="gone")]
    assert len(maps(app)) == 1
    app = open_app(**HERE, compare="model")
    assert [each.value for each in app.warning] == [translate("en")("compare.only_model")]


def test_the_other_model_is_in_the_link():
    way = Comparison("model", other_model="my model-2")
    link = way.to_link(Comparison())
    assert link == {"compare": "model:my model-2"}
    assert Comparison.from_link(link, Comparison(), Limits(4, 8)) == (way, [])
    assert Comparison.from_link({"compare": "model"}, Comparison(), Limits(4, 8)) == (Comparison("model"), [])
