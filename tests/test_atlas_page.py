"""The atlas as pages show it: arrays from its file, exemplars from patterns, the film's moments."""

import json

import numpy as np
import pytest

from model.checkpoint import find
from model.film import read_film
from model.probe import HAND
from model.treebank import read
from viz import atlas as atlases
from viz import exemplars
from viz.figures import atlas as figures
from viz.parts.atlas import appeared, filmed, head_name, name_of
from viz.selection import KINDS
from viz.text import translate

say = translate("en")


@pytest.fixture(scope="module")
def atlas(translator) -> dict:
    return json.loads((find(translator.name) / "atlas.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def probes(translator):
    sentences = [sentence for sentence in read(HAND) if sentence.alignment][:6]
    return list(exemplars.probes(translator, sentences))


def test_every_head_has_an_entry_and_every_measure_an_array(translator, atlas):
    config = translator.config
    assert len(atlas["heads"]) == 3 * config.layers * config.heads
    for kind in KINDS:
        for name in atlases.names(atlas):
            found = atlases.values(atlas, name, kind)
            assert found.shape == (config.layers, config.heads)
            entry = atlases.card(atlas, kind, 1, 2)["measures"].get(name, {}).get("value")
            np.testing.assert_equal(found[1, 2], np.nan if entry is None else entry)


def test_a_role_needs_evidence_clear_of_baseline_and_null(atlas):
    named = {(each["kind"], each["layer"], each["head"]): each for each in atlas["heads"]}
    for role in atlas["evidence"]:
        assert role["role"] in named[role["kind"], role["layer"], role["head"]]["roles"]
        if role["measure"].startswith("aer."):
            assert role["high"] < role["baseline"] and role["high"] < role["null_low"]
        else:
            assert role["low"] > (role["baseline"] or 0) and role["low"] > role["null_high"]
    assert atlas["hypotheses"]["tested"] >= atlas["hypotheses"]["held"] == len(atlas["evidence"])


def test_the_nearest_heads_are_of_the_same_kind_and_not_itself(atlas):
    for kind in KINDS:
        near = atlases.alike(atlas, kind, 0, 0)
        distances = [distance for *_, distance in near]
        assert distances == sorted(distances) and all((layer, head) != (0, 0) for layer, head, _ in near)


def test_patterns_of_probes_are_those_of_the_model(translator, probes):
    for probe in probes[:2]:
        trace = translator.trace(probe.sentence.text, probe.target.ids)
        for kind in KINDS:
            layers, heads = trace.attention[kind].shape[:2]
            flat = trace.attention[kind].reshape(layers * heads, *trace.attention[kind].shape[2:])
            np.testing.assert_allclose(probe.attention[kind], flat, atol=1e-3)


def test_a_detector_counts_what_one_would_count_by_hand(translator, probes):
    found = [exemplars.observed(probe, "encoder", translator.config.vocabulary) for probe in probes]
    shares, count = exemplars.detected(found, "offset.-1")
    hits, asked = 0, 0
    for probe in probes:
        weights = probe.attention["encoder"][3].astype(float)
        special = np.array(probe.source.words) < 0
        weights[:, special] = -1
        for row in range(1, len(weights)):
            if special[row - 1]:
                continue
            asked += 1
            hits += weights[row].argmax() == row - 1
    assert count == asked
    np.testing.assert_allclose(shares[3], hits / asked, atol=1e-6)


def test_exemplars_go_from_the_strongest_to_where_it_does_not(translator, probes):
    found = [exemplars.observed(probe, "encoder", translator.config.vocabulary) for probe in probes]
    order = exemplars.ranked(found, "self", 2)
    assert [value for _, value in order] == sorted((value for _, value in order), reverse=True)
    shown = exemplars.deciles(order)
    assert shown[0][1:] == order[0] and shown[-1][1:] == order[-1]
    assert len({number for _, number, _ in shown}) == len(shown)
    assert exemplars.deciles([]) == []


def test_a_painted_diagonal_finds_a_head_that_looks_there():
    attention = np.stack([np.full((4, 4), 0.25), np.eye(4), np.eye(4)[::-1]])
    found = exemplars.painted(attention, np.ones((4, 4), bool), [(1, 1), (2, 2)])
    assert found.argmax() == 1 and found[1] == 1 and found[0] == 0.25
    assert not exemplars.painted(attention, np.zeros((4, 4), bool), [(0, 0)]).any()


def test_aligned_words_are_scored_by_their_sure_links(translator, probes):
    for probe in probes:
        if probe.aligned is None:
            continue
        tally = exemplars.observed(probe, "cross", translator.config.vocabulary)["aligned"]
        linked = {french for _, french in probe.sentence.alignment.sure}
        assert tally.count == len(linked) and (np.asarray(tally.totals) <= tally.count).all()


def test_the_film_ends_with_the_weights_that_ship(translator):
    film = read_film(find(translator.name) / "film.npz")
    found = {kind: filmed(film, kind) for kind in KINDS}
    for kind in KINDS:
        assert found[kind].shape == (len(film["steps"]), translator.config.layers, translator.config.heads)
        assert found[kind].min() >= 0 and found[kind].max() <= 1
    course = np.zeros((5, 1, 1))
    course[:, 0, 0] = [0.1, 0.3, 0.7, 0.6, 1.0]
    assert appeared(course) == (0, 0, 2)


def test_every_measure_and_every_head_has_a_name(monkeypatch, atlas):
    monkeypatch.setattr("viz.parts.atlas.say", say)
    names = [name_of(name) for name in atlases.names(atlas)]
    assert len(set(names)) == len(names)
    assert head_name("cross", 0, 3) == "cross 1.4"


def test_a_block_shows_every_number_and_knows_its_heads():
    values = np.array([[0.25, np.nan], [1.0, -0.5]])
    drawn = figures.block(values, "encoder", 1.0, "t", roles={(0, 0): 2}, chosen=(1, 0))
    picks = {tuple(mark["pick"]): mark["tip"] for mark in drawn.marks if "pick" in mark}
    assert picks[("encoder", 0, 0)].endswith("0.25") and picks[("encoder", 0, 1)].endswith("–")
    json.dumps(drawn.data())
    drawn.svg()
