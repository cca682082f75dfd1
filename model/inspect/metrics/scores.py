"""A score taken apart: what tokens and what positions bring to it.

Shapes   … any leading axes · S positions, in self-attention · D width · E = D / H
"""

import math
from typing import NamedTuple

import numpy as np


class ScoreTerms(NamedTuple):
    """The parts of a score, (…, S, S) each, named "what the query brings"_"what the key brings"."""

    content_content: np.ndarray
    content_position: np.ndarray
    position_content: np.ndarray
    position_position: np.ndarray
    query_bias: np.ndarray  # b_Q with the key: how much every query favours each position
    key_bias: np.ndarray  # the whole query with b_K: one number a row, so the softmax ignores it


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
