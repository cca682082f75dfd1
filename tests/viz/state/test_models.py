"""Models are chosen by their names; what is shown is always of the model that is named."""

import shutil

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model import Translator, load
from model.inspect.edits_json import to_json
from model.inspect.variants import Head
from tests.helpers.app import PAGES, open_app, speak, translation, weights, write
from tests.helpers.paths import ROOT
from tests.helpers.tiny import SENTENCES, write_checkpoint
from viz.state import models, runs
from viz.text import LANGUAGES, translate

USUAL, TEXT = "en-fr", SENTENCES[0]


def switch(app: AppTest, name: str) -> AppTest:
    """What choosing it in the dialog does; a dialog of its own run is nothing that AppTest has."""
    app.session_state["asked_for"] = name
    app.run()
    assert not app.exception
    return app


def chip(app: AppTest) -> str:
    return app.button(key="about").label.replace("\\", "")


def link(app: AppTest) -> dict[str, str]:
    found = app.query_params
    return {name: value if isinstance(value, str) else value[0] for name, value in found.items()}


def shown(app: AppTest, translator: Translator) -> bool:
    """Whether the map and the translation on screen are those that this model gives."""
    here, trace = app.session_state, translator.trace(app.session_state["shown"])
    expected = trace.attention[here["kind"]][here["layer"], here["head"][0]]
    found = np.nan_to_num(weights(app))
    return (
        translation(app) == trace.translation.text
        and found.shape == expected.shape
        and np.allclose(found, expected, atol=1e-4)
    )


def test_with_one_model_there_is_nothing_to_choose(app):
    assert models.names() == [USUAL]
    assert chip(app) == USUAL
    app.button(key="about").click().run()
    assert not [each for each in app.selectbox if each.key == "model_pick"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_name_of_the_model_opens_a_list_of_all(one, language):
    app = speak(open_app("look"), language)
    assert chip(app) == "en-fr ▾"
    app.button(key="about").click().run()
    chooser = app.selectbox(key="model_pick")
    assert chooser.label == translate(language)("model.choose") and chooser.value == USUAL
    assert [each.split(":")[0] for each in chooser.options] == [USUAL, "one"]
    assert "2 + 2" in chooser.options[1]


def test_a_link_by_name_opens_that_model(one):
    app = open_app("look", model="one", s=TEXT)
    assert chip(app) == "one ▾"
    assert shown(app, one)
    assert link(app.run())["model"] == "one"


def test_switching_there_and_back_shows_the_same_numbers(one, other):
    app = write(open_app("look"), TEXT)
    app.run()  # the first run leaves its link to the browser
    before = weights(app), translation(app), link(app)
    assert shown(app, load(USUAL))
    for name, made in (("one", one), ("other", other), ("one", one)):
        assert shown(switch(app, name), made)
        assert link(app)["model"] == name
    switch(app, USUAL)
    assert "model" not in link(app)
    assert translation(app) == before[1]
    assert weights(open_app(**before[2])).tobytes() == before[0].tobytes()


def test_undo_goes_back_to_the_model_before(one):
    app = switch(write(open_app("look"), TEXT), "one")
    app.button(key="undo").click().run()
    assert not app.exception
    assert chip(app) == "en-fr ▾" and shown(app, load(USUAL))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("asked", ["../one", "rivals/transformer", "{tmp}/one", "broken", "x" * 500])
def test_what_cannot_be_shown_is_one_sentence_and_the_usual_model(one, tmp_path, asked, language):
    shutil.copytree(tmp_path / "one", tmp_path / "broken")
    (tmp_path / "broken" / "weights.safetensors").write_bytes(b"nothing")
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    asked = asked.format(tmp=tmp_path)
    for name, value in {"page": "look", "model": asked, "s": TEXT, "layer": "1", "lang": language}.items():
        app.query_params[name] = value
    app.session_state["language"] = language
    app.run()
    assert not app.exception
    (said,) = [each.value.replace("\\", "") for each in app.info]
    assert said == translate(language)("link.no_model", name=asked[:60], shown=USUAL)
    assert app.text_input(key="sentence").value == TEXT
    assert chip(app) == "en-fr ▾" and shown(app, load(USUAL))


def test_only_whole_transformers_are_offered(one, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "config.txt").write_text("{}")
    shutil.copytree(tmp_path / "one", tmp_path / "partly")
    (tmp_path / "partly" / "SHA256SUMS").unlink()
    shutil.copytree(tmp_path / "one", tmp_path / "odd")
    (tmp_path / "odd" / "config.json").write_text("[" * 100_000)
    shutil.copytree(tmp_path / "one", tmp_path / "late")
    assert models.names() == [USUAL, "late", "one"] or models.names() == [USUAL, "one", "late"]


def test_folders_of_one_name_are_told_apart_and_keep_their_names(tmp_path, monkeypatch):
    places = [tmp_path / "a" / "en-fr", tmp_path / "b" / "en-fr"]
    for seed, place in enumerate(places):
        write_checkpoint(place, seed)
    monkeypatch.setenv(models.OTHERS, f"{places[0]}:{tmp_path / 'b'}:{places[0]}")
    assert models.names() == [USUAL, "en-fr-2", "en-fr-3"]
    assert [models.folder_of(name) for name in models.names()] == [USUAL, *map(str, places)]
    shutil.rmtree(places[0])
    assert models.names() == [USUAL, "en-fr-3"]
    assert models.folder_of("en-fr-3") == str(places[1])


def test_what_lies_in_the_working_directory_is_offered(tmp_path, monkeypatch):
    write_checkpoint(tmp_path / "checkpoints" / "mine")
    monkeypatch.chdir(tmp_path)
    assert models.names() == [USUAL, "mine"]


def test_the_variable_names_the_usual_model(one, tmp_path, monkeypatch):
    monkeypatch.setenv(models.USUAL, str(tmp_path / "one"))
    app = open_app("look", s=TEXT)
    assert models.names() == ["one", USUAL]
    assert chip(app) == "one ▾" and shown(app, one)
    assert shown(switch(app, USUAL), load(USUAL))
    assert link(app)["model"] == USUAL


def test_a_view_that_the_other_model_lacks_becomes_its_usual_one(one):
    off = to_json([Head("encoder", 3, 7).silenced])
    app = open_app("look", layer="3", head="7", row="2", edits=off)
    switch(app, "one")
    assert int(link(app)["layer"]) < 2 and int(link(app)["head"]) < 4
    assert not {"row", "edits"} & {*link(app)}
    assert not app.info and not app.warning


def test_the_opening_ends_where_its_story_is_not_told(one):
    app = open_app("look", opening="5")
    assert app.session_state["opening"] == 5
    assert shown(switch(app, "one"), one)
    assert app.session_state["opening"] == 0


def test_what_was_measured_of_one_model_is_not_shown_of_another(one):
    app = open_app("atlas", chart="map")
    own = {**runs.atlas("hand"), "corpus": "mine"}
    app.session_state["own_atlas"] = own
    app.run()
    assert any("mine" in each.value for each in app.caption)
    switch(app, "one")
    assert translate("en")("atlas.none") in [each.value for each in app.info]
    switch(app, USUAL)
    assert any("mine" in each.value for each in app.caption)


@pytest.mark.slow
def test_every_page_works_on_a_chosen_model(one):
    for page in PAGES:
        app = switch(write(open_app(page), TEXT), "one")
        assert app.title[0].value == translate("en")(f"{page}.title")
        assert chip(speak(app, "ko")) == "one ▾"
        assert link(app)["model"] == "one", page
