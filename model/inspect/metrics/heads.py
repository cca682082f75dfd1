"""Several heads or layers as one map, and the size of what each edge adds.

Shapes   … any leading axes · L layers · H heads · Q queries · K keys · S both, in self-attention · D width
"""

from itertools import accumulate

import numpy as np

from model.inspect.metrics.rows import positions_of


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
    layers = (mean_heads(attention) + np.eye(positions_of(attention), dtype=attention.dtype)) / 2
    return np.stack(list(accumulate(layers, lambda below, layer: layer @ below)))
