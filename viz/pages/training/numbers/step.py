"""What one step asks of rows and heads: where it pulls, how hard, and what it changed."""

from typing import NamedTuple

import numpy as np

from model.inspect.variants import Head
from model.network.kinds import KINDS
from model.training.one_step.gradients import MATRICES, Reached
from model.training.one_step.losses import pull

WRONG = 6  # wrong pieces that have a bar of their own
NOTICEABLE = 0.01  # nats of mean loss: less is no change worth a word


class Pulls(NamedTuple):
    """p - q of the right piece, of the wrong ones that are pushed hardest, and of all others together."""

    ids: tuple[int, ...]  # the right one first
    values: tuple[float, ...]
    rest: float
    others: int  # how many pieces the rest are


def pulls(log_probs: np.ndarray, right: int, wrong: int = WRONG) -> Pulls:  # (V)
    pulled = pull(log_probs, right)
    order = [int(place) for place in np.argsort(-pulled, kind="stable") if place != right]
    ids = (right, *order[:wrong])
    values = tuple(float(pulled[id]) for id in ids)
    return Pulls(ids, values, float(pulled[order[wrong:]].sum()), len(order) - wrong)


class Strongest(NamedTuple):
    head: Head
    matrix: str
    value: float


def strongest(found: Reached) -> Strongest:
    """The part of a head at which this pair pulls hardest, for its size."""
    relative = np.stack([found.relative(kind) for kind in KINDS])  # (kinds, L, H, 4)
    kind, layer, head, matrix = (int(at) for at in np.unravel_index(relative.argmax(), relative.shape))
    where = Head(list(KINDS)[kind], layer, head)
    return Strongest(where, list(MATRICES)[matrix], float(relative.max()))


def content_over_looking(found: Reached) -> float:
    """How much more reaches V and O, which carry content, than Q and K, which decide where to look."""
    relative = np.stack([found.relative(kind) for kind in KINDS])
    query, key, value, output = np.moveaxis(relative, -1, 0)
    return float((value + output).mean() / (query + key).mean())


def chosen_weight(gradients: np.ndarray, asked: tuple[tuple[int, int], ...]) -> tuple[int, int]:
    """The weight that was clicked; else the one whose gradient is the largest."""
    rows, columns = gradients.shape
    for row, column in asked[:1]:
        if row < rows and column < columns:
            return row, column
    place = np.unravel_index(abs(gradients).argmax(), gradients.shape)
    return int(place[0]), int(place[1])


def outcome(losses: np.ndarray, others: np.ndarray, steps: int) -> str:
    """In one word: none · broke (it lost more than it won) · heart (learned by heart) · learned.

    >>> outcome(np.array([2.0, 1.0]), np.array([1.3, 1.5]), 1)
    'heart'
    """
    if steps == 0:
        return "none"
    won, lost = losses[0] - losses[steps], others[steps] - others[0]  # NaN where there are no others
    if won < 0 or lost > won:
        return "broke"
    return "heart" if lost > NOTICEABLE else "learned"
