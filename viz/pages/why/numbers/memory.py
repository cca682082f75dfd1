"""A segment after a memory, in numbers: where memory helps, what is expected, what a score is made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from model.language.losses import WAYS
from model.language.reader import Reading
from model.network.relative import TERMS

SHOWN = 5  # pieces that are expected most
NEAR = 8  # keys that count as near, the row itself among them
# Short French texts of ours: what is read first, and the sentence that follows.
TEXTS = {
    "names": (
        "Mathilde attendait devant la porte du jardin. Elle tenait une lettre à la main. "
        "Gaspard, son frère, la regardait sans rien dire.",
        "Mathilde ouvrit la lettre, et Gaspard s'approcha de Mathilde.",
    ),
    "days": (
        "Le premier jour, il plut, et nous restâmes à la maison. "
        "Le deuxième jour, il plut, et nous restâmes à la maison.",
        "Le troisième jour, il plut, et nous restâmes à la maison.",
    ),
    "ship": (
        "Le navire quitta le port au point du jour. Le capitaine regardait la mer, "
        "et les matelots chantaient sur le pont.",
        "Le soir, le capitaine fit venir les matelots, et le navire s'arrêta.",
    ),
}


class Expected(NamedTuple):
    """One piece and how likely it is to come next."""

    id: int
    chance: float
    place: int  # among all pieces, from 0
    came: bool  # it is the piece that does come


@dataclass(frozen=True)
class Cell:
    """One score of one head: a row that looks, a key, and the four terms."""

    row: int
    column: int
    back: int  # how many positions the key lies behind the row
    terms: np.ndarray  # (4)
    weight: float

    @property
    def score(self) -> float:
        return float(self.terms.sum())


def saved(reading: Reading) -> np.ndarray:  # (Q - 1)
    """By how many nats memory makes each next piece less surprising."""
    with_memory, without = reading.losses
    return without - with_memory


def row_of(reading: Reading, asked: int | None) -> int:
    """The row that was asked for, or the one at which memory helps most."""
    if asked is not None and asked < len(reading.segment):
        return asked
    gains = saved(reading)
    return int(gains.argmax()) if len(gains) else 0


def cell(reading: Reading, layer: int, head: int, row: int, asked: int | None) -> Cell:
    """The cell that was asked for, if the row may look there; else where it looks most, in the memory."""
    weights, kept = reading.pattern[layer, head, row], len(reading.remembered)
    column = asked
    if column is None or column >= len(weights) or not reading.mask[row, column]:
        column = int(weights[: kept or None].argmax())
    return Cell(
        row, column, kept + row - column, reading.terms[layer, :, head, row, column], float(weights[column])
    )


def expected(log_probs: np.ndarray, came: int | None) -> list[Expected]:
    """The likeliest next pieces, and the one that does come, wherever it stands."""
    order = np.argsort(-log_probs, kind="stable")
    shown = order[:SHOWN].tolist()
    if came is not None and came not in shown:
        shown.append(came)
    places = {int(id): place for place, id in enumerate(order)}
    return [Expected(id, float(np.exp(log_probs[id])), places[id], id == came) for id in shown]


def to_memory(reading: Reading) -> np.ndarray:  # (L, H)
    """The share of its weight that each head gives to the memory, mean over rows."""
    return reading.pattern[..., : len(reading.remembered)].sum(-1).mean(-1)


class Curve(NamedTuple):
    """Means with the ends of their intervals."""

    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray


def curve(figures: Mapping[str, Any]) -> Curve:
    return Curve(*(np.array(figures[name], float) for name in Curve._fields))


def by_place(measured: Mapping[str, Any]) -> dict[str, Curve]:
    """Loss by place in the segment, for each way of reading."""
    return {way: curve(measured["position"][way]) for way in WAYS}


def echo(distances: np.ndarray, segment: int) -> float:
    """Weight on the key exactly one segment back, as a multiple of that on keys half a segment from it.

    >>> echo(np.array([4.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0]), segment=4)
    2.0
    """
    around = (distances[segment // 2] + distances[segment + segment // 2]) / 2
    return float(distances[segment] / max(around, 1e-12))


def nearest(distances: np.ndarray) -> float:
    """The share of a row's weight that lies on its nearest keys; every row sees so many.

    >>> round(nearest(np.array([0.2, 0.1, *[0.01] * 70])), 2)
    0.36
    """
    return float(distances[:NEAR].sum())


def clear(figures: Mapping[str, float]) -> str:
    """What a difference to reading with memory says: dearer, cheaper, or even, as its interval has it.

    >>> clear({"mean": 0.2, "low": 0.1, "high": 0.3}), clear({"mean": 0.0, "low": -0.1, "high": 0.1})
    ('dearer', 'even')
    """
    return "dearer" if figures["low"] > 0 else "cheaper" if figures["high"] < 0 else "even"


__all__ = [
    "NEAR", "TERMS", "TEXTS", "Cell", "Curve", "Expected", "by_place", "cell", "clear", "curve", "echo",
    "expected", "nearest", "row_of", "saved", "to_memory",
]  # fmt: skip
