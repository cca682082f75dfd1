"""From sums to statements: every measure beside its baseline and its null, and the roles that hold.

Whatever is chosen (a head's offset, the best baseline, which heads are candidates for a role) is chosen on
one half of the corpus; every number that is reported comes from the other. A role needs a rule met and an
interval clear of the baseline and of the untrained twin's interval, on both halves. A head may have several,
or none.

Shapes   N heads of one kind
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from model.atlas.measures import OFFSETS
from model.atlas.sums import CHOOSE, REPORT, Estimate, Sums

# Observations in either half: a relation with fewer is not listed, and nothing with fewer is a role.
LEAST = 30
LOWER = ("aer.",)  # measures where less is better


class Rule(NamedTuple):
    """What a role asks of a measure, besides exceeding its baseline and its null."""

    role: str
    least: float = -np.inf  # the value itself
    margin: float = 0.0  # its distance from the baseline


RULES = {  # by measure
    "offset": Rule("positional", least=0.9),  # Voita et al. 2019: one offset in 90 % of the tokens
    **{name: Rule(name, least=0.5) for name in ("previous", "next", "self", "first", "last")},
    **{name: Rule(name, least=0.5) for name in ("punctuation", "special", "rarest", "same")},
    "antecedent": Rule("antecedent", margin=0.1),
    "aer.read": Rule("alignment.read", margin=0.1),
    "aer.predicted": Rule("alignment.predicted", margin=0.1),
}
RELATION_MARGIN = 0.1  # Voita et al. 2019: ten points above the best fixed offset


class Measured(NamedTuple):
    """One measure of all heads of a kind, in one half of the corpus: arrays (N)."""

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray
    n: np.ndarray
    baseline: np.ndarray  # NaN where there is none
    rule: str | None  # which baseline it is


def rule_of(measure: str) -> Rule | None:
    if measure.startswith("relation."):
        return Rule(measure, margin=RELATION_MARGIN)
    return RULES.get(measure)


def measures_of(sums: Sums, kind: str) -> list[str]:
    """The measures of one kind that have been observed, the eleven offsets as one."""
    names = [name.removeprefix(f"{kind}.") for name in sums.tables if name.startswith(f"{kind}.")]
    return list(dict.fromkeys("offset" if name.startswith("offset.") else name for name in names))


def offsets_of(sums: Sums, kind: str) -> np.ndarray:  # (N)
    """For each head the offset it points at most often, among those that most rows have."""
    found = {
        offset: sums.estimate(f"{kind}.offset.{offset}", CHOOSE)
        for offset in OFFSETS
        if f"{kind}.offset.{offset}" in sums.tables
    }
    most = max(estimate.n for estimate in found.values())
    shares = [
        estimate.value if 2 * estimate.n >= most > 0 else np.full(len(estimate.value), -1.0)
        for estimate in found.values()
    ]
    return np.array(list(found))[np.argmax(shares, 0)]


def measured(sums: Sums, kind: str, measure: str, half: int) -> Measured:
    """The measure in this half; what has to be chosen for it is chosen on the choosing half."""
    if measure == "offset":
        return _at_offsets(sums, kind, offsets_of(sums, kind), half)
    name = f"{kind}.{measure}"
    here = sums.estimate(name, half)
    rule = _best_rule(sums.estimate(name, CHOOSE), measure)
    baseline = here.baselines[rule] if rule else np.nan
    heads = len(here.value)
    return Measured(*here[:3], np.full(heads, here.n), np.full(heads, baseline), rule)


def best_head(sums: Sums, kind: str, measure: str) -> int:
    """The head that does this best on the choosing half, so that its score on the other half is not luck."""
    value = measured(sums, kind, measure, CHOOSE).value * (-1 if measure.startswith(LOWER) else 1)
    return int(np.nan_to_num(value, nan=-np.inf).argmax())


class Role(NamedTuple):
    """A role and its evidence, from the reporting half except for `chosen`."""

    kind: str
    number: int  # of the head among its kind
    role: str
    measure: str
    chosen: float  # the value on the choosing half
    value: float
    low: float
    high: float
    n: int
    baseline: float
    null: float
    null_low: float
    null_high: float


class Found(NamedTuple):
    roles: list[Role]
    tested: int  # pairs of a head and a rule with enough observations
    chosen: int  # of these, how many met their rule on the choosing half


def find_roles(trained: Sums, twin: Sums, kinds: tuple[str, ...]) -> Found:
    """Every role that holds on both halves."""
    roles, tested, chosen = [], 0, 0
    for kind in kinds:
        for measure in measures_of(trained, kind):
            if (rule := rule_of(measure)) is None or f"{kind}.{measure}" not in _known(twin, kind):
                continue
            first, second = (
                (measured(trained, kind, measure, half), measured(twin, kind, measure, half))
                for half in (CHOOSE, REPORT)
            )
            candidates = holds(rule, measure, *first)
            tested += int((first[0].n >= LEAST).sum())
            chosen += int(candidates.sum())
            for number in np.flatnonzero(candidates & holds(rule, measure, *second)):
                roles.append(_role(kind, int(number), rule, measure, first[0], *second))
    return Found(roles, tested, chosen)


def holds(rule: Rule, measure: str, found: Measured, null: Measured) -> np.ndarray:  # (N) bool
    """Which heads meet the rule with an interval clear of the baseline and of the null's interval."""
    sign = -1 if measure.startswith(LOWER) else 1
    worst, null_best = (found.low, null.high) if sign > 0 else (-found.high, -null.low)
    value, baseline = sign * found.value, sign * found.baseline
    return (
        (found.n >= LEAST)
        & (value >= sign * rule.least if np.isfinite(rule.least) else True)
        & (value >= baseline + rule.margin)
        & (worst > baseline)
        & (worst > null_best)
    )


def listed(sums: Sums, kind: str) -> Iterator[str]:
    """The measures that a file reports: of syntax, only what was observed often enough."""
    for measure in measures_of(sums, kind):
        enough = LEAST if measure.startswith("relation.") else 1
        if measured(sums, kind, measure, REPORT).n.max() >= enough:
            yield measure


def _known(sums: Sums, kind: str) -> set[str]:
    return {f"{kind}.{measure}" for measure in measures_of(sums, kind)}


def _role(
    kind: str, number: int, rule: Rule, measure: str, first: Measured, found: Measured, null: Measured
) -> Role:
    return Role(
        kind, number, rule.role, measure, first.value[number], found.value[number], found.low[number],
        found.high[number], int(found.n[number]), found.baseline[number],
        null.value[number], null.low[number], null.high[number],
    )  # fmt: skip


def _best_rule(estimate: Estimate, measure: str) -> str | None:
    if not estimate.baselines:
        return None
    best = min if measure.startswith(LOWER) else max
    return best(estimate.baselines, key=lambda rule: np.nan_to_num(estimate.baselines[rule]))


def _at_offsets(sums: Sums, kind: str, offsets: np.ndarray, half: int) -> Measured:
    columns = []
    for number, offset in enumerate(offsets):
        here = sums.estimate(f"{kind}.offset.{offset}", half)
        columns.append([*(part[number] for part in here[:3]), here.n, here.baselines["chance"]])
    value, low, high, n, baseline = np.array(columns).T
    return Measured(value, low, high, n.astype(int), baseline, "chance")
