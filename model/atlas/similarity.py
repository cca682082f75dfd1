"""Which heads of one kind look alike: Jensen–Shannon distance between their rows, and an order by likeness.

Shapes   N heads of one kind · Q queries · K keys
"""

import numpy as np

_TINY = 1e-30  # so that 0 log 0 is 0


class Likeness:
    """The distance of all pairs, averaged over rows and sentences; it streams."""

    def __init__(self, heads: int) -> None:
        self.total, self.rows = np.zeros((heads, heads)), np.zeros(1)

    def add(self, attention: np.ndarray, mask: np.ndarray) -> None:  # (N, Q, K), (Q, K)
        """Count the rows of one sentence; those with one position to look at are all alike and left out."""
        free = mask.sum(-1) > 1
        self.total += distances(attention[:, free]).sum(-1)
        self.rows += free.sum()

    @property
    def distance(self) -> np.ndarray:  # (N, N)
        return self.total / np.maximum(self.rows, 1)


def distances(attention: np.ndarray) -> np.ndarray:  # (N, Q, K) -> (N, N, Q)
    """√JSD in bits: 0 where two heads look alike, 1 where they never look at the same position.

    >>> distances(np.array([[[1.0, 0.0]], [[0.0, 1.0]]]))[..., 0]
    array([[0., 1.],
           [1., 0.]])
    """
    own = _entropy(attention)  # (N, Q)
    found = np.zeros((len(own), *own.shape))
    for head in range(len(own) - 1):
        mean = (attention[head] + attention[head + 1 :]) / 2
        divergence = _entropy(mean) - (own[head] + own[head + 1 :]) / 2
        found[head, head + 1 :] = np.sqrt(np.clip(divergence / np.log(2), 0, 1))
    return found + found.transpose(1, 0, 2)


def order(distance: np.ndarray) -> list[int]:  # (N, N)
    """The heads side by side with those like them: the leaves of an average-linkage tree, left to right.

    >>> order(np.array([[0.0, 0.9, 0.1], [0.9, 0.0, 0.8], [0.1, 0.8, 0.0]]))
    [0, 2, 1]
    """
    groups, far = [[head] for head in range(len(distance))], distance.astype(np.float64)
    np.fill_diagonal(far, np.inf)
    while len(groups) > 1:
        one, other = divmod(int(far.argmin()), len(far))  # the first of the two is the smaller number
        sizes = len(groups[one]), len(groups[other])
        far[one] = far[:, one] = np.average(far[[one, other]], axis=0, weights=sizes)
        far[one, one] = np.inf
        far = np.delete(np.delete(far, other, 0), other, 1)
        groups[one] += groups.pop(other)
    return groups[0]


def _entropy(rows: np.ndarray) -> np.ndarray:
    return -(rows * np.log(rows + _TINY)).sum(-1)
