"""The beam's panel: for any model, sentence and link it shows the record, and what it says of it is true."""

import json
from functools import partial

import numpy as np
import pytest

from model import checkpoint
from tests.helpers.app import choose, open_app
from tests.helpers.tiny import tiny_tokenizer, tiny_translator
from viz.figures.numbers import scientific, signed
from viz.pages.decoding.numbers.beam import Tree, ranking
from viz.pages.decoding.panels.beam_said import parted
from viz.state import searches
from viz.state.examples import EXAMPLES
from viz.text import LANGUAGES, translate

open_beam = partial(open_app, "decoding", decoding="beam")
CAKE = "The cake that you brought was delicious."


def drawn(app, name: str) -> dict[str, dict]:
    """The marks of a drawing by their names."""
    found = (each.proto for each in app.get("bidi_component"))
    (sheet,) = (each for each in found if f"picture_{name}" in each.id)
    return {mark["name"]: mark for mark in json.loads(sheet.json)["marks"] if "name" in mark}


def texts(app) -> str:
    return " ".join(each.value for each in app.text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_finding_compares_both_records(translator, language):
    for text in (EXAMPLES["she"], CAKE):
        app = open_beam(s=text, lang=language)
        beam, greedy = translator.translate(text, beam=4), translator.translate(text)
        assert beam.text in texts(app) and signed(sum(beam.log_probs)) in texts(app)
        if beam.ids == greedy.ids:
            key, size = "decoding.beam.finding.same", 4
            values = {"written": beam.text, "total": signed(sum(beam.log_probs))}
            assert translate(language)(key, size=size, **values) in texts(app)
        else:
            assert greedy.text in texts(app) and signed(sum(greedy.log_probs)) in texts(app)


def test_a_translation_without_words_is_told_as_its_end(translator):
    best = translator.search("a", size=8).hypotheses[0]
    assert not best.text  # nothing is likelier than any one word
    app = open_beam(s="a", beam="8")
    assert "“⟨end⟩”" in texts(app) and "“”" not in texts(app)


def test_what_stands_before_a_node_is_named_even_where_it_is_no_letter_yet(translator):
    nodes = translator.search("1 2 3", size=8).nodes
    place = next(each for each, node in enumerate(nodes) if node.step == 1)
    app = open_beam(s="1 2 3", beam="8", node=str(place))
    assert "Step 2, after “␣”" in texts(app)


def test_long_translations_are_told_from_where_they_part():
    begun = "Le vieil homme qui vivait dans la petite maison près de la rivière "
    one, other = f"{begun}nous a dit de venir demain.", f"{begun}ne nous a rien dit de tout cela."
    assert parted(one, other) == (
        "… nous a dit de venir demain.",
        "… ne nous a rien dit de tout cela.",
    )
    assert parted("Il dort.", "Elle dort.") == ("Il dort.", "Elle dort.")
    assert parted(one, one[5:]) == (one, one[5:])  # from their first letter on


def test_a_node_is_told_with_its_numbers_and_why_it_was_cut(translator):
    found = translator.search(EXAMPLES["she"], size=4)
    tree = Tree(found.nodes)
    place = tree.pruned(3)[1]
    app = open_beam(s=EXAMPLES["she"], node=str(place))
    cut = tree.cut(place)
    for number in (signed(cut.total, 3), signed(cut.worst, 3), f"{cut.short:.3f}"):
        assert number in texts(app)
    assert drawn(app, "beam_tree")[f"node.{place}"]["on"]


def test_a_probability_next_to_none_is_not_told_as_none(translator):
    nodes = translator.search(EXAMPLES["she"], size=4).nodes
    place = min(range(len(nodes)), key=lambda each: nodes[each].log_prob)
    assert np.exp(nodes[place].log_prob) < 0.0005
    app = open_beam(s=EXAMPLES["she"], node=str(place))
    assert f"p {scientific(np.exp(nodes[place].log_prob))}" in texts(app) and "p 0.000" not in texts(app)


def test_the_attention_is_that_of_the_step_that_considered_the_node(translator):
    found = translator.search(EXAMPLES["she"], size=4)
    tree = Tree(found.nodes)
    for place in (tree.pruned(5)[3], tree.stayed(4)[2], tree.path(tree.follow(found.hypotheses[0].ids))[-1]):
        for link, pick in (
            ({"kind": "cross", "layer": "1", "head": "2"}, lambda cross: cross[1, 2]),
            ({"kind": "cross", "layer": "2", "head": "0,3"}, lambda cross: cross[2, [0, 3]].mean(0)),
            ({"kind": "encoder"}, lambda cross: cross[-1].mean(0)),
        ):
            app = open_beam(s=EXAMPLES["she"], node=str(place), **link)
            own = translator.trace(EXAMPLES["she"], tree.ids(place)).attention["cross"]
            expected = pick(own)[tree.nodes[place].step]
            said = [
                float(mark["tip"].rpartition(": ")[2])
                for name, mark in drawn(app, "beam_attention").items()
                if name.startswith("looks.")
            ]
            np.testing.assert_allclose(said, expected, atol=1e-4)


def test_another_size_and_penalty_are_another_ranking(translator):
    app = open_beam(s=EXAMPLES["long"])
    choose(app, beam=6)
    app.select_slider(key="penalty").set_value(200).run()
    found = translator.search(EXAMPLES["long"], size=6, penalty=2.0)
    rows = drawn(app, "beam_ranking")
    for place, each in enumerate(ranking(found, Tree(found.nodes), 2.0)):
        assert rows[f"score.{place}"]["text"] == signed(each.score, 3)
        assert rows[f"plain_score.{place}"]["text"] == signed(each.plain_score, 3)
        assert rows[f"ranked.{place}"]["tip"] == found.hypotheses[place].text
    assert app.query_params["beam"] == "6" and app.query_params["penalty"] == "200"


@pytest.mark.parametrize("kind", ["repaired", "worse"])
def test_a_sentence_from_the_measured_list_is_one_click_away(kind):
    offered = [each for each in searches.beam_examples() if each["kind"] == kind]
    app = open_beam()
    assert ("beam_" + kind in {button.key for button in app.button}) == bool(offered)
    for each in offered:
        app.button(key=f"beam_{kind}").click().run()
        assert app.session_state["shown"] == each["sentence"] and app.session_state["beam"] == each["size"]
        assert each["written"][str(each["size"])] in texts(app) and each["reference"] in texts(app)


@pytest.fixture
def tiny_app(tmp_path, monkeypatch):
    tiny = tiny_translator(tiny_tokenizer())
    checkpoint.save(tmp_path, tiny.model, tiny.tokenizer)
    checkpoint.seal(tmp_path)
    monkeypatch.setenv("HEADLIGHT_CHECKPOINT", str(tmp_path))
    return open_beam


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_opens_for_any_model_sentence_and_link(tiny_app, language):
    """This one never ends a sentence: every branch runs to the length limit."""
    app = tiny_app(s="the cat " * 60, lang=language, beam="8", node="999999", at="900", penalty="13")
    assert not app.exception
    assert len(drawn(app, "beam_tree")) < 400
    for size in (1, 2):
        choose(app, beam=size)
        assert not app.exception and len(drawn(app, "beam_ranking")) >= size
