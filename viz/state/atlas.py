"""An atlas as arrays: every measure of every head, which heads have which role, what is alike.

Shapes   L layers · H heads a layer
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

FIRST = (  # the order in which measures are offered; relations follow
    "previous", "next", "self", "offset", "first", "last", "punctuation", "special", "distance", "entropy",
    "confidence", "rarest", "same", "antecedent", "aer.predicted", "aer.read", "aer.predicted.norm",
    "aer.read.norm", "silenced", "gradient", "writes",
)  # fmt: skip
OPEN_SCALE = ("distance", "silenced", "gradient", "writes")  # they end at the largest value, not at 1


class Measure(NamedTuple):
    """One number about one head, beside what chance and an untrained head give."""

    value: float
    n: int
    low: float | None
    high: float | None
    baseline: float | None
    null: float | None


def names(atlas: Mapping) -> list[str]:
    """Every measure that any head has, in the order in which they are offered."""
    found = {name for head in atlas["heads"] for name in head["measures"]}
    rest = sorted(found - set(FIRST))
    return [name for name in FIRST if name in found] + rest


def values(atlas: Mapping, name: str, kind: str) -> np.ndarray:  # (L, H)
    """A measure over all heads of a kind; NaN where it does not exist."""
    heads = [head for head in atlas["heads"] if head["kind"] == kind]
    shape = 1 + max(head["layer"] for head in heads), 1 + max(head["head"] for head in heads)
    found = np.full(shape, np.nan)
    for head in heads:
        value = head["measures"].get(name, {}).get("value")
        found[head["layer"], head["head"]] = np.nan if value is None else value
    return found


def card(atlas: Mapping, kind: str, layer: int, head: int) -> Mapping:
    """The entry of one head."""
    return next(
        each for each in atlas["heads"] if (each["kind"], each["layer"], each["head"]) == (kind, layer, head)
    )


def measures(entry: Mapping) -> dict[str, Measure]:
    found = {
        name: Measure(**{field: each.get(field) for field in Measure._fields})
        for name, each in entry["measures"].items()
    }
    return {name: found[name] for name in sorted(found, key=_place) if found[name].value is not None}


def roles(atlas: Mapping) -> list[str]:
    """Every role that any head has."""
    return sorted({role for head in atlas["heads"] for role in head["roles"]})


def untested(atlas: Mapping) -> str:
    """What this corpus could not ask: "all", if it is too short; else what its annotation lacks; else ""."""
    counted = atlas["sentences"]
    if not atlas["hypotheses"]["tested"]:
        return "all"
    if not counted["annotated"]:
        return "grammar" if counted["aligned"] else "plain"
    return "" if counted["aligned"] else "alignment"


def aligner(atlas: Mapping) -> tuple[int, int] | None:
    """Layer and number of the head that looks at the very word it is about to translate: the surest one."""
    found = [head for head in atlas["heads"] if "alignment.predicted" in head["roles"]]
    best = min(found, key=lambda head: head["measures"]["aer.predicted"]["value"], default=None)
    return best and (best["layer"], best["head"])


def evidence(atlas: Mapping, kind: str, layer: int, head: int) -> list[Mapping]:
    """The numbers behind each role of one head."""
    return [
        each
        for each in atlas["evidence"]
        if (each["kind"], each["layer"], each["head"]) == (kind, layer, head)
    ]


def alike(atlas: Mapping, kind: str, layer: int, head: int, most: int = 3) -> list[tuple[int, int, float]]:
    """The heads of the same kind that look most alike: (layer, head, distance)."""
    similar = atlas["similar"][kind]
    place = similar["heads"].index([layer, head])
    row = np.array(similar["distance"][place], float)
    nearest = [int(n) for n in np.argsort(row, kind="stable") if n != place][:most]
    return [(*similar["heads"][n], float(row[n])) for n in nearest]


def most_of(name: str, found: Sequence[np.ndarray]) -> float:
    """Where the scale of a measure ends: 1 for shares, else the largest."""
    largest = max((float(np.nanmax(abs(each))) for each in found if np.isfinite(each).any()), default=1.0)
    return max(largest, 1e-9) if name in OPEN_SCALE else 1.0


def _place(name: str) -> tuple[int, str]:
    return (FIRST.index(name) if name in FIRST else len(FIRST), name)
