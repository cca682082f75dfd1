"""Where a head looks and what it looks for, in one sentence: patterns in, tallies out.

Everywhere: a row with only one position to look at chose nothing and is left out. Whatever is about a row's
largest weight leaves special tokens out (start, end, padding), as Voita et al. 2019 did; how much weight they
held is the measure `special`. The baseline of a weight is a head that looks evenly at all allowed positions.

Shapes   N heads of one kind · Q queries · K keys
"""

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from model.atlas.sums import Tally
from model.inspect.metrics import SPECIAL, entropy
from model.text.spelling import SPACE
from model.text.tokenizer import BYTE, Tokens

OFFSETS = range(-5, 6)  # in pieces: where a fixed offset is looked for
COMMON = 500  # a word is rare only beyond the commonest pieces (Voita et al. 2019)


def head_tallies(
    kind: str, attention: np.ndarray, mask: np.ndarray, queries: Tokens, keys: Tokens,
    vocabulary: int,
) -> dict[str, Tally]:  # fmt: skip
    """All that patterns alone tell of the heads of one kind, (N, Q, K); `mask` (Q, K) is the same for all."""
    special, mark = np.array(keys.words) == SPECIAL, punctuation(keys)
    even = (mask / mask.sum(-1, keepdims=True)).astype(attention.dtype)
    patterns = np.concatenate([attention, even[None]])  # the last one is the baseline
    allowed = mask & ~special
    found = {
        name: _weight(patterns, mask, cells) for name, cells in _cells(kind, mask, special, mark).items()
    }
    found["entropy"] = _entropy(patterns, mask)
    found["confidence"] = _confidence(patterns, allowed)
    best = largest(attention, allowed)
    for offset in OFFSETS:
        correct = np.eye(len(mask), mask.shape[1], offset, dtype=bool)
        found[f"offset.{offset}"] = pointing(best, correct, allowed, ())
    found["rarest"] = pointing(best, rarest(keys, allowed, vocabulary), allowed, OFFSETS)
    found["same"] = pointing(best, _same(kind, queries, keys, mark), allowed, OFFSETS)
    return found


def largest(attention: np.ndarray, allowed: np.ndarray) -> np.ndarray:  # (N, Q, K), (Q, K) -> (N, Q)
    """The allowed position with each row's largest weight."""
    return np.where(allowed, attention, -1).argmax(-1)


def pointing(best: np.ndarray, correct: np.ndarray, allowed: np.ndarray, offsets: Sequence[int]) -> Tally:
    """How often the largest weight falls on a correct cell, among rows that have one and have a choice.

    Baselines: an allowed position drawn blindly, and always the same offset.

    >>> tally = pointing(np.array([[1, 0, 1]]), np.eye(3, k=-1, dtype=bool), np.ones((3, 3), bool), (-1, 1))
    >>> tally.totals, tally.count, tally.baselines["offset -1"]
    (array([2]), 2, 2.0)
    """
    correct = correct & allowed
    choices = allowed.sum(-1)
    rows = (choices > 1) & correct.any(-1)  # (Q)
    hits = correct[np.arange(len(correct)), best][:, rows].sum(-1)
    chance = (correct.sum(-1) / np.maximum(choices, 1))[rows].sum()
    row, column = np.nonzero(correct & rows[:, None])
    reached = Counter((column - row).tolist())  # how often each offset is right
    fixed = {f"offset {offset}": float(reached[offset]) for offset in offsets}
    return Tally(hits, int(rows.sum()), {"chance": float(chance), **fixed})


def rarest(keys: Tokens, allowed: np.ndarray, vocabulary: int) -> np.ndarray:  # -> (Q, K)
    """The pieces of the rarest word that each row may look at, if that word is rare at all.

    A word's rarity is Σ log rank over its pieces, as if pieces followed Zipf's law: the vocabulary has them
    in the order of their merges, commonest first. Single letters come last there and bytes count as last, so
    a word that had to be spelled out is rare. Punctuation belongs to no word.
    """
    rarity = rarities(keys, vocabulary)
    row = np.where(allowed, rarity, 0).max(-1, keepdims=True)
    return allowed & (rarity == row) & (row > np.log(COMMON))


def rarities(keys: Tokens, vocabulary: int) -> np.ndarray:  # (K), 0 for what is no word
    both = zip(keys.ids, keys.pieces, strict=True)
    ranks = [vocabulary if BYTE.fullmatch(piece) else id for id, piece in both]
    words = np.where(punctuation(keys), SPECIAL, _parted(keys))
    sums = np.bincount(words[words >= 0], np.log(np.maximum(ranks, 1))[words >= 0], minlength=1)
    return np.where(words >= 0, sums[np.maximum(words, 0)], 0)


def _parted(keys: Tokens) -> np.ndarray:  # (K)
    """Words, with "didn't" as two and "l'ours" as two: neither is rare for having two pieces."""
    before = ("", *keys.pieces)
    apart = [
        piece.startswith(("'", "n't")) or last.endswith("'")
        for last, piece in zip(before, keys.pieces, strict=False)
    ]
    return np.where(np.array(keys.words) >= 0, np.array(keys.words) + np.cumsum(apart), SPECIAL)


def punctuation(keys: Tokens) -> np.ndarray:  # (K) bool
    return np.array([_mark(piece.replace(SPACE, "")) for piece in keys.pieces]) & (
        np.array(keys.words) != SPECIAL
    )


def _mark(piece: str) -> bool:
    return bool(piece) and all(unicodedata.category(character)[0] == "P" for character in piece)


def _cells(kind: str, mask: np.ndarray, special: np.ndarray, mark: np.ndarray) -> Mapping[str, np.ndarray]:
    """The cells (Q, K) whose weight each measure adds up, each counted as often as it says."""
    words = np.flatnonzero(~special)
    columns = {"special": special, "punctuation": mark}
    if len(words):
        columns["first"] = np.arange(len(special)) == words[0]
        if kind != "decoder":  # there the last piece that a row may look at is itself
            columns["last"] = np.arange(len(special)) == words[-1]
    cells = {name: np.broadcast_to(column, mask.shape) for name, column in columns.items()}
    if kind == "cross":
        return cells  # the two sides share no positions
    steps = {"previous": -1, "self": 0, "next": 1}
    if kind == "decoder":
        del steps["next"]
    cells |= {name: np.eye(len(mask), mask.shape[1], step, dtype=bool) for name, step in steps.items()}
    position = np.arange(len(special))
    return cells | {"distance": abs(position[:, None] - position).astype(float)}


def _weight(patterns: np.ndarray, mask: np.ndarray, cells: np.ndarray) -> Tally:
    rows = (mask.sum(-1) > 1) & (mask & (cells > 0)).any(-1)
    totals = np.einsum("nqk,qk->n", patterns[:, rows], cells[rows].astype(patterns.dtype))
    return Tally(totals[:-1], int(rows.sum()), {"even": float(totals[-1])})


def _entropy(patterns: np.ndarray, mask: np.ndarray) -> Tally:
    rows = entropy(patterns, mask).rows  # NaN where there was nothing to choose
    totals = np.nansum(rows, -1)
    return Tally(totals[:-1], int((mask.sum(-1) > 1).sum()), {"even": float(totals[-1])})


def _confidence(patterns: np.ndarray, allowed: np.ndarray) -> Tally:
    rows = allowed.sum(-1) > 1
    totals = np.where(allowed, patterns, 0).max(-1)[:, rows].sum(-1)
    return Tally(totals[:-1], int(rows.sum()), {"even": float(totals[-1])})


def _same(kind: str, queries: Tokens, keys: Tokens, mark: np.ndarray) -> np.ndarray:
    """The same piece elsewhere, (Q, K); for cross-attention, what the row writes in what was said."""
    same = np.equal.outer(queries.ids, keys.ids) & ~mark
    return same if kind == "cross" else same & ~np.eye(len(mark), dtype=bool)
