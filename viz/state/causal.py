"""What breaks without each head, as an atlas tells it: who carries what, and all effects of one head."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

Where = tuple[str, int, int]  # kind, layer, head
WAYS = ("silenced", "mean", "uniform", "exchanged")


class Effect(NamedTuple):
    """What a head's silence changes of one phenomenon, in nats; below 0 it breaks something."""

    phenomenon: str
    gap: float
    value: float
    low: float
    high: float
    n: int
    null: float | None  # what the same head of the untrained twin changes
    others: float | None  # the size of what the other heads of its layer change, on average
    role: bool

    @property
    def share(self) -> float:
        """Of the gap, how much is lost."""
        return -self.value / self.gap


def phenomena(atlas: Mapping | None) -> Mapping[str, Mapping]:
    """All that was asked; empty where nobody has asked anything."""
    told = (atlas or {}).get("causal") or {}
    return {name: each for name, each in told.items() if each["heads"]}


def carriers(atlas: Mapping | None) -> dict[Where, list[str]]:
    """By head the phenomena that it carries, the one that loses most of its gap first."""
    found: dict[Where, list[tuple[float, str]]] = {}
    for name, told in phenomena(atlas).items():
        for entry in told["heads"]:
            if entry["role"]:
                lost = entry["silenced"]["value"] / told["gap"]
                found.setdefault(where(entry), []).append((lost, name))
    return {head: [name for _, name in sorted(names)] for head, names in found.items()}


def entry_of(told: Mapping, head: Where) -> Mapping:
    """What one phenomenon says of one head."""
    return next(entry for entry in told["heads"] if where(entry) == head)


def where(entry: Mapping) -> Where:
    return entry["kind"], entry["layer"], entry["head"]


def effects(atlas: Mapping | None, head: Where) -> list[Effect]:
    """What the silence of one head does to every phenomenon, in the order of families."""
    found = (effect(name, told, entry_of(told, head)) for name, told in ordered(atlas).items())
    return [each for each in found if each]


def effects_of(atlas: Mapping | None, phenomenon: str) -> list[tuple[Where, Effect]]:
    """What the silence of each head does to one phenomenon, the most first."""
    told = phenomena(atlas)[phenomenon]
    found = [(where(entry), effect(phenomenon, told, entry)) for entry in told["heads"]]
    known = [(head, each) for head, each in found if each]
    return sorted(known, key=lambda each: each[1].value)


def effect(phenomenon: str, told: Mapping, entry: Mapping) -> Effect | None:
    if (value := entry["silenced"]) is None:
        return None
    null = entry["null"] and entry["null"]["value"]
    change = value["value"], value["low"], value["high"], value["n"]
    return Effect(phenomenon, told["gap"], *change, null, entry["others"], entry["role"])


def ordered(atlas: Mapping | None) -> dict[str, Mapping]:
    """Phenomena by family, then by name."""
    told = phenomena(atlas)
    return dict(sorted(told.items(), key=lambda each: (each[1]["family"], each[0])))


def families(atlas: Mapping | None) -> list[str]:
    """Every family that was asked about, in a fixed order: each keeps its colour."""
    return sorted({told["family"] for told in phenomena(atlas).values()})


def losses(atlas: Mapping | None) -> tuple[list[Where], list[str], np.ndarray]:
    """Heads, phenomena, and the share of the gap that goes with each head: (heads, phenomena)."""
    told = ordered(atlas)
    if not told:
        return [], [], np.zeros((0, 0))
    heads = [where(entry) for entry in next(iter(told.values()))["heads"]]
    table = np.full((len(heads), len(told)), np.nan)
    for column, each in enumerate(told.values()):
        for row, entry in enumerate(each["heads"]):
            if entry["silenced"] is not None:
                table[row, column] = -entry["silenced"]["value"] / each["gap"]
    return heads, list(told), table


def shape(atlas: Mapping | None) -> tuple[int, int]:
    """Layers, and heads a layer."""
    heads = [where(entry) for told in phenomena(atlas).values() for entry in told["heads"]]
    return 1 + max(layer for _, layer, _ in heads), 1 + max(head for *_, head in heads)
