"""Heads that stand in for each other: together they take more from a choice than one by one.

A head that others can replace seems to do nothing when it is silenced alone. So the heads that matter most
are silenced together with every other head; pairs are found on one half of the rows and held on the other.
"""

import json
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from model.atlas.causal.gathered import Gathered
from model.atlas.causal.roles import names_of, strongest
from model.atlas.causal.sweep import choices, in_batches
from model.atlas.sums import CHOOSE, REPORT, Sums, Tally
from model.inspect.variants import Head, all_heads
from model.processes import Processes

FIRST = 2  # heads that are silenced with every other one
SEARCHED, HELD = 8, 40  # decisions that pairs are looked for in, and that they have to hold in
PAIRS = 3  # of each phenomenon, that are tried on the other half
EXCESS = 0.1  # of the gap, that a pair takes beyond the sum of the two


class Backup(NamedTuple):
    """A pair, and what it changes on the reporting half: alone, together, and beyond their sum."""

    heads: tuple[Head, Head]
    alone: tuple[float, float]
    together: float
    excess: float
    low: float
    high: float
    n: int


def find_backups(found: Gathered, group: Processes) -> dict[str, list[Backup]]:
    """By phenomenon the pairs that hold; every process looks at some of the phenomena."""
    names = names_of(found)
    mine = {name: _of_phenomenon(found, name) for name in names[group.rank :: group.count]}
    every: dict[str, list[Backup]] = {}
    for text in group.gather(_as_text(mine)):
        every |= _from_text(text)
    return {name: every[name] for name in names}


def _of_phenomenon(found: Gathered, name: str) -> list[Backup]:
    known = [row for row, each in enumerate(found.decisions) if each.phenomenon == name]
    known = [row for row in known if np.isfinite(found.gap[row])]
    known.sort(key=lambda row: (found.decisions[row].number, found.decisions[row].contrast.sentence))
    halves = [[row for row in known if found.decisions[row].number % 2 == half] for half in (CHOOSE, REPORT)]
    searched, held = halves[CHOOSE][:SEARCHED], halves[REPORT][:HELD]
    if not searched or not held:
        return []
    first = strongest(found, name, CHOOSE, FIRST)
    pairs = [
        (a, b) for a in first for b in range(found.change.shape[1]) if b not in first[: first.index(a) + 1]
    ]
    excess = _excess(found, searched, pairs).mean(1)
    least = EXCESS * found.gaps.estimate(name, CHOOSE).value[0]
    best = [place for place in np.argsort(excess, kind="stable")[:PAIRS] if excess[place] <= -least]
    return [pair for place in best if (pair := _held(found, name, held, pairs[place]))]


def _held(found: Gathered, name: str, rows: Sequence[int], pair: tuple[int, int]) -> Backup | None:
    excess = _excess(found, rows, [pair])[0]
    sums = Sums()
    for row, value in zip(rows, excess, strict=True):
        sums.add(found.decisions[row].number, {"excess": Tally(np.array([value]), 1)})
    told = sums.estimate("excess", REPORT)
    if not (told.high[0] < 0 and -told.value[0] >= EXCESS * found.gaps.estimate(name, REPORT).value[0]):
        return None
    one, other = (float(found.change[rows, head].mean()) for head in pair)
    heads = all_heads(found.translator.config)
    value = float(told.value[0])
    return Backup(
        (heads[pair[0]], heads[pair[1]]), (one, other), one + other + value, value,
        float(told.low[0]), float(told.high[0]), len(rows),
    )  # fmt: skip


def _excess(found: Gathered, rows: Sequence[int], pairs: Sequence[tuple[int, int]]) -> np.ndarray:
    """By pair and row how much further the gap falls than the two alone would have it: below 0."""
    heads = all_heads(found.translator.config)
    variants = [(heads[a].silenced, heads[b].silenced) for a, b in pairs]
    excess = np.zeros((len(pairs), len(rows)))
    column = {id(found.decisions[row]): place for place, row in enumerate(rows)}
    for batch in in_batches([found.decisions[row] for row in rows]):
        together = choices(found.translator.model, batch, variants).gap  # (pairs, R)
        for place, each in enumerate(batch):
            row = rows[column[id(each)]]
            alone = np.array([found.change[row, a] + found.change[row, b] for a, b in pairs])
            excess[:, column[id(each)]] = together[:, place] - found.gap[row] - alone
    return excess


def _as_text(pairs: dict[str, list[Backup]]) -> str:
    return json.dumps(pairs)


def _from_text(text: str) -> dict[str, list[Backup]]:
    return {
        name: [
            Backup((Head(*one), Head(*other)), (alone[0], alone[1]), *rest)
            for (one, other), alone, *rest in pairs
        ]
        for name, pairs in json.loads(text).items()
    }
