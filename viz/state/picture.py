"""What a selection shows of a run: the weights, and a label for every row and column.

Sub-words merge to words by one rule: sum over the word looked at, mean over the word looking.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from model.inspect import metrics
from viz.figures.labels import join, readable
from viz.state.selection import Selection

if TYPE_CHECKING:
    from model import Trace


Groups = tuple[tuple[int, ...], ...]  # the pieces that each row or column stands for


class Side(NamedTuple):
    """The pieces along one side of a picture."""

    pieces: tuple[str, ...]
    words: tuple[int, ...]  # the word of each piece, -1 for special tokens
    axis: str  # the key of what `say` calls this side


@dataclass(frozen=True)
class Picture:
    """Chosen heads, and all of them as one map. Rows look, columns are looked at."""

    heads: tuple[int, ...]
    weights: np.ndarray  # (H, Q, K), one a chosen head
    combined: np.ndarray  # (Q, K), the one head, or the mean or largest of several
    mask: np.ndarray  # (Q, K), True = may look
    hidden: np.ndarray | None  # (Q), the share of each row of `combined` that lay on special tokens
    queries: tuple[str, ...]  # readable labels, not escaped
    keys: tuple[str, ...]
    query_positions: Groups
    key_positions: Groups
    query_axis: str
    key_axis: str
    most: float  # where the scale ends: 1 for weights, the largest for lengths
    query_spoken: tuple[bool, ...]  # whether it is a word: neither a special token nor punctuation
    key_spoken: tuple[bool, ...]

    def strongest(self, row: int | None = None, column: int | None = None) -> tuple[int, int]:
        """Where the weight is largest: in all of the map, or in one row, or in one column."""
        seen = np.where(self.mask, self.combined, -1.0)
        rows = np.arange(len(self.queries)) if row is None else np.array([row])
        columns = np.arange(len(self.keys)) if column is None else np.array([column])
        part = seen[np.ix_(rows, columns)]
        place = np.unravel_index(part.argmax(), part.shape)
        return int(rows[place[0]]), int(columns[place[1]])

    def row_of(self, position: int | None) -> int | None:
        return _place(self.query_positions, position)

    def column_of(self, position: int | None) -> int | None:
        return _place(self.key_positions, position)


def sides(trace: Trace, kind: str, reading: str) -> tuple[Side, Side]:
    """Who looks and who is looked at. The columns of decoder self-attention are what was read."""
    source = Side(trace.source.pieces, trace.source.words, "source")
    if kind == "encoder":
        return source._replace(axis="axis.source.query"), source._replace(axis="axis.source.key")
    rows = metrics.reading(trace.target, reading)
    looking = Side(rows.pieces, rows.words, f"axis.target.{reading}")
    if kind == "cross":
        return looking, source._replace(axis="axis.source.key")
    read = metrics.reading(trace.target, "read")
    return looking, Side(read.pieces, read.words, "axis.target.key")


def picture(trace: Trace, selection: Selection, say: Callable[..., str]) -> Picture:
    """The chosen heads of one layer, as `selection` wants them shown."""
    kind, layer, heads = selection.kind, selection.layer, list(selection.head)
    weights = trace.attention[kind][layer, heads]  # (H, Q, K)
    if selection.weighting == "norm":
        weights = metrics.norm_weighted(weights, trace.transformed[kind][layer, heads])
    mask = trace.mask[kind][layer, heads[0]]
    return arrange(weights, mask, *sides(trace, kind, selection.reading), selection, say)


def arrange(
    weights: np.ndarray,  # (H, Q, K)
    mask: np.ndarray,  # (Q, K)
    looking: Side,
    looked_at: Side,
    selection: Selection,
    say: Callable[..., str],
) -> Picture:
    """Merge pieces to words, hide special tokens, put heads together: in this order."""
    combine = metrics.max_heads if selection.combine == "max" else metrics.mean_heads
    queries: Groups = tuple((place,) for place in range(len(looking.pieces)))
    keys: Groups = tuple((place,) for place in range(len(looked_at.pieces)))
    query_words, key_words, hidden = looking.words, looked_at.words, None
    if selection.units == "words":
        mask = metrics.merge_words(mask.astype(np.float32), query_words, key_words).attention > 0
        weights, queries, keys = metrics.merge_words(weights, query_words, key_words)
        query_words = tuple(query_words[places[0]] for places in queries)
        key_words = tuple(key_words[places[0]] for places in keys)
    if selection.special == "hidden":
        # Rows of special tokens stay where nothing else would be left.
        rows = query_words if any(word >= 0 for word in query_words) else None
        seen = metrics.without_special(weights, key_words, rows)
        total = weights.sum(-1)[:, list(seen.queries)]
        hidden = (seen.hidden / np.where(total > 0, total, 1)).mean(0)
        if selection.weighting == "norm":  # lengths are not shares: what is left keeps its own
            weights = weights[:, list(seen.queries)][..., list(seen.keys)]
        else:
            weights = seen.attention
        mask = mask[np.ix_(seen.queries, seen.keys)]
        queries, keys = (
            tuple(groups[place] for place in places)
            for groups, places in ((queries, seen.queries), (keys, seen.keys))
        )
    combined = combine(weights)
    return Picture(
        heads=selection.head,
        weights=weights,
        combined=combined,
        mask=mask,
        hidden=hidden,
        queries=_labels(looking.pieces, queries, say),
        keys=_labels(looked_at.pieces, keys, say),
        query_positions=queries,
        key_positions=keys,
        query_axis=looking.axis,
        key_axis=looked_at.axis,
        most=float(max(weights.max(), 1e-9)) if selection.weighting == "norm" else 1.0,
        query_spoken=spoken(looking, queries),
        key_spoken=spoken(looked_at, keys),
    )


def _labels(pieces: Sequence[str], groups: Sequence[Sequence[int]], say: Callable[..., str]) -> tuple:
    return tuple(
        readable(pieces[group[0]], say) if len(group) == 1 else join([pieces[place] for place in group], say)
        for group in groups
    )


def spoken(side: Side, groups: Groups | None = None) -> tuple[bool, ...]:
    """Which places are words, neither special tokens nor punctuation; by default every piece is a place."""
    if groups is None:
        groups = tuple((place,) for place in range(len(side.pieces)))
    return tuple(
        side.words[group[0]] >= 0
        and any(letter.isalnum() for place in group for letter in side.pieces[place])
        for group in groups
    )


def _place(groups: Sequence[Sequence[int]], position: int | None) -> int | None:
    return next((place for place, group in enumerate(groups) if position in group), None)
