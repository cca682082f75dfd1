"""What is chosen on one half is reported on the other, and a role must hold on both."""

import numpy as np

from model.atlas.roles import LEAST, find_roles, measured
from model.atlas.sums import REPORT, Sums, Tally
from tests.helpers.gathered import EACH, HEADS, level, sums_of


def test_the_best_baseline_is_chosen_on_one_half_and_reported_on_the_other():
    found = sums_of(level(0.5, 0.5, 0.5), baselines={"offset 1": (0.6, 0.3), "offset 2": (0.4, 0.9)})
    reported = measured(found, "encoder", "previous", REPORT)
    assert reported.rule == "offset 1"
    np.testing.assert_allclose(reported.baseline, 0.3)


def test_an_offset_is_chosen_on_one_half_and_reported_on_the_other():
    found = Sums()
    for number in range(80):
        before = np.array([1.0, 1 - number % 2, 0]) * EACH  # the second head changes its mind
        found.add(number, {"encoder.offset.-1": Tally(before, EACH, {"chance": 1.0})})
        found.add(number, {"encoder.offset.1": Tally(EACH - before, EACH, {"chance": 1.0})})
    np.testing.assert_allclose(measured(found, "encoder", "offset", REPORT).value, [1, 0, 1])
    twin = sums_of(level(0, 0, 0), "encoder.offset.-1", {"chance": (0.25, 0.25)})
    roles = find_roles(found, twin, ("encoder",)).roles
    assert [(role.number, role.role) for role in roles] == [(0, "positional"), (2, "positional")]


def test_a_role_must_hold_on_both_halves_and_clear_baseline_and_null():
    scores = level(0.8, 0.8, 0.3)
    scores[REPORT::2, 1] = 0.1  # a specialist of the choosing half only
    twin = sums_of(level(0.2, 0.2, 0.2))
    found = find_roles(sums_of(scores), twin, ("encoder",))
    assert [(role.number, role.role) for role in found.roles] == [(0, "previous")]
    assert (found.tested, found.chosen) == (HEADS, 2)
    assert not find_roles(
        sums_of(scores), sums_of(level(0.85, 0.2, 0.2)), ("encoder",)
    ).roles  # the null does it
    hard = sums_of(scores, baselines={"even": (0.9, 0.9)})
    assert not find_roles(hard, twin, ("encoder",)).roles  # a simple rule does it


def test_a_relation_must_be_ten_points_above_its_best_offset():
    name = "encoder.relation.obj.to_head"
    rules = {"offset -1": (0.5, 0.5)}
    found = sums_of(level(0.9, 0.56, 0.4, sentences=400), name, rules)
    twin = sums_of(level(0.1, 0.1, 0.1), name, rules)
    assert [role.number for role in find_roles(found, twin, ("encoder",)).roles] == [0]


def test_few_observations_make_no_role():
    few = (LEAST // EACH) * 2 - 2
    scores, twin = level(0.9, 0.9, 0.9, sentences=few), sums_of(level(0.1, 0.1, 0.1))
    assert find_roles(sums_of(scores), twin, ("encoder",)) == ([], 0, 0)


def test_of_alignment_error_less_is_better():
    found = sums_of(level(0.2, 0.6, 0.9), "cross.aer.predicted", {"diagonal": (0.5, 0.5)})
    twin = sums_of(level(0.8, 0.8, 0.8), "cross.aer.predicted", {"diagonal": (0.5, 0.5)})
    roles = find_roles(found, twin, ("cross",)).roles
    assert [(role.number, role.role) for role in roles] == [(0, "alignment.predicted")]


def test_heads_that_do_nothing_in_particular_get_no_role():
    rng = np.random.default_rng(2)
    trained, twin = (sums_of(rng.random((200, HEADS)) < 0.2) for _ in range(2))
    assert not find_roles(trained, twin, ("encoder",)).roles
