"""Two ways to compare queries with keys: their dot product, and the additive score that came before it.

The dot product of all queries with all keys is one product of matrices. Additive scores are v · tanh(q + k)
(Bahdanau et al. 2015): each pair has a whole vector of its own before it becomes a number.

Shapes   H heads · N words · E width of a head
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from model.inspect.costs.timed import Timed, time_in_turn


@dataclass(frozen=True)
class Compared:
    """Both ways on the same queries and keys: time, and bytes of what each makes on its way to the scores."""

    additive: Timed
    dot: Timed
    between: int  # bytes of the sums q + k, one vector a pair
    scores: int  # bytes of the scores, of either way

    @property
    def times(self) -> float:
        return self.additive.median / self.dot.median


def dot_scores(query: Tensor, key: Tensor) -> Tensor:  # 2 × (H, N, E) -> (H, N, N)
    """Scaled as in the paper, section 3.2.1."""
    return query @ key.mT / query.shape[-1] ** 0.5


def sums(query: Tensor, key: Tensor) -> Tensor:  # 2 × (H, N, E) -> (H, N, N, E)
    """What additive attention has between: every query with every key added to it."""
    return query[:, :, None] + key[:, None]


def additive_scores(query: Tensor, key: Tensor, weight: Tensor, room: Tensor | None = None) -> Tensor:
    """`weight` (E) makes one number of each pair's vector; q and k are projected already.

    The sums may be written into a `room` that is there already.
    """
    between = torch.add(query[:, :, None], key[:, None], out=room)  # (H, N, N, E)
    return torch.tanh(between, out=room) @ weight  # (H, N, N)


def bytes_between(heads: int, words: int, width: int, item: int = 4) -> int:
    """Bytes of the sums, where each number has `item`: heads that share a width d have n · n · d numbers.

    >>> bytes_between(heads=8, words=10, width=32) == 10 * 10 * 256 * 4
    True
    """
    return heads * words**2 * width * item


@torch.inference_mode()
def compare_scores(query: Tensor, key: Tensor) -> Compared:
    """Both ways on these; the weight is random, for no time depends on it."""
    weight, made = torch.randn(query.shape[-1]), sums(query, key)
    # In a room of their own: asking the system for so much memory would take longer than computing.
    taken = time_in_turn({
        "additive": lambda: additive_scores(query, key, weight, made),
        "dot": lambda: dot_scores(query, key),
    })  # fmt: skip
    return Compared(taken["additive"], taken["dot"], made.nbytes, dot_scores(query, key).nbytes)
