"""What a layer costs by the paper's table 1, where two curves cross, and what may run at the same time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, exp, log
from typing import NamedTuple

import numpy as np

from model.inspect.costs.timed import Timed

ROWS = ("attention", "recurrent", "convolutional", "dilated", "restricted", "separable")
Numbers = Sequence[float] | np.ndarray
COLUMNS = ("products", "steps", "path")


@dataclass(frozen=True)
class Sizes:
    """n, d, k and r, as the paper calls them."""

    words: int  # n
    width: int  # d
    kernel: int  # k
    near: int  # r


class Cost(NamedTuple):
    """One row of the table: what grows with the sentence, and how."""

    products: int
    steps: int
    path: int


def cost(row: str, sizes: Sizes) -> Cost:
    """The orders of table 1 with numbers in: constant factors are left out, as the paper leaves them out.

    >>> cost("recurrent", Sizes(words=10, width=256, kernel=3, near=4))
    Cost(products=655360, steps=10, path=10)
    >>> cost("dilated", Sizes(words=81, width=256, kernel=3, near=4)).path
    4
    """
    n, d, k, r = sizes.words, sizes.width, sizes.kernel, sizes.near
    return {
        "attention": Cost(n * n * d, 1, 1),
        "recurrent": Cost(n * d * d, n, n),
        "convolutional": Cost(k * n * d * d, 1, ceil(n / k)),
        "dilated": Cost(k * n * d * d, 1, max(1, _whole(log(n) / log(k)))),
        "restricted": Cost(r * n * d, 1, ceil(n / r)),
        "separable": Cost(k * n * d + n * d * d, 1, ceil(n / k)),
    }[row]


def _whole(number: float) -> int:
    """Rounded up, but not for an error in the last digit: log 81 / log 3 is 4.000000000000001."""
    return ceil(number - 1e-9)


def crossing(sizes: Sequence[int], one: Numbers, other: Numbers) -> float | None:
    """Where the first curve rises above the second, between two sizes on a straight line of logarithms.

    None where it does not. A curve that is above from the beginning crosses before all sizes: not found here.

    >>> round(crossing([10, 1000], [1, 100], [10, 10]))
    100
    >>> crossing([10, 1000], [1, 2], [10, 10])
    """
    gaps = [log(a) - log(b) for a, b in zip(one, other, strict=True)]
    for place in range(len(gaps) - 1, 0, -1):  # the last one: before it, one may wobble
        low, high = gaps[place - 1 : place + 1]
        if low < 0 <= high:
            start, end = log(sizes[place - 1]), log(sizes[place])
            return exp(start + (end - start) * low / (low - high))
    return None


def curve(timed: Mapping[int, Mapping[str, Timed]], name: str, which: str = "median") -> np.ndarray:
    """Seconds of one layer, at every size that was measured."""
    return np.array([getattr(timed[words][name], which) for words in sorted(timed)])


def computed_at(kind: str, words: int, layers: int) -> np.ndarray:  # (layers, words)
    """The step, from 0, at which each layer of a stack can compute each word, if nothing waits needlessly.

    A recurrent cell waits for the one before it and for the layer below: the work runs through the stack as a
    slanting front. All others wait for the layer below alone.

    >>> computed_at("recurrent", 3, 2).tolist(), computed_at("attention", 3, 2).tolist()
    ([[0, 1, 2], [1, 2, 3]], [[0, 0, 0], [1, 1, 1]])
    """
    layer, word = np.arange(layers)[:, None], np.arange(words)[None]
    return layer + word * (kind == "recurrent")


def steps_of(kind: str, words: int, layers: int) -> int:
    """How many steps that takes."""
    return int(computed_at(kind, words, layers).max()) + 1


def bytes_written(size: int) -> str:
    """
    >>> bytes_written(676), bytes_written(173_056), bytes_written(4_294_967_296)
    ('676 B', '173 kB', '4.29 GB')
    """
    for unit, each in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= each:
            return f"{size / each:.3g} {unit}"
    return f"{size} B"
