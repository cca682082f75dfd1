"""Causal roles as JSON, under "causal" of an atlas: what every head's absence changes, by phenomenon.

    {phenomenon: {"family", "asks", "rows", "given", "gap", "low", "high", "heads": [{"kind", "layer", "head",
        "silenced": {"value", "low", "high", "n"}, "mean": …, "uniform": …, "exchanged": …,
        "flips", "specificity", "null", "others", "role": true | false}], "sublayers": […], "backups": […]}}

Of the rows given, `rows` are those whose right side the model prefers. Values are changes of the gap in nats:
below 0, the head's absence breaks something. They are of the half of the rows that did not choose. Heads with
a role also have "looks" (where, in the row that decides) and "examples". Numbers that do not exist are null.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from model.atlas.causal import ablations, roles
from model.atlas.causal.backups import Backup, find_backups
from model.atlas.causal.decisions import decisions
from model.atlas.causal.examples import examples, usable
from model.atlas.causal.gathered import Gathered, gather
from model.atlas.causal.looking import Looks, looks
from model.atlas.sums import REPLICATES, REPORT, Estimate
from model.inspect.variants import all_heads
from model.network.kinds import KINDS
from model.probe.contrasts import Phenomenon
from model.processes import Processes
from model.translator import Translator

Json = dict[str, Any]


def measure(
    translator: Translator, phenomena: Sequence[Phenomenon], group: Processes | None = None,
    progress: Callable[[int], None] = lambda done: None, before: Json | None = None,
) -> tuple[Json, Json]:  # fmt: skip
    """What breaks without each head: "causal" of an atlas, and how it was measured.

    `before` is "causal" of an earlier measurement: a head that hurts all of that is not specific either.
    """
    group, asked = group or Processes(), list(decisions(translator, phenomena))
    found = gather(translator, asked, group, progress, _losses(before or {}))
    held, hypotheses = roles.find_roles(found)
    pairs = find_backups(found, group)
    told = {each.name: each for each in phenomena}
    names = [each.name for each in phenomena]
    mine = {
        name: _phenomenon(found, told[name], held, pairs.get(name, []))
        for name in names[group.rank :: group.count]
    }
    every: Json = {}
    for text in group.gather(json.dumps(mine)):
        every |= json.loads(text)
    causal = {name: every[name] for name in names}
    method = {
        "hypotheses": hypotheses,
        "rules": roles.RULES,
        "half": {"chosen": "even", "reported": "odd", "of": "crc32 of the sentence and its partner"},
        "bootstrap": {"method": "poisson", "over": "pairs", "replicates": REPLICATES, "interval": 0.95},
        "nulls": ["untrained twin", "other heads of the layer", "other phenomena"],
    }
    return causal, method


def _losses(causal: Json) -> dict[str, list[np.ndarray]]:
    """By kind the share of every gap that goes with each head."""
    found: dict[str, list[np.ndarray]] = {kind: [] for kind in KINDS}
    for told in causal.values():
        for kind in KINDS if told["heads"] else ():
            values = [entry["silenced"] for entry in told["heads"] if entry["kind"] == kind]
            found[kind].append(np.array([-each["value"] / told["gap"] if each else 0.0 for each in values]))
    return found


def _phenomenon(
    found: Gathered, told: Phenomenon, held: dict[tuple[str, str], np.ndarray], pairs: Sequence[Backup]
) -> Json:
    name, used = told.name, found.used[told.name]
    about: Json = {"family": told.family, "asks": told.asks, "given": len(told.contrasts), "rows": used}
    if not used:
        return {**about, "gap": None, "low": None, "high": None, "heads": [], "sublayers": [], "backups": []}
    gap = found.gaps.estimate(name, REPORT)
    sublayers = roles.estimate(found.sublayers, name, REPORT)
    return {
        **about,
        "gap": short(gap.value[0]), "low": short(gap.low[0]), "high": short(gap.high[0]), "reported": gap.n,
        "heads": _heads(found, name, np.concatenate([held[name, kind] for kind in KINDS])),
        "sublayers": [
            {"where": where, "silenced": _estimate(sublayers, place)}
            for place, where in enumerate(ablations.sublayer_paths(found.translator.config))
        ],
        "backups": [_backup(pair) for pair in pairs],
    }  # fmt: skip


def _heads(found: Gathered, name: str, has_role: np.ndarray) -> list[Json]:
    every, rows = all_heads(found.translator.config), usable(found, name, REPORT)
    having = [head for head, fine in zip(every, has_role, strict=True) if fine]
    watched = looks(found.translator, [found.decisions[row] for row in rows], having) if having else {}
    measured = {kind: _measured(found, name, kind) for kind in KINDS}
    heads = []
    for number, head in enumerate(every):
        place = head.layer * found.translator.config.heads + head.head
        entry: Json = {**head._asdict(), **{key: at(place) for key, at in measured[head.kind].items()}}
        entry["role"] = head in having
        if head in having:
            entry["looks"] = _looks(watched.get(head))
            told = examples(found, rows, head, number)
            entry["examples"] = [
                each._asdict() | {"gap": short(each.gap), "change": short(each.change)} for each in told
            ]
        heads.append(entry)
    return heads


def _measured(found: Gathered, name: str, kind: str) -> dict[str, Callable[[int], Any]]:
    """For every entry of a head the function that gives its value, by the head's place in its kind."""
    here = roles.carried(found, name, kind, REPORT)
    ways = {way: roles.estimate(found.trained, f"{way}/{kind}/{name}", REPORT) for way in ablations.WAYS}
    flips = roles.estimate(found.trained, f"flips/{kind}/{name}", REPORT)

    def of(estimate: Estimate) -> Callable[[int], Any]:
        return lambda place: _estimate(estimate, place)

    def number(values: np.ndarray) -> Callable[[int], Any]:
        return lambda place: short(values[place])

    return {
        **{way: of(estimate) for way, estimate in ways.items()},
        "flips": number(flips.value),
        "specificity": number(here.specificity),
        "null": of(here.null),
        "others": number(here.others),
    }


def _estimate(estimate: Estimate, place: int) -> Json | None:
    if not estimate.n or not np.isfinite(estimate.value[place]):
        return None
    value, low, high = (short(part[place]) for part in estimate[:3])
    return {"value": value, "low": low, "high": high, "n": estimate.n}


def _looks(found: Looks | None) -> Json | None:
    if found is None:
        return None
    return {
        "classes": {name: short(weight) for name, weight in found.classes.items()},
        "words": [[word, short(weight)] for word, weight in found.words],
        "n": found.n,
    }


def _backup(pair: Backup) -> Json:
    return {
        "heads": [head._asdict() for head in pair.heads],
        "alone": [short(value) for value in pair.alone],
        **{name: short(getattr(pair, name)) for name in ("together", "excess", "low", "high")},
        "n": pair.n,
    }  # fmt: skip


def short(value: float) -> float | None:
    """Four significant digits: there are tens of thousands of them."""
    return float(f"{value:.4g}") if np.isfinite(value) else None
