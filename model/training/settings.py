"""What decides how a training run goes, and the learning rate that follows from it."""

import math
from dataclasses import asdict, dataclass, field

from model.network.config import Config

CHOICES = {"optimizer": ("adam", "muon"), "precision": ("float32", "bfloat16")}


@dataclass(frozen=True)
class Settings:
    """Everything that decides how a run goes, apart from the shape of the model."""

    config: Config
    steps: int = 3_000
    tokens: int = 2_500  # padded pieces per batch, on either side, over all processes
    peak: float = 1e-3  # the highest learning rate, at the end of the warm-up
    warmup: int = 800
    cooldown: int = 1  # how many of the last steps bring the rate to zero, in a straight line
    piece_dropout: float = 0.0  # how often a merge of two pieces is left out while training
    smoothing: float = 0.1
    consistency: float = 0.0  # weight of how far two draws of dropout make the same batch differ (R-Drop)
    optimizer: str = "adam"
    precision: str = "float32"  # of the products; weights and moments are always float32
    clip: float = 1.0  # longest gradient; a guard against a rare bad batch
    seed: int = 1
    average: int = 5  # snapshots in the average that ships
    snapshot_every: int = 60
    save_every: int = 100
    evaluate_every: int = 500
    dev_pairs: int = 300  # how many of the dev pairs, from the first on, are scored while training
    # Pairs made of other pairs, to learn from too: by recipe how many, as a share of the corpus.
    recipes: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if isinstance(value, int) and name != "seed" and value < 1:
                raise ValueError(f"{name} must be at least 1, not {value}")
        if not (self.peak > 0 and self.clip > 0):
            raise ValueError(f"peak and clip must be above 0, not {self.peak} and {self.clip}")
        if not 0 <= self.smoothing < 1:
            raise ValueError(f"smoothing must lie in [0, 1), not {self.smoothing}")
        for name, value in {"consistency": self.consistency, **self.recipes}.items():
            if not 0 <= value < math.inf:
                raise ValueError(f"{name} must be 0 or more, not {value}")
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise ValueError(f"{name} is one of {', '.join(choices)}, not {getattr(self, name)!r}")
        if not 0 <= self.piece_dropout < 1:
            raise ValueError(f"piece_dropout must lie in [0, 1), not {self.piece_dropout}")

    def rate(self, step: int) -> float:
        """The learning rate of a step: the paper's, times how much of the cool-down is left."""
        left = min(1.0, (self.steps + 1 - step) / self.cooldown)
        return learning_rate(max(1, step), self.peak, self.warmup) * left


def learning_rate(step: float, peak: float, warmup: int) -> float:
    """Linear warm-up, then falling with the inverse square root (paper, equation 3).

    >>> [learning_rate(step, peak=1.0, warmup=4) for step in (1, 2, 4, 16)]
    [0.25, 0.5, 1.0, 0.5]
    """
    return peak * min(step / warmup, math.sqrt(warmup / step))
