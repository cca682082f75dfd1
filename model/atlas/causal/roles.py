"""From sums to names: which heads carry a phenomenon, on both halves of its rows.

A head has the role of a phenomenon if, on the half that chooses and on the half that reports, silencing it
narrows the gap by a fair share, and what happens is clear of three nulls: of the untrained twin's heads, of
the other heads of its layer, and of the other phenomena (a head that hurts everything specialises in
nothing). Putting its mean in its place must do it too: silence alone may break what the head never touched.

Shapes   N heads of one kind · P phenomena
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from model.atlas.causal.gathered import Gathered
from model.atlas.sums import CHOOSE, REPORT, Estimate, Sums
from model.network.kinds import KINDS

LEAST = 12  # decisions in either half: of a phenomenon with fewer, no head is said to carry it
SHARE = 0.15  # of the gap, that silencing takes away
SPECIFIC = 0.5  # 1: hurts nothing else; 0: hurts the other phenomena as much, on average
RULES = {"least": LEAST, "share_of_gap": SHARE, "specificity": SPECIFIC}


class Carried(NamedTuple):
    """What the heads of one kind do for one phenomenon, in one half: arrays (N)."""

    silenced: Estimate
    mean: Estimate
    null: Estimate
    others: np.ndarray  # how much the other heads of the layer change, on average and in size
    specificity: np.ndarray
    gap: float
    n: int


def names_of(found: Gathered) -> list[str]:
    """The phenomena that anything was measured of."""
    return [name for name in dict.fromkeys(each.phenomenon for each in found.decisions) if found.used[name]]


def carried(found: Gathered, name: str, kind: str, half: int) -> Carried:
    silenced = estimate(found.trained, f"silenced/{kind}/{name}", half)
    gap = found.gaps.estimate(name, half)
    return Carried(
        silenced,
        estimate(found.trained, f"mean/{kind}/{name}", half),
        estimate(found.null, f"silenced/{kind}/{name}", half),
        _others(silenced.value, found.translator.config.heads),
        specificity(found, name, kind, half),
        float(gap.value[0]),
        gap.n,
    )


def holds(found: Gathered, name: str, kind: str) -> tuple[np.ndarray, np.ndarray]:  # (N) bool, twice
    """Which heads meet the rules on the choosing half, and which on both."""
    first, second = (_meets(carried(found, name, kind, half)) for half in (CHOOSE, REPORT))
    return first, first & second


def specificity(found: Gathered, name: str, kind: str, half: int) -> np.ndarray:  # (N)
    """How much less the other phenomena lose of their gaps, on average: 1 - others / this one."""
    here = _loss(found, name, kind, half)
    others = [_loss(found, other, kind, half) for other in names_of(found) if other != name]
    others += found.before.get(kind, ())
    if not others:
        return np.where(here > 0, 1.0, np.nan)
    average = np.nan_to_num(np.stack(others)).clip(min=0).mean(0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(here > 0, 1 - average / here, np.nan)


def estimate(sums: Sums, key: str, half: int) -> Estimate:
    """What was measured under this key, mostly "way/kind/phenomenon"; NaN where nothing was."""
    if key in sums.tables:
        return sums.estimate(key, half)
    alike = (heads for name, heads in sums.heads.items() if name.split("/")[1:2] == key.split("/")[1:2])
    nothing = np.full(next(alike, 1), np.nan)  # as many heads as this kind has elsewhere
    return Estimate(nothing, nothing, nothing, 0, {})


def find_roles(found: Gathered) -> tuple[dict[tuple[str, str], np.ndarray], dict[str, int]]:
    """By phenomenon and kind which heads carry it, and how many hypotheses that took."""
    roles, tested, chosen = {}, 0, 0
    for name in names_of(found):
        for kind in KINDS:
            first, both = holds(found, name, kind)
            roles[name, kind] = both
            enough = found.gaps.estimate(name, CHOOSE).n >= LEAST
            tested += len(first) * enough
            chosen += int(first.sum())
    held = int(sum(both.sum() for both in roles.values()))
    return roles, {"tested": tested, "chosen": chosen, "held": held}


def _meets(here: Carried) -> np.ndarray:  # (N) bool
    # Comparisons with what was not measured are False.
    enough = here.n >= LEAST
    return (
        np.full(len(here.others), enough)
        & (here.silenced.high < 0)
        & (-here.silenced.value >= SHARE * here.gap)
        & (here.silenced.high < here.null.low)
        & (-here.silenced.high > here.others)
        & (here.mean.high < 0)
        & (here.specificity >= SPECIFIC)
    )


def _loss(found: Gathered, name: str, kind: str, half: int) -> np.ndarray:  # (N)
    """The share of the gap that goes with each head."""
    gap = found.gaps.estimate(name, half).value[0]
    return -estimate(found.trained, f"silenced/{kind}/{name}", half).value / gap


def _others(value: np.ndarray, heads: int) -> np.ndarray:  # (N) -> (N)
    """For each head the average size of what the other heads of its layer do."""
    size = np.abs(value).reshape(-1, heads)
    if heads == 1:
        return np.zeros(len(value))
    return ((size.sum(1, keepdims=True) - size) / (heads - 1)).ravel()


def strongest(found: Gathered, name: str, half: int, most: int) -> Sequence[int]:
    """The heads (among all kinds, in the order of `all_heads`) whose silence takes most of the gap."""
    values = np.concatenate(
        [estimate(found.trained, f"silenced/{kind}/{name}", half).value for kind in KINDS]
    )
    return [int(head) for head in np.argsort(values, kind="stable")[:most] if np.isfinite(values[head])]
