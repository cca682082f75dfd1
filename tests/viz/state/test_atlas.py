"""The atlas that ships, as pages read it: a number a head, roles with evidence, and the nearest heads."""

import numpy as np

from model.network.kinds import KINDS
from viz.state import atlas as atlases


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


def test_the_aligner_is_the_best_of_those_whose_role_held():
    def head(number: int, error: float, *roles: str) -> dict:
        measures = {"aer.predicted": {"value": error}}
        return {"kind": "cross", "layer": 1, "head": number, "measures": measures, "roles": roles}

    heads = [head(0, 0.1), head(1, 0.3, "alignment.predicted"), head(2, 0.2, "same", "alignment.predicted")]
    assert atlases.aligner({"heads": heads}) == (1, 2)
    assert atlases.aligner({"heads": heads[:1]}) is None


def test_the_nearest_heads_are_of_the_same_kind_and_not_itself(atlas):
    for kind in KINDS:
        near = atlases.alike(atlas, kind, 0, 0)
        distances = [distance for *_, distance in near]
        assert distances == sorted(distances) and all((layer, head) != (0, 0) for layer, head, _ in near)
