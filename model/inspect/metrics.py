"""What can be read off a run: arrays in, arrays or named tuples of them out, in the same precision.

Shapes   … any leading axes · L layers · H heads · Q queries · K keys · S both, in self-attention ·
         D width · E = D / H · Q', K' what is left of Q and K
Words    the word number of each position; -1 for special tokens
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from model.inspect.trace import Target

SPECIAL = -1  # the word number of a special token
READINGS = ("read", "predicted")


class Entropy(NamedTuple):
    """How widely rows look: 0 at one position, 1 at all allowed positions alike."""

    rows: np.ndarray  # (…, Q), NaN where there was nothing to choose
    mean: np.ndarray  # (…), over the rows that counted; NaN if none did
    n: np.ndarray  # (…), how many rows counted


class Visible(NamedTuple):
    """Attention with special tokens taken out, and what that hides."""

    attention: np.ndarray  # (…, Q', K'), rows sum to one, or to zero where all was hidden
    hidden: np.ndarray  # (…, Q'), the mass each row had on special tokens
    queries: tuple[int, ...]  # the position of each row that is left
    keys: tuple[int, ...]  # the position of each column that is left


class Merged(NamedTuple):
    """Attention from word to word, and the positions that each row and column stands for."""

    attention: np.ndarray  # (…, Q', K')
    queries: tuple[tuple[int, ...], ...]
    keys: tuple[tuple[int, ...], ...]


class Reading(NamedTuple):
    pieces: tuple[str, ...]
    ids: tuple[int, ...]
    words: tuple[int, ...]


class ScoreTerms(NamedTuple):
    """The parts of a score, (…, S, S) each, named "what the query brings"_"what the key brings"."""

    content_content: np.ndarray
    content_position: np.ndarray
    position_content: np.ndarray
    position_position: np.ndarray
    query_bias: np.ndarray  # b_Q with the key: how much each position is liked by everybody
    key_bias: np.ndarray  # the whole query with b_K: one number a row, so the softmax ignores it


def norm_weighted(attention: np.ndarray, transformed: np.ndarray) -> np.ndarray:
    """‖α f(x)‖ = α ‖f(x)‖: how much each edge really adds (Kobayashi et al. 2020, section 3).

    `transformed` (…, K, D) is each value through its head's part of W_O. Rows do not sum to one.

    >>> norm_weighted(np.array([[0.75, 0.25]]), np.array([[0.0, 0.0], [3.0, 4.0]]))
    array([[0.  , 1.25]])
    """
    return attention * np.linalg.norm(transformed, axis=-1)[..., None, :]


def mean_heads(attention: np.ndarray) -> np.ndarray:  # (…, H, Q, K) -> (…, Q, K)
    """The average head: rows still sum to one, but one specialist among many heads is lost in it.

    >>> mean_heads(np.array([[[1.0, 0.0]], [[0.5, 0.5]]]))
    array([[0.75, 0.25]])
    """
    return attention.mean(-3)


def max_heads(attention: np.ndarray) -> np.ndarray:  # (…, H, Q, K) -> (…, Q, K)
    """The largest weight that any head gave: rows sum to one or more, and are no distribution.

    They are not renormalised, so every cell is a weight that the model used.

    >>> max_heads(np.array([[[1.0, 0.0]], [[0.5, 0.5]]]))
    array([[1. , 0.5]])
    """
    return attention.max(-3)


def rollout(attention: np.ndarray) -> np.ndarray:  # (L, H, S, S) -> (L, S, S)
    """How much of each input each position holds, layer by layer (Abnar & Zuidema 2020).

    Heads averaged, Π (A + I) / 2, rows sum to one. For the encoder: a decoder has a second source.

    >>> previous = np.array([[1.0, 0.0], [1.0, 0.0]])
    >>> rollout(np.stack([previous, previous])[:, None])[-1]
    array([[1.  , 0.  ],
           [0.75, 0.25]])
    """
    layers = (mean_heads(attention) + np.eye(_positions(attention), dtype=attention.dtype)) / 2
    return np.stack(list(accumulate(layers, lambda below, layer: layer @ below)))


def entropy(attention: np.ndarray, mask: np.ndarray) -> Entropy:  # both (…, Q, K)
    """-Σ α log α of each row, over the log of the number of positions it may look at.

    A row that may look at only one position has no choice: it is NaN and does not count.

    >>> entropy(np.array([[1.0, 0.0], [0.5, 0.5]]), np.tri(2, dtype=bool))
    Entropy(rows=array([nan,  1.]), mean=array(1.), n=np.int64(1))
    """
    allowed = np.broadcast_to(mask, attention.shape).sum(-1, dtype=attention.dtype)  # (…, Q)
    if not allowed.all():
        raise ValueError("a row of the mask allows no position; every row must allow at least one")
    terms = attention * np.log(np.where(attention > 0, attention, 1))  # none above 0; 0 log 0 is 0
    counted, n = allowed > 1, (allowed > 1).sum(-1)
    rows = np.where(counted, abs(terms.sum(-1)) / np.log(np.maximum(allowed, 2)), np.nan)
    mean = rows.sum(-1, where=counted) / np.maximum(n, 1, dtype=rows.dtype)
    return Entropy(rows, np.where(n > 0, mean, np.nan), n)


def masked_softmax(scores: np.ndarray, mask: np.ndarray) -> np.ndarray:  # (…, K) both
    """Weights from scores, as the model forms them; nothing where the mask is False.

    >>> masked_softmax(np.array([0.0, 0.0, 9.0]), np.array([True, True, False]))
    array([0.5, 0.5, 0. ])
    """
    powers = np.where(mask, np.exp(scores - np.where(mask, scores, -np.inf).max(-1, keepdims=True)), 0)
    return powers / powers.sum(-1, keepdims=True)


def softmax_gradient(attention: np.ndarray) -> np.ndarray:  # (…, K) -> (…)
    """‖diag(α) - α αᵀ‖: how much any weight of a row answers to any score; 0 when it has saturated.

    >>> softmax_gradient(np.array([[0.5, 0.5], [1.0, 0.0]]))
    array([0.5, 0. ])
    """
    squares, cubes = (attention**2).sum(-1), (attention**3).sum(-1)
    return np.sqrt(np.maximum(squares - 2 * cubes + squares**2, 0))


def mean_distance(attention: np.ndarray) -> np.ndarray:  # (…, S, S) -> (…, S)
    """How many positions away each row looks on average: Σ_j α_ij |i - j|; for self-attention.

    >>> mean_distance(np.array([[0.5, 0.0, 0.5], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]))
    array([1., 0., 2.])
    """
    position = np.arange(_positions(attention), dtype=attention.dtype)
    return (attention * abs(position[:, None] - position)).sum(-1)


def offset_mass(attention: np.ndarray, offset: int) -> np.ndarray:  # (…, S, S) -> (…)
    """The mean weight on the position `offset` away: -1 the one before, 0 itself, 1 the one after.

    Rows without such a position are left out; NaN if none has one. For self-attention.

    >>> offset_mass(np.array([[0.5, 0.0, 0.5], [1.0, 0.0, 0.0], [0.0, 0.5, 0.5]]), -1)
    array(0.75)
    """
    if abs(offset) >= _positions(attention):
        return np.full(attention.shape[:-2], np.nan, attention.dtype)
    return np.asarray(np.diagonal(attention, offset, -2, -1).mean(-1))


def special_mass(attention: np.ndarray, key_words: Sequence[int]) -> np.ndarray:  # -> (…, Q)
    """How much of each row lies on special tokens.

    >>> special_mass(np.array([[0.25, 0.25, 0.5]]), (0, 1, -1))
    array([0.5])
    """
    return attention[..., _words(key_words, attention.shape[-1], "keys") == SPECIAL].sum(-1)


def without_special(
    attention: np.ndarray, key_words: Sequence[int], query_words: Sequence[int] | None = None
) -> Visible:
    """Take special tokens out of columns, and of rows if `query_words` is given; renormalise rows.

    A row that looked at nothing else is all zero, beside a hidden mass of one: any other filling
    would show a choice that the model never made.

    >>> seen = without_special(np.array([[0.25, 0.25, 0.5], [0.0, 0.0, 1.0]]), (0, 1, -1))
    >>> seen.attention, seen.hidden, seen.keys
    (array([[0.5, 0.5],
           [0. , 0. ]]), array([0.5, 1. ]), (0, 1))
    """
    kept = _words(key_words, attention.shape[-1], "keys") != SPECIAL
    rows = np.ones(attention.shape[-2], bool)
    if query_words is not None:
        rows = _words(query_words, attention.shape[-2], "queries") != SPECIAL
    left = attention[..., rows, :][..., kept]  # (…, Q', K')
    mass = left.sum(-1, keepdims=True)
    hidden = special_mass(attention, key_words)[..., rows]
    return Visible(left / np.where(mass > 0, mass, 1), hidden, _places(rows), _places(kept))


def merge_words(attention: np.ndarray, query_words: Sequence[int], key_words: Sequence[int]) -> Merged:
    """Sum over the word looked at, mean over the word looking (Clark et al. 2019).

    Rows still sum to one. Words come in the order of their first pieces; each special token stays
    by itself. The mask that goes with it is merge_words(mask, …).attention > 0.

    >>> merged = merge_words(np.array([[0.5, 0.25, 0.25], [0.0, 0.5, 0.5]]), (0, 0), (0, 1, 1))
    >>> merged.attention, merged.queries, merged.keys
    (array([[0.25, 0.75]]), ((0, 1),), ((0,), (1, 2)))
    """
    looking = _members(_words(query_words, attention.shape[-2], "queries"))  # (Q', Q)
    looked_at = _members(_words(key_words, attention.shape[-1], "keys"))  # (K', K)
    share = (looking / looking.sum(-1, keepdims=True)).astype(np.result_type(attention, np.float32))
    places = (tuple(map(_places, members)) for members in (looking, looked_at))
    return Merged(share @ attention @ looked_at.T, *places)


def reading(target: Target, which: str) -> Reading:
    """What to call decoder rows: row i reads piece i and predicts piece i + 1.

    The columns of decoder self-attention are always what was read.

    >>> from model.inspect.trace import Target
    >>> target = Target(("<s>", "le"), ("le", "chat"), (1, 7), (7, 8), (-1, 0), (0, 1))
    >>> reading(target, "predicted")
    Reading(pieces=('le', 'chat'), ids=(7, 8), words=(0, 1))
    """
    if which not in READINGS:
        raise ValueError(f"a decoder row is named by {' or '.join(READINGS)}, not by {which!r}")
    return Reading(*(getattr(target, f"{which}{part}") for part in ("", "_ids", "_words")))


def score_terms(
    tokens: np.ndarray, positions: np.ndarray | None,  # (S, D), as they are added
    query_weight: np.ndarray, query_bias: np.ndarray, key_weight: np.ndarray, key_bias: np.ndarray,
) -> ScoreTerms:  # fmt: skip
    """A first-layer score of self-attention, multiplied out (paper, section 3.2.1).

    (x_i W_Qᵀ + b_Q) · (x_j W_Kᵀ + b_K) / √E, x = token + position (split as in Dai et al. 2019).
    The terms sum to the score before any edit of it. Weights (…, E, D), biases (…, E).

    >>> one = np.eye(1)
    >>> terms = score_terms(3 * one, 2 * one, one, np.array([1.0]), one, np.array([4.0]))
    >>> [term.item() for term in terms], sum(terms).item() == (3 + 2 + 1) * (3 + 2 + 4)
    ([9.0, 6.0, 6.0, 4.0, 5.0, 24.0], True)
    """
    if positions is None:
        raise ValueError("this model adds no positions to its tokens, so its scores do not split")
    queries = tokens @ query_weight.mT, positions @ query_weight.mT  # (…, S, E) each
    keys = tokens @ key_weight.mT, positions @ key_weight.mT
    products = [query @ key.mT for query in queries for key in keys]  # (…, S, S) each
    bias = query_bias[..., None, :]  # (…, 1, E)
    rest = bias @ sum(keys).mT, (sum(queries) + bias) @ key_bias[..., None]  # (…, 1, S), (…, S, 1)
    root = math.sqrt(query_weight.shape[-2])
    return ScoreTerms(*(term / root for term in np.broadcast_arrays(*products, *rest)))


def _positions(attention: np.ndarray) -> int:
    queries, keys = attention.shape[-2:]
    if queries != keys:
        raise ValueError(f"{queries} queries and {keys} keys: this is for self-attention only")
    return keys


def _words(words: Sequence[int], positions: int, side: str) -> np.ndarray:
    if len(words) != positions:
        raise ValueError(f"{len(words)} word numbers do not fit {positions} {side}")
    return np.array(words, int)


def _members(words: np.ndarray) -> np.ndarray:  # (words and special tokens, positions)
    names = [(word, place if word == SPECIAL else None) for place, word in enumerate(words)]
    rows = {name: row for row, name in enumerate(dict.fromkeys(names))}
    return np.equal.outer(np.arange(len(rows)), [rows[name] for name in names])


def _places(chosen: np.ndarray) -> tuple[int, ...]:
    return tuple(np.flatnonzero(chosen).tolist())
