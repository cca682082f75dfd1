"""What was measured of a checkpoint's heads as plain tables: a row a head and measure or question.

With pandas a table is a DataFrame; without, a list of dicts. Layers and heads are numbered from 0.
"""

import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from model.checkpoint import find
from viz.state import atlas as atlases
from viz.state import causal

Row = dict[str, Any]


def atlas_of(checkpoint: str | Path | Mapping) -> Mapping:
    """The atlas of a shipped name or of a checkpoint's folder, an atlas.json, or one that is already read."""
    if isinstance(checkpoint, Mapping):
        return checkpoint
    path = Path(checkpoint)
    if path.suffix != ".json":
        path = find(str(checkpoint)) / "atlas.json"
    if not path.exists():
        raise FileNotFoundError(f"nobody has measured these heads: `python -m model heads` makes {path}")
    return json.loads(path.read_text("utf-8"))


def atlas_table(checkpoint: str | Path | Mapping = "en-fr") -> Any:
    """Where every head looks: each measure beside its interval, its baseline and the untrained twin's."""
    found = atlas_of(checkpoint)
    return _table(
        [
            {**_place(head), "measure": name, **measure._asdict()}
            for head in found["heads"]
            for name, measure in atlases.measures(head).items()
        ]
    )


def causal_table(checkpoint: str | Path | Mapping = "en-fr", phenomenon: str | None = None) -> Any:
    """What breaks without each head, the most first: the share of the gap that goes, the change in nats."""
    found = atlas_of(checkpoint)
    told = causal.phenomena(found)
    if phenomenon is not None and phenomenon not in told:
        raise ValueError(f"a phenomenon is one of {', '.join(told)}, not {phenomenon!r}")
    rows = []
    for name in told if phenomenon is None else [phenomenon]:
        for (kind, layer, head), effect in causal.effects_of(found, name):
            rows.append(
                {
                    "kind": kind, "layer": layer, "head": head, "phenomenon": name, "share": effect.share,
                    "change": effect.value, "low": effect.low, "high": effect.high, "n": effect.n,
                    "gap": effect.gap, "untrained": effect.null, "carries": effect.role,
                }
            )  # fmt: skip
    return _table(sorted(rows, key=lambda row: -row["share"]))


def _place(head: Mapping) -> Row:
    return {name: head[name] for name in ("kind", "layer", "head")}


def _table(rows: Sequence[Row]) -> Any:
    return import_module("pandas").DataFrame(rows) if find_spec("pandas") else list(rows)
