"""A translation that is given beside the model's own: where they part, and what is likely in each place."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from model.atlas.searches.exposure import first_difference

LISTED = 5  # next tokens


class Row(NamedTuple):
    """A translation, token by token, each read with those before it."""

    ids: tuple[int, ...]
    log_probs: np.ndarray  # one per id
    best: np.ndarray  # the token that the model finds likeliest in each place
    best_log_probs: np.ndarray

    @property
    def total(self) -> float:
        return float(self.log_probs.sum())


class Beside(NamedTuple):
    """Two translations of one sentence."""

    right: Row  # what is given
    own: Row  # what the model writes by itself
    parts: int | None  # the first step at which they differ

    @property
    def steps(self) -> int:
        return max(len(self.right.ids), len(self.own.ids))

    @property
    def apart(self) -> int | None:
        """The first step after they part at which the model, having read each, says something else."""
        if self.parts is None:
            return None
        pairs = list(zip(self.right.best, self.own.best, strict=False))
        later = range(self.parts + 1, len(pairs))
        return next((step for step in later if pairs[step][0] != pairs[step][1]), None)

    @property
    def usual(self) -> int:
        """The step to look at: where it shows that each has read another token, or right after they part.

        Where they never part, the step at which the model was least sure.
        """
        if self.parts is None:
            return int(self.own.log_probs.argmin())
        return min(self.parts + 1, self.steps - 1) if self.apart is None else self.apart


class Listed(NamedTuple):
    """The likeliest tokens of one step, best first; the one that stands there is among them."""

    ids: tuple[int, ...]
    probabilities: tuple[float, ...]
    here: int  # the place in this list of the token that stands there


def row(ids: Sequence[int], log_probs: np.ndarray) -> Row:  # (steps, V)
    """
    >>> row([1, 0], np.log([[0.2, 0.8], [0.4, 0.6]])).best.tolist()
    [1, 1]
    """
    places = np.arange(len(ids))
    best = log_probs.argmax(-1)
    return Row(tuple(ids), log_probs[places, list(ids)], best, log_probs[places, best])


def beside(right: Row, own: Row) -> Beside:
    return Beside(right, own, first_difference(right.ids, own.ids))


def listed(log_probs: np.ndarray, here: int, count: int = LISTED) -> Listed:  # (V)
    """The `count` likeliest, and the one that stands there below them if it is none of these.

    >>> listed(np.log([0.5, 0.3, 0.15, 0.05]), here=3, count=2)
    Listed(ids=(0, 1, 3), probabilities=(0.5, 0.3, 0.05), here=2)
    """
    ids = [int(id) for id in np.argsort(-log_probs, kind="stable")[:count]]
    ids += [here] if here not in ids else []
    probabilities = tuple(round(float(np.exp(log_probs[id])), 9) for id in ids)
    return Listed(tuple(ids), probabilities, ids.index(here))


def window(steps: int, focus: int, most: int) -> range:
    """The steps that are drawn where there are too many for a picture: a third of them before the focus.

    >>> window(5, 2, 10), window(100, 50, 12), window(100, 99, 12), window(100, 0, 12)
    (range(0, 5), range(46, 58), range(88, 100), range(0, 12))
    """
    first = max(0, min(focus - most // 3, steps - most))
    return range(first, min(steps, first + most))
