"""Attention between words instead of pieces, and without special tokens.

Shapes   … any leading axes · Q queries · K keys · Q', K' what is left of Q and K
Words    the word number of each position; -1 for special tokens
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

SPECIAL = -1  # the word number of a special token


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
