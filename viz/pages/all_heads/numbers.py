"""What a head does on one sentence, as one number a head.

A number that does not exist is NaN: positions of two sentences have no distance, and the decoder
may not look at the piece after.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from model.inspect import metrics
from viz.pages.all_heads import AllHeads

if TYPE_CHECKING:
    from model import Trace

MEASURES = tuple(name for name in AllHeads.options("measure") if name != "none")
OFFSETS = {"previous": -1, "self": 0, "next": 1}
MISSING = {"encoder": (), "decoder": ("next",), "cross": ("distance", *OFFSETS)}


def measures(trace: Trace, name: str) -> dict[str, np.ndarray]:  # {kind: (L, H)}
    """One measure of every head, by kind; the mean over the rows where it exists."""
    if name not in MEASURES:
        raise ValueError(f"a measure is one of {', '.join(MEASURES)}, not {name!r}")
    return {kind: _measure(trace, kind, name) for kind in trace.attention}


def _measure(trace: Trace, kind: str, name: str) -> np.ndarray:
    attention = trace.attention[kind]  # (L, H, Q, K)
    if name in MISSING[kind]:
        return np.full(attention.shape[:2], np.nan, attention.dtype)
    if name == "entropy":
        return metrics.entropy(attention, trace.mask[kind]).mean
    if name == "distance":
        return metrics.mean_distance(attention).mean(-1)
    if name == "special":
        words = trace.target.read_words if kind == "decoder" else trace.source.words
        return metrics.special_mass(attention, words).mean(-1)
    return metrics.offset_mass(attention, OFFSETS[name])
