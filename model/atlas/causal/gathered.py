"""The sums over all decisions: what each head's absence changes, in the model and in its untrained twin.

Only decisions that the model gets right are asked: what it does not know cannot be taken from it. The number
of a contrast, which it shares with its partner's, is its place in the bootstrap and its half of the rows, so
neither the order of rows nor the number of processes changes a result.

Shapes   N heads of one kind · R decisions of a batch
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

import numpy as np

from model.atlas.causal import ablations
from model.atlas.causal.decisions import Decision
from model.atlas.causal.sweep import Choices, choices, in_batches
from model.atlas.sums import Sums, Tally
from model.checkpoint import untrained
from model.inspect.branches import Variant
from model.inspect.variants import all_heads, by_kind
from model.network.kinds import KINDS
from model.processes import Processes
from model.translator import Translator

# Silencing asks every contrast. For the rest, one in so many of each half tells enough: it is slow.
EVERY = {"mean": 2, "exchanged": 2, "sublayers": 2, "twin": 3, "uniform": 4}
Batch = list[Decision]


@dataclass
class Gathered:
    """Sums by "way/kind/phenomenon"; of the twin only silencing, of sublayers by phenomenon."""

    translator: Translator
    decisions: Sequence[Decision]
    # What heads take of phenomena measured before, by kind: arrays (N), shares of their gaps.
    before: Mapping[str, Sequence[np.ndarray]] = field(default_factory=dict)
    trained: Sums = field(init=False)
    null: Sums = field(init=False)
    sublayers: Sums = field(init=False)
    gaps: Sums = field(init=False)  # by phenomenon, the gap as it is
    used: Counter[str] = field(init=False)
    means: ablations.Means = field(init=False)
    asked: dict[str, set[tuple[str, int]]] = field(init=False)  # by way the contrasts that it takes part in
    # For every decision (in the order given) its gap and what silencing each head changes; NaN if left out.
    gap: np.ndarray = field(init=False)  # (decisions)
    change: np.ndarray = field(init=False)  # (decisions, all heads)

    def __post_init__(self) -> None:
        self.trained, self.null, self.gaps, self.sublayers = Sums(), Sums(), Sums(), Sums()
        self.used = Counter()
        self.gap = np.zeros(len(self.decisions))
        self.change = np.zeros((len(self.decisions), len(all_heads(self.translator.config))))

    def asks(self, way: str, decision: Decision) -> bool:
        return (decision.phenomenon, decision.number) in self.asked[way]


def gather(
    translator: Translator, decisions: Sequence[Decision], group: Processes, progress: Callable[[int], None],
    before: Mapping[str, Sequence[np.ndarray]] | None = None,
) -> Gathered:  # fmt: skip
    """Ask every decision of the model as it is and without each of its heads; processes take turns.

    `progress` is told how many decisions this process has done, and may raise to stop.
    """
    found = Gathered(translator, decisions, before or {})
    place = {id(decision): row for row, decision in enumerate(decisions)}
    found.asked = _sampled(decisions)
    batches = [_known(translator, batch) for batch in list(in_batches(decisions))[group.rank :: group.count]]
    found.means = _means(translator, [known for _, known, _ in batches], group)
    sentences = {(each.phenomenon, each.contrast.sentence) for each in decisions}
    twin = replace(translator, model=untrained(translator.config))
    done = 0
    for batch, known, base in batches:
        found.used.update(each.phenomenon for each in known)
        if known:
            _add(found, known, base, sentences, place)
            _add_twin(found, [each for each in known if found.asks("twin", each)], twin)
        done += len(batch)
        progress(done)
    _merge(found, group)
    return found


def _sampled(decisions: Sequence[Decision]) -> dict[str, set[tuple[str, int]]]:
    """By way one in so many pairs, evenly from either half of every phenomenon, whatever their order."""
    numbers = sorted({(each.phenomenon, each.number % 2, each.number) for each in decisions})
    halves = [list(part) for _, part in groupby(numbers, key=lambda each: each[:2])]
    return {
        way: {(name, number) for half in halves for name, _, number in half[::every]}
        for way, every in EVERY.items()
    }


def _known(translator: Translator, batch: Batch) -> tuple[Batch, Batch, Choices]:
    """A batch, the decisions in it that the model gets right, and what it makes of these."""
    base = choices(translator.model, batch, [()], top=True)
    right = base.gap[0] > 0
    return batch, [each for each, fine in zip(batch, right, strict=True) if fine], Choices(
        base.gap[:, right], base.top[:, right]
    )  # fmt: skip


def _means(translator: Translator, batches: Sequence[Batch], group: Processes) -> ablations.Means:
    """What every head hands on, on average over all positions of all decisions that count."""
    config = translator.config
    paths = [KINDS[kind].format(layer) for kind in KINDS for layer in range(config.depth(kind))]
    total = np.zeros((len(paths), config.heads, config.head_width + 1))
    for batch in filter(None, batches):
        sums = ablations.sum_outputs(translator.model, batch)
        total += np.stack([sums[path] for path in paths])
    total = group.add_array(total)
    average = total[..., :-1] / np.maximum(total[..., -1:], 1)
    return dict(zip(paths, average, strict=True))


def _add(
    found: Gathered, batch: Batch, base: Choices, sentences: set[tuple[str, str]], place: dict[int, int]
) -> None:
    model, config = found.translator.model, found.translator.config
    silent = choices(model, batch, ablations.silenced(config), top=True)
    change = silent.gap - base.gap  # (all heads, R)
    right = np.array([each.right for each in batch])
    top_right = base.top[0] == right
    for row, each in enumerate(batch):
        found.gap[place[id(each)]], found.change[place[id(each)]] = base.gap[0, row], change[:, row]
        found.gaps.add(each.number, {each.phenomenon: Tally(base.gap[:, row], 1)})
        flipped = (silent.top[:, row] != right[row]) * top_right[row]
        _tally(found, found.trained, each, "silenced", change[:, row])
        _tally(found, found.trained, each, "flips", flipped, count=float(top_right[row]))
    _add_slow(found, batch, base)
    _add_exchanged(
        found, [each for each in batch if found.asks("exchanged", each) and _trades(each, sentences)]
    )


def _add_slow(found: Gathered, batch: Batch, base: Choices) -> None:
    model, config = found.translator.model, found.translator.config
    ways: dict[str, list[Variant]] = {
        "mean": ablations.replaced(config, found.means),
        "uniform": ablations.uniform(config),
        "sublayers": ablations.skipped(config),
    }
    for way, variants in ways.items():
        rows = [row for row, each in enumerate(batch) if found.asks(way, each)]
        if rows:
            change = choices(model, [batch[row] for row in rows], variants).gap - base.gap[0, rows]
            for place, row in enumerate(rows):
                if way == "sublayers":
                    tally = {batch[row].phenomenon: Tally(change[:, place], 1)}
                    found.sublayers.add(batch[row].number, tally)
                else:
                    _tally(found, found.trained, batch[row], way, change[:, place])


def _trades(decision: Decision, sentences: set[tuple[str, str]]) -> bool:
    """Whether it trades with its partner here: a pair of which both are rows trades once."""
    if decision.partner is None:
        return False
    mine, other = decision.contrast.sentence, decision.partner.contrast.sentence
    return mine < other or (decision.phenomenon, other) not in sentences


def _add_exchanged(found: Gathered, some: Batch) -> None:
    """Both sentences of a pair at once, so that it does not matter which of them is the row."""
    partners = [each.partner for each in some if each.partner]
    if not partners:
        return
    both = [*some, *partners]
    base = choices(found.translator.model, both, [()]).gap
    change = choices(found.translator.model, both, ablations.exchanged(found.translator.config)).gap - base
    for row, each in enumerate(some):
        pair = [row, row + len(some)]
        if (base[0, pair] > 0).all():
            _tally(found, found.trained, each, "exchanged", change[:, pair].mean(1))


def _add_twin(found: Gathered, some: Batch, twin: Translator) -> None:
    if some:
        base = choices(twin.model, some, [()]).gap
        change = choices(twin.model, some, ablations.silenced(twin.config)).gap - base
        for row, each in enumerate(some):
            _tally(found, found.null, each, "silenced", change[:, row])


def _tally(
    found: Gathered, sums: Sums, decision: Decision, way: str, values: np.ndarray, count: float = 1.0
) -> None:
    parts = by_kind(found.translator.config, values.astype(float))
    tallies = {f"{way}/{kind}/{decision.phenomenon}": Tally(part, count) for kind, part in parts.items()}
    sums.add(decision.number, tallies)


def _merge(found: Gathered, group: Processes) -> None:
    for sums in (found.trained, found.null, found.sublayers, found.gaps):
        sums.merge(group)
    names = list(dict.fromkeys(each.phenomenon for each in found.decisions))
    totals = group.add(*(found.used[name] for name in names))
    found.used = Counter({name: round(total) for name, total in zip(names, totals, strict=True)})
    found.gap, found.change = group.add_array(found.gap), group.add_array(found.change)
    left_out = found.gap == 0  # a gap of exactly nothing is not above it: left out as well
    found.gap[left_out], found.change[left_out] = np.nan, np.nan
