"""When heads come about, as the film tells it: how far each is from what it was and from what it will be."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from viz.figures.film import places_of, step_ticks

Film = Mapping[str, np.ndarray]  # as model/training/film.py writes it


class Way(NamedTuple):
    """How far the maps of every head are from their first and from their last, at each moment: (M, L, H).

    The mean total variation distance of all rows of all sentences: 0 the same, 1 nothing in common.
    """

    from_first: np.ndarray
    from_last: np.ndarray


def way(film: Film, kind: str) -> Way:
    """The way of all heads of a kind."""
    weights = [film[f"{kind}.{number}"].astype(np.float32) / 255 for number in range(len(film["sources"]))]
    rows = sum(each.shape[-2] for each in weights)
    first, last = (sum(_variation(each, each[end]) for each in weights) / rows for end in (0, -1))
    return Way(np.asarray(first), np.asarray(last))


def _variation(weights: np.ndarray, other: np.ndarray) -> np.ndarray:  # (M, L, H, Q, K), (L, H, Q, K)
    """The sum over rows of the total variation distance, (M, L, H)."""
    return abs(weights - other).sum((-2, -1)) / 2


def appears(from_first: Sequence[float] | np.ndarray, from_last: Sequence[float] | np.ndarray) -> int | None:
    """The first moment from which on a head stays nearer to its last maps than to its first ones.

    None: it never moved.

    >>> appears([0, 0.1, 0.5, 0.2, 0.6, 0.6], [0.6, 0.5, 0.1, 0.4, 0.1, 0])
    4
    """
    nearer = np.asarray(from_last) < np.asarray(from_first)
    if not nearer[-1]:
        return None
    return int(np.flatnonzero(~nearer)[-1]) + 1


def scaled(steps: Sequence[int], ends: Sequence[int]) -> list[float]:
    """Where steps stand on a time line that runs from the first to the last of `ends`, from 0 to 1."""
    low, high = places_of([ends[0], ends[-1]])
    return ((places_of(steps) - low) / max(high - low, 1e-9)).tolist()


def scale(steps: Sequence[int]) -> list[tuple[float, str]]:
    """The numbers of the time line, and where they stand.

    >>> [word for _, word in scale([0, 1, 40, 2000])]
    ['0', '1', '10', '100', '2,000']
    """
    low, high = places_of([steps[0], steps[-1]])
    marks = [(low, "0"), *step_ticks(steps)]
    return [(float((place - low) / max(high - low, 1e-9)), word) for place, word in marks]


def outline(
    history: Mapping[int, float], ends: Sequence[int], columns: int = 240
) -> list[tuple[float, float]]:
    """A curve as so many columns of the screen can show it, both axes from 0 to 1: the last value in each.

    >>> outline({0: 8.0, 1: 4.0, 10: 2.0}, [0, 10], columns=10)
    [(0.0, 1.0), (0.231, 0.5), (1.0, 0.25)]
    """
    most = max(*history.values(), 1e-12)
    places = scaled(list(history), ends)
    found = {round(place * columns): (round(place, 3), round(value / most, 3))
             for place, value in zip(places, history.values(), strict=True)}  # fmt: skip
    return list(found.values())
