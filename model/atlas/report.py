"""An atlas as JSON: what each head scored, the roles that hold with their evidence, and how it was all done.

    {"checkpoint", "corpus", "heads": [{"kind", "layer", "head", "roles": […],
        "measures": {name: {"value", "n", "low", "high", "baseline", "null"}}}]}

Beside these: "sentences", "half", "bootstrap" and "rules" say how numbers came about, "hypotheses" how many
were tried, "evidence" gives every role its numbers, "offsets" the offset of each head, "best" the head that
was best at each measure on the choosing half, "baselines" which simple rule each baseline is, "similar" the
distances between heads over all sentences. Numbers that do not exist are null.
"""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from model import checkpoint
from model.atlas.gathered import Atlas
from model.atlas.importance import NULL_EVERY
from model.atlas.roles import (
    LEAST,
    RELATION_MARGIN,
    RULES,
    Found,
    Measured,
    Role,
    best_head,
    find_roles,
    listed,
    measured,
    measures_of,
    offsets_of,
    rule_of,
)
from model.atlas.similarity import order
from model.atlas.sums import REPLICATES, REPORT
from model.inspect.variants import Head, all_heads
from model.network.kinds import KINDS

Both = tuple[Measured, Measured | None]  # of the model, and of its twin where that was observed too


def as_json(atlas: Atlas, corpus: str) -> dict[str, Any]:
    """The finished atlas, ready for json.dumps(…, allow_nan=False)."""
    found = find_roles(atlas.trained, atlas.null, tuple(KINDS))
    table = {kind: _measures(atlas, kind) for kind in KINDS}
    heads = all_heads(atlas.translator.config)
    per_layer = atlas.translator.config.heads
    return {
        "checkpoint": atlas.translator.name,
        "corpus": corpus,
        "heads": [_head(head, head.layer * per_layer + head.head, table, found) for head in heads],
        "sentences": {name: round(count) for name, count in atlas.sentences.items()},
        "half": {"chosen": "even", "reported": "odd", "counted_from": 0},
        "null": {"model": "untrained twin", "silenced": f"one sentence in {NULL_EVERY}"},
        "bootstrap": {"method": "poisson", "over": "sentences", "replicates": REPLICATES, "interval": 0.95},
        "hypotheses": {"tested": found.tested, "chosen": found.chosen, "held": len(found.roles)},
        "rules": _rules(),
        "evidence": [_evidence(role, per_layer) for role in found.roles],
        "offsets": {kind: _offsets(atlas, kind, per_layer) for kind in KINDS},
        "best": {
            f"{kind}.{name}": list(divmod(best_head(atlas.trained, kind, name), per_layer))
            for kind in KINDS
            for name in table[kind]
            if rule_of(name)
        },
        "baselines": {
            f"{kind}.{name}": here.rule for kind in KINDS for name, (here, _) in table[kind].items()
        },
        "similar": {kind: _similar(atlas, kind, per_layer) for kind in KINDS},
    }


def write_atlas(path: Path, atlas: dict[str, Any]) -> None:
    """Write the JSON; beside a checkpoint it becomes part of it."""
    text = json.dumps(atlas, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    checkpoint.write(path, text.encode() + b"\n")
    if (path.parent / checkpoint.SUMS).exists():
        checkpoint.seal(path.parent)


def number(value: float) -> float | None:
    """Six significant digits; None for what does not exist."""
    return float(f"{value:.6g}") if math.isfinite(value) else None


def _measures(atlas: Atlas, kind: str) -> dict[str, Both]:
    known = measures_of(atlas.null, kind)
    return {
        name: (
            measured(atlas.trained, kind, name, REPORT),
            measured(atlas.null, kind, name, REPORT) if name in known else None,
        )
        for name in listed(atlas.trained, kind)
    }


def _head(head: Head, index: int, table: dict[str, dict[str, Both]], found: Found) -> dict[str, Any]:
    return {
        **head._asdict(),
        "measures": {
            name: {
                "value": number(here.value[index]),
                "n": int(here.n[index]),
                "low": number(here.low[index]),
                "high": number(here.high[index]),
                "baseline": number(here.baseline[index]),
                "null": None if null is None else number(null.value[index]),
            }
            for name, (here, null) in table[head.kind].items()
        },
        "roles": [role.role for role in found.roles if (role.kind, role.number) == (head.kind, index)],
    }


def _evidence(role: Role, per_layer: int) -> dict[str, Any]:
    values = role._asdict()
    layer, head = divmod(values.pop("number"), per_layer)
    told = {name: number(value) if isinstance(value, float) else value for name, value in values.items()}
    return {"kind": told.pop("kind"), "layer": layer, "head": head, **told}


def _offsets(atlas: Atlas, kind: str, per_layer: int) -> list[list[int]]:
    if "offset" not in measures_of(atlas.trained, kind):
        return []
    return offsets_of(atlas.trained, kind).reshape(-1, per_layer).tolist()  # layers × heads


def _similar(atlas: Atlas, kind: str, per_layer: int) -> dict[str, Any]:
    distance = atlas.alike[kind].distance
    return {
        "heads": [list(divmod(index, per_layer)) for index in range(len(distance))],
        "distance": np.round(distance, 4).tolist(),
        "order": order(distance),
    }


def _rules() -> dict[str, Any]:
    rules: dict[str, Any] = {
        measure: {
            "role": rule.role,
            "least": number(rule.least),
            "beyond_baseline": rule.margin,
        }
        for measure, rule in RULES.items()
    }
    relation = {"role": "relation.*", "least": None, "beyond_baseline": RELATION_MARGIN}
    return {"observations": LEAST, "measures": rules | {"relation.*": relation}}
