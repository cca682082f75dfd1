"""What is filmed of a training: how well it goes, and where every head looks in one example.

Shapes   L layers · H heads · Q query positions · K key positions
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from model.training.toys.recipe import Place, Recipe
from model.training.toys.tasks import Example

SOLVED, READABLE = 0.99, 0.9


@dataclass(frozen=True)
class Frame:
    """One moment, after so many steps."""

    step: int
    loss: float  # mean −log p of the right words of the held-out examples, never smoothed
    accuracy: float  # share of them whose every word is right
    looks: np.ndarray  # (L, H): share of rows whose strongest cell is the true position; NaN: there is none
    written: tuple[str, ...]  # what the model makes of the example by itself
    maps: Mapping[str, np.ndarray]  # by kind (L, H, Q, K), float16, of the example under its right answer
    silent: tuple[Place, ...]  # heads that are off

    @property
    def readable(self) -> float:
        """How often the best cross-attention head looks where the word comes from."""
        return float(self._heard().max())

    @property
    def best(self) -> tuple[int, int]:
        """Its layer and number."""
        layer, head = np.unravel_index(int(self._heard().argmax()), self.looks.shape)
        return int(layer), int(head)

    def _heard(self) -> np.ndarray:
        """As `looks`, but 0 for heads that are off: wherever they look, nobody hears of it."""
        heard = self.looks.copy()
        for kind, *place in self.silent:
            if kind == "cross" and not np.isnan(heard[*place]):
                heard[*place] = 0.0
        return heard


@dataclass
class Film:
    """The frames so far; whoever trains adds to them, whoever looks takes those that are there."""

    recipe: Recipe
    example: Example
    steps: int  # of the whole
    frames: list[Frame] = field(default_factory=list)
    done: bool = False

    def first(self, reached: str) -> Frame | None:
        """The first moment at which it was solved, or readable."""
        least = {"accuracy": SOLVED, "readable": READABLE}[reached]
        return next((each for each in self.frames if getattr(each, reached) >= least), None)
