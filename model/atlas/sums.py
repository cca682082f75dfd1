"""Sums over a corpus that stream: for every measure, what each head scored and how often it was asked.

A measure is a ratio of two sums over sentences, so a corpus of any length fits in a table of fixed size.
Its interval is a Poisson bootstrap over sentences: each of 200 imagined corpora holds every sentence a random
number of times, drawn from a seed that is the sentence's own number. So intervals stream too, and neither the
order of the sentences nor the number of processes changes them. Sentences with an even number choose (heads,
offsets, baselines, roles), those with an odd number report.

Shapes   N heads of one kind · B imagined corpora · W columns of a table
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from model.processes import Processes

REPLICATES, SEED = 200, 20170612
CHOOSE, REPORT = 0, 1  # the half of a sentence is its number's parity


@dataclass(frozen=True, eq=False)
class Tally:
    """One measure of one sentence."""

    totals: np.ndarray  # (N), what each head scored
    count: float  # what the scores are divided by
    # What each simple rule would have scored, by its name.
    baselines: Mapping[str, float] = field(default_factory=dict)
    n: float | None = None  # observations; the same as `count` unless given

    def row(self) -> np.ndarray:
        n = self.count if self.n is None else self.n
        return np.array([self.count, n, *self.baselines.values(), *self.totals], np.float64)


class Estimate(NamedTuple):
    """One measure over one half of the corpus: arrays (N), NaN where nothing was observed."""

    value: np.ndarray
    low: np.ndarray  # the interval holds 95 % of the imagined corpora
    high: np.ndarray
    n: int
    baselines: Mapping[str, float]


class Sums:
    """Tables (2 halves, 1 + B, W) by the measure's name; row 0 is the corpus as it is."""

    def __init__(self) -> None:
        self.tables: dict[str, np.ndarray] = {}
        self.rules: dict[str, list[str]] = {}  # the names of each measure's baselines
        self.heads: dict[str, int] = {}  # N of each measure: kinds need not have as many heads

    def add(self, number: int, tallies: Mapping[str, Tally]) -> None:
        """Count the sentence of this number in the corpus."""
        weights = np.array([1, *np.random.default_rng((SEED, number)).poisson(1, REPLICATES)], np.float64)
        for name, tally in tallies.items():
            if tally.count > 0:
                table = self._table(name, list(tally.baselines), len(tally.totals))
                table[number % 2] += np.multiply.outer(weights, tally.row())

    def merge(self, group: Processes) -> None:
        """Add the sums of all processes, whichever measures each of them has observed."""
        known = {name: (baselines, self.heads[name]) for name, baselines in self.rules.items()}
        for others in map(json.loads, group.gather(json.dumps(known))):
            for name, (baselines, heads) in others.items():
                self._table(name, baselines, heads)
        names = sorted(self.tables)
        if group.count > 1 and names:  # in one message
            total = group.add_array(np.concatenate([self.tables[name].ravel() for name in names]))
            ends = np.cumsum([self.tables[name].size for name in names])
            for name, part in zip(names, np.split(total, ends[:-1]), strict=True):
                self.tables[name] = part.reshape(self.tables[name].shape)

    def estimate(self, name: str, half: int) -> Estimate:
        table, rules = self.tables[name][half], self.rules[name]
        count, n, totals = table[:, :1], table[0, 1], table[:, 2 + len(rules) :]  # (1 + B, 1), (), (1 + B, N)
        if n == 0:
            nothing = np.full(self.heads[name], np.nan)
            return Estimate(nothing, nothing, nothing, 0, dict.fromkeys(rules, np.nan))
        drawn = count[:, 0] > 0  # an imagined corpus may hold no sentence with this measure
        drawn[0] = False
        ratios = totals[drawn] / count[drawn]
        low, high = np.percentile(ratios, (2.5, 97.5), axis=0) if len(ratios) else (totals[0] * np.nan,) * 2
        baselines = dict(zip(rules, (table[0, 2 : 2 + len(rules)] / count[0]).tolist(), strict=True))
        return Estimate(totals[0] / count[0], low, high, round(n), baselines)

    def _table(self, name: str, baselines: list[str], heads: int) -> np.ndarray:
        if name not in self.tables:
            width = 2 + len(baselines) + heads
            self.tables[name] = np.zeros((2, 1 + REPLICATES, width))
            self.rules[name], self.heads[name] = baselines, heads
        return self.tables[name]
