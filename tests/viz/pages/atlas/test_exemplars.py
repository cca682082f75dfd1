"""Sentences that show what a head does: found in the model's own patterns, from the strongest down."""

import numpy as np
import pytest

from model.network.kinds import KINDS
from model.probe import HAND
from model.text.treebank import read
from viz.pages.atlas.numbers import exemplars


@pytest.fixture(scope="module")
def probes(translator):
    sentences = [sentence for sentence in read(HAND) if sentence.alignment][:6]
    return list(exemplars.probes(translator, sentences))


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
    shown = exemplars.quartiles(order)
    assert shown[0][1:] == order[0] and shown[-1][1:] == order[-1]
    assert len({number for _, number, _ in shown}) == len(shown)
    assert exemplars.quartiles([]) == []


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


def test_a_detector_begins_with_the_rule_that_is_obeyed_most(translator, probes):
    found = {
        kind: [exemplars.observed(probe, kind, translator.config.vocabulary) for probe in probes]
        for kind in exemplars.KINDS
    }
    every = sorted({rule for each in found.values() for rule in exemplars.rules(each)})
    offsets = [rule for rule in every if rule.startswith("offset.")]
    best = exemplars.best_obeyed(found, offsets)
    most = {
        rule: max(
            exemplars.detected(each, rule)[0].max()
            for each in found.values()
            if rule in exemplars.rules(each)
        )
        for rule in offsets
    }
    assert best != "offset.0"
    assert most[best] == max(share for rule, share in most.items() if rule != "offset.0")
