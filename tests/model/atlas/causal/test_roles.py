"""What is found where the answer is known: one head carries it, two share it, none does."""

import numpy as np
import pytest

from model import load
from model.atlas.causal import ablations, roles, sweep
from model.atlas.causal.backups import find_backups
from model.atlas.causal.decisions import decisions
from model.atlas.causal.gathered import gather
from model.atlas.sums import CHOOSE, REPORT
from model.inspect.variants import Head
from model.network.kinds import KINDS
from model.probe.contrasts import shipped
from model.processes import Processes
from tests.helpers.carrier import LAYER, carrier, decisions_of

ALONE = Processes()
CARRIER = Head("cross", LAYER, 2)


def gathered(translator, found):
    return gather(translator, found, ALONE, lambda done: None)


def having(found):
    """Every head with a role, by phenomenon."""
    held, _ = roles.find_roles(found)
    per_layer = found.translator.config.heads
    return {
        (name, Head(kind, *map(int, divmod(place, per_layer))))
        for (name, kind), fine in held.items()
        for place in np.flatnonzero(fine)
    }


@pytest.fixture(scope="module")
def one():
    translator = carrier((CARRIER.head,))
    return gathered(translator, decisions_of(translator))


def test_the_head_that_alone_carries_the_answer_gets_the_role_and_no_other(one):
    assert one.used["order"] == len(one.decisions) == 80
    assert having(one) == {("order", CARRIER)}


@pytest.mark.parametrize("way", ablations.WAYS)
@pytest.mark.parametrize("half", [CHOOSE, REPORT])
def test_every_way_to_take_a_head_away_tells_the_same(one, way, half):
    gap = one.gaps.estimate("order", half).value[0]
    for kind in KINDS:
        told = roles.estimate(one.trained, f"{way}/{kind}/order", half)
        for place, value in enumerate(told.value):
            head = Head(kind, *divmod(place, one.translator.config.heads))
            if head == CARRIER:
                assert value < -0.5 * gap
                assert told.high[place] < 0
            else:
                assert abs(value) < 1e-4


def test_a_sublayer_is_skipped_as_a_head_is(one):
    told = one.sublayers.estimate("order", REPORT)
    found = dict(zip(ablations.sublayer_paths(one.translator.config), told.value, strict=True))
    worst = min(found, key=found.__getitem__)
    assert worst == f"decoder.layers.{LAYER}.cross_attention"


def test_a_head_that_hurts_everything_specialises_in_nothing():
    translator = carrier((CARRIER.head,))
    found = [each for seed, name in enumerate("abc") for each in decisions_of(translator, 20, name, seed)]
    everything = gathered(translator, found)
    place = LAYER * translator.config.heads + CARRIER.head
    for name in "abc":
        told = roles.carried(everything, name, "cross", REPORT)
        assert told.silenced.high[place] < 0
        assert told.specificity[place] < roles.SPECIFIC
    assert having(everything) == set()


def test_too_few_rows_name_no_head():
    translator = carrier((CARRIER.head,))
    assert having(gathered(translator, decisions_of(translator, 6))) == set()


def test_two_copies_of_a_head_are_found_as_backups():
    translator = carrier((1, 3))
    found = gathered(translator, decisions_of(translator))
    (pair,) = find_backups(found, ALONE)["order"]
    assert set(pair.heads) == {Head("cross", LAYER, 1), Head("cross", LAYER, 3)}
    assert pair.high < 0
    assert pair.together < 2 * sum(pair.alone) < 0


def test_a_head_that_nothing_replaces_has_no_backup(one):
    assert find_backups(one, ALONE) == {"order": []}


def test_exchanging_partners_is_symmetric(one):
    """A pair says the same whichever of the two is the row."""
    here, there = (gathered(one.translator, one.decisions[first::2]) for first in (0, 1))
    for half in (CHOOSE, REPORT):
        told = [roles.estimate(each.trained, "exchanged/cross/order", half) for each in (here, there)]
        np.testing.assert_allclose(told[0].value, told[1].value, atol=1e-4)
        assert told[0].n == told[1].n > 5


def test_neither_the_order_of_rows_nor_the_batch_changes_anything(one, monkeypatch):
    monkeypatch.setattr(sweep, "SEQUENCES", 37)
    monkeypatch.setattr(sweep, "ROWS", 5)
    monkeypatch.setattr(sweep.in_batches, "__defaults__", (5,))
    order = np.random.default_rng(0).permutation(len(one.decisions))
    other = gathered(one.translator, [one.decisions[row] for row in order])
    np.testing.assert_allclose(other.change, one.change[order], atol=1e-4)
    assert set(other.trained.tables) == set(one.trained.tables)
    for name, table in one.trained.tables.items():
        np.testing.assert_allclose(other.trained.tables[name], table, atol=1e-3, err_msg=name)
    assert having(other) == having(one)


@pytest.mark.slow
def test_in_the_untrained_twin_no_head_carries_anything():
    twin = load("en-fr", untrained=True)
    some = [each for each in shipped("en", "fr") if each.name in ("negation", "article_gender", "name_copy")]
    found = gathered(twin, list(decisions(twin, some)))
    assert having(found) == set()
    assert sum(found.used.values()) > 60  # by chance it is right about half of the time
