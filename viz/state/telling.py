"""What is worth saying of a map: its clearest look of a word at a word, where it rests, how wide it looks.

The largest weight of a map is often that of a mark: the end looks at the end. It tells a reader nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from model.inspect import metrics

if TYPE_CHECKING:
    from viz.state.picture import Picture

RESTING = 0.5  # of the weight of words: a head that gives more to marks rests on them
EVEN = 0.75  # entropy of rows, 1 where they look everywhere alike
LONG = 6  # letters: short words are mostly those that every sentence has, and say less
SELF = 0.5  # what a word's look at itself counts for


class Rest(NamedTuple):
    """The mark on which most weight lies, and the share of words' weight that lies on all marks."""

    column: int
    share: float


def clearest(shown: Picture, most: float = np.inf) -> tuple[int, int] | None:
    """The pair of words that shows best what this map does; None where no word may look at another.

    A weight counts by how far it stands out of its column: what all rows look at is no news. Weights
    above `most` are left out.
    """
    rows, columns = np.array(shown.query_spoken, bool), np.array(shown.key_spoken, bool)
    seen = shown.mask & rows[:, None] & columns & (shown.combined <= most)
    if not seen.any():
        return None
    usual = shown.combined[rows].mean(0)
    length = np.minimum.outer(*([len(label) for label in side] for side in (shown.queries, shown.keys)))
    interest = (shown.combined - usual) * (0.7 + 0.3 * np.minimum(length / LONG, 1))
    interest = interest * np.where(themselves(shown), SELF, 1.0)
    row, column = np.unravel_index(np.where(seen, interest, -np.inf).argmax(), interest.shape)
    return int(row), int(column)


def rest(shown: Picture) -> Rest | None:
    """Where the head rests, if most of the weight of words lies on marks: special tokens and punctuation."""
    rows, marks = np.array(shown.query_spoken, bool), ~np.array(shown.key_spoken, bool)
    if not rows.any() or not marks.any():
        return None
    totals = shown.combined[rows].sum(-1, keepdims=True)
    shares = (shown.combined[rows] / np.where(totals > 0, totals, 1)).mean(0)
    if shares[marks].sum() <= RESTING:
        return None
    return Rest(int(np.where(marks, shares, -1).argmax()), float(shares[marks].sum()))


def evenness(attention: np.ndarray, mask: np.ndarray) -> np.ndarray:  # (…, Q, K) both -> (…)
    """How evenly rows spread their weight: 1 everywhere alike, 0 each at one place."""
    return metrics.entropy(attention, mask).mean


def themselves(shown: Picture) -> np.ndarray:  # (Q, K)
    """Where a word of the encoder looks at itself; elsewhere rows and columns are different things."""
    if not shown.query_axis.startswith("axis.source"):
        return np.zeros(shown.combined.shape, bool)
    keys = [set(group) for group in shown.key_positions]
    return np.array([[bool(key & set(group)) for key in keys] for group in shown.query_positions])
