"""How far a word reaches: how it fades with distance, what could reach at all, and the hops of a path."""

from dataclasses import dataclass

import numpy as np

LANES = ("recurrent", "convolutional", "dilated", "restricted", "attention")
FAR = 10  # places away, where a sentence is that long


@dataclass(frozen=True)
class Sizes:
    """How far one layer of each kind looks."""

    kernel: int  # k: a convolution sees (k − 1) / 2 places to either side
    dilation: int  # b: from layer to layer, the gaps of a dilated convolution grow by this factor
    window: int  # r: restricted attention sees (r − 1) / 2 places to either side

    def step(self, lane: str, layer: int) -> int:
        """How far one hop goes at most in this layer, counted from 0.

        >>> Sizes(3, 2, 9).step("dilated", 3), Sizes(3, 2, 9).step("restricted", 3)
        (8, 4)
        """
        if lane == "recurrent":
            return 1
        if lane == "restricted":
            return (self.window - 1) // 2
        half = (self.kernel - 1) // 2
        return half * self.dilation**layer if lane == "dilated" else half


def hops(lane: str, distance: int, sizes: Sizes) -> tuple[int, ...]:
    """The lengths of the hops of a shortest path; 0 where a layer is gone through in place.

    A recurrent network hops from cell to cell, all others from layer to layer. Dilated convolutions may only
    hop by multiples of their layer's gap: the last layer has the widest.

    >>> hops("recurrent", 3, Sizes(3, 2, 9)), hops("restricted", 10, Sizes(3, 2, 9))
    ((1, 1, 1), (4, 4, 2))
    >>> hops("dilated", 5, Sizes(3, 2, 9)), hops("attention", 5, Sizes(3, 2, 9))
    ((1, 0, 4), (5,))
    """
    if distance == 0:
        return ()
    if lane == "attention":
        return (distance,)
    if lane == "dilated":
        return _dilated(distance, sizes)
    made, step = list[int](), sizes.step(lane, 0)
    while sum(made) < distance:
        made.append(min(step, distance - sum(made)))
    return tuple(made)


def _dilated(distance: int, sizes: Sizes) -> tuple[int, ...]:
    """From the widest gap down: as far as needed, so that what is left lies within the layers below.

    Gaps grow by no more than a layer sees (b ≤ k), so nothing between two taps is out of reach.
    """
    layers = 1
    while radius("dilated", layers, sizes) < distance:
        layers += 1
    left, made = distance, list[int]()
    for layer in reversed(range(layers)):
        gap, below = sizes.dilation**layer, radius("dilated", layer, sizes)
        taps = max(0, -(-(abs(left) - below) // gap))
        made.append(taps * gap if left > 0 else -taps * gap)
        left -= made[-1]
    return tuple(reversed(made))


def radius(lane: str, layers: int, sizes: Sizes) -> int:
    """How many places to either side can reach a position through so many layers; −1 for all.

    >>> [radius("convolutional", layers, Sizes(3, 2, 9)) for layers in range(4)]
    [0, 1, 2, 3]
    >>> [radius("dilated", layers, Sizes(3, 2, 9)) for layers in range(4)]
    [0, 1, 3, 7]
    """
    if lane in ("recurrent", "attention"):
        return -1 if layers else 0
    return sum(sizes.step(lane, layer) for layer in range(layers))


def span(lane: str, layers: int, at: int, count: int, sizes: Sizes) -> range:
    """The positions of a sentence that can reach position `at`."""
    wide = radius(lane, layers, sizes)
    return range(count) if wide < 0 else range(max(0, at - wide), min(count, at + wide + 1))


def by_distance(reach: np.ndarray) -> np.ndarray:  # (S, S) -> (S)
    """The mean over all pairs of positions that lie so far apart, to either side.

    >>> by_distance(np.array([[9.0, 2.0, 1.0], [4.0, 9.0, 2.0], [3.0, 4.0, 9.0]])).tolist()
    [9.0, 3.0, 2.0]
    """
    count = len(reach)
    return np.array([
        np.concatenate([np.diagonal(reach, offset), np.diagonal(reach, -offset)]).mean()
        for offset in range(count)
    ])  # fmt: skip


def fades(reach: np.ndarray, far: int) -> float | None:
    """How many times as much a token changes its neighbour as one so far away; None where that is nothing."""
    means = by_distance(reach)
    return float(means[1] / means[far]) if means[far] > 0 else None


def farthest(reach: np.ndarray) -> int:
    """The largest distance at which anything still arrives."""
    return int(np.flatnonzero(by_distance(reach))[-1])


def window(count: int, at: int, most: int) -> range:
    """At most so many places, around one of them.

    >>> window(5, 4, 9), window(100, 50, 10), window(100, 99, 10)
    (range(0, 5), range(45, 55), range(90, 100))
    """
    first = max(0, min(at - most // 2, count - most))
    return range(first, min(count, first + most))
