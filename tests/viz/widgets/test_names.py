"""Every measure and every head has a name that readers can tell from the others."""

import pytest

from model.network.kinds import KINDS
from tests.helpers.named import named_head, nameless_head, words
from viz.state import atlas as atlases
from viz.state import runs
from viz.state.causal import carriers
from viz.text import LANGUAGES, translate
from viz.widgets import names


def test_every_measure_and_every_head_has_a_name(monkeypatch, atlas):
    monkeypatch.setattr(names, "say", translate("en"))
    found = [names.name_of(name) for name in atlases.names(atlas)]
    assert len(set(found)) == len(found)
    assert names.head_name("cross", 0, 3) == "cross 1·4"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_breaks_without_a_head_is_its_name(monkeypatch, atlas, language):
    monkeypatch.setattr(names, "say", translate(language))
    head = named_head(atlas)
    said, plain = words(atlas, head, translate(language)), names.head_name(*head)
    assert names.head_title(*head) == " · ".join([plain, *said])
    assert names.head_label(*head) == f"{plain} · {said[0]}"
    assert names.head_in_a_sentence(*head) == f"{plain}{'' if language == 'ko' else ' '}({' · '.join(said)})"


def test_a_head_without_a_name_is_called_by_its_place(monkeypatch, atlas):
    monkeypatch.setattr(names, "say", translate("en"))
    head = nameless_head(atlas)
    ways = names.head_title, names.head_label, names.head_in_a_sentence
    assert {way(*head) for way in ways} == {names.head_name(*head)}
    assert names.names_on_file([head]) == {}


def test_files_name_heads_in_the_words_of_the_atlas(atlas):
    head = named_head(atlas)
    written = ".".join(map(str, head))
    assert names.names_on_file([head]) == {written: carriers(atlas)[head]}
    everyone = names.names_on_file()
    assert everyone[written] == carriers(atlas)[head] and len(everyone) == len(carriers(atlas))
    assert {name.split(".")[0] for name in everyone} <= set(KINDS)


@pytest.mark.parametrize("known", [None, {"heads": []}, {"causal": {}}])
def test_where_nobody_has_asked_nobody_has_a_name(monkeypatch, known):
    monkeypatch.setattr(runs, "atlas", lambda corpus: known)
    assert names.named_heads() == names.names_on_file() == {}
