"""Any attention maps, masks and words, for hypothesis to draw, and how to walk through them."""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

patient = settings(deadline=None)  # a busy machine is slow, not wrong
SEEDS = st.integers(0, 2**32 - 1)
SIZES = st.integers(1, 6)
LEADING = st.sampled_from([(), (3,), (2, 3)])


def masks(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Any mask with at least one True a row."""
    mask = rng.random(shape) < rng.random()
    np.put_along_axis(mask, rng.integers(0, shape[-1], (*shape[:-1], 1)), True, -1)
    return mask


def patterns(rng: np.random.Generator, mask: np.ndarray) -> np.ndarray:
    """Rows that sum to one, flat or sharp, with nothing on masked cells."""
    scores = np.where(mask, rng.normal(size=mask.shape) * rng.choice([0.1, 1, 10, 1000]), -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


@st.composite
def maps(draw, leading=LEADING, square=False) -> tuple[np.ndarray, np.ndarray]:
    """Attention and its mask, (…, Q, K) both."""
    rng = np.random.default_rng(draw(SEEDS))
    queries = draw(SIZES)
    mask = masks(rng, *draw(leading), queries, queries if square else draw(SIZES))
    return patterns(rng, mask), mask


@st.composite
def maps_with_words(draw) -> tuple[np.ndarray, list[int], list[int]]:
    """Attention, and the words of queries and of keys in any order, special tokens among them."""
    attention, _ = draw(maps())
    words = (draw(st.lists(st.integers(-1, 3), min_size=n, max_size=n)) for n in attention.shape[-2:])
    return attention, *words


def cells(attention: np.ndarray):
    """Every (index of a map, query, key) of an array (…, Q, K)."""
    *leading, queries, keys = attention.shape
    for index in np.ndindex(*leading):
        for query in range(queries):
            for key in range(keys):
                yield index, query, key


def close(got, expected, tolerance=1e-12):
    np.testing.assert_allclose(got, expected, rtol=0, atol=tolerance)
