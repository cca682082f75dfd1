"""Changes to what a whole stack sees, or to its parts: masks, positions, the order of words, sublayers."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model.inspect.edits.base import SUBLAYERS, Edit, last_part, require, told
from model.network.hooks import Place
from model.network.kinds import STACKS
from model.text.tokenizer import Tokens

PARTS = ("sublayer", "residual", "norm")


@dataclass(frozen=True)
class Hide(Edit):
    """Nobody may look at one source piece, neither in the encoder nor from the decoder."""

    position: int

    def __post_init__(self) -> None:
        require(self.position >= 0, "position", self.position, "0 or more")

    @property
    def points(self) -> tuple[str, ...]:
        return "encoder.layers.*.self_attention.mask", "decoder.layers.*.cross_attention.mask"

    def __call__(self, mask: Tensor, place: Place) -> Tensor:  # (B, 1, Q, K)
        if self.position >= mask.shape[-1]:
            raise ValueError(f"no source position {self.position} to hide; there are {mask.shape[-1]}")
        seen = mask.clone()
        seen[..., self.position] = False
        if not seen.any(-1).all():
            raise ValueError(f"hiding position {self.position} would leave nothing to look at")
        return seen


@dataclass(frozen=True)
class LiftMask(Edit):
    """Let the decoder see the future. There is none while decoding, so this acts in the replay."""

    @property
    def decodes(self) -> bool:
        return False

    @property
    def points(self) -> tuple[str, ...]:
        return ("decoder.layers.*.self_attention.mask",)

    def __call__(self, mask: Tensor, place: Place) -> Tensor:  # (1, 1, T, T)
        return mask | mask.mT  # as far ahead as it sees back: a window stays a window


@dataclass(frozen=True)
class PositionsOff(Edit):
    """Take the order of words away from one stack."""

    stack: str = "encoder"

    why_idle = ": this model has no positions to change"

    def __post_init__(self) -> None:
        require(self.stack in STACKS, "stack", self.stack, " or ".join(STACKS))

    @property
    def points(self) -> tuple[str, ...]:
        return f"{self.stack}.embedding.index", f"{self.stack}.embedding.positions"

    def __call__(self, x: Tensor, place: Place) -> Tensor:
        # Rotary positions know only offsets: where all stand at one place, no offset is left.
        return torch.zeros_like(x)


@dataclass(frozen=True)
class PositionsShift(Edit):
    """Pretend that a stack's first word stands at position `by`."""

    by: int
    stack: str = "encoder"

    why_idle = ": this model has no positions to change"

    def __post_init__(self) -> None:
        require(self.by >= 0, "by", self.by, "0 or more")
        require(self.stack in STACKS, "stack", self.stack, " or ".join(STACKS))

    @property
    def points(self) -> tuple[str, ...]:
        return (f"{self.stack}.embedding.index",)

    def __call__(self, index: Tensor, place: Place) -> Tensor:  # (T)
        last = int(index[-1]) + self.by
        if last >= told(place.length):
            raise ValueError(f"shifted by {self.by}, the last position is {last}; there are {place.length}")
        return index + self.by


@dataclass(frozen=True)
class Shuffle(Edit):
    """Put the source pieces in another order, the same for every sentence of this length."""

    seed: int = 0

    def __post_init__(self) -> None:
        require(self.seed >= 0, "seed", self.seed, "0 or more")

    def reorder(self, tokens: Tokens) -> Tokens:
        """The end token stays at the end, and at least one piece moves."""
        count, rng = len(tokens.ids) - 1, np.random.default_rng(self.seed)
        if count < 2:
            raise ValueError("one piece cannot be shuffled; type a longer sentence")
        order = list(range(count))
        while order == sorted(order):
            order = rng.permutation(count).tolist()
        places = (*order, -1)
        return Tokens(
            ids=tuple(tokens.ids[place] for place in places),
            pieces=tuple(tokens.pieces[place] for place in places),
            words=tuple(tokens.words[place] for place in places),
        )


@dataclass(frozen=True)
class Skip(Edit):
    """Leave out a sublayer, the residual connection around it, or the layer norm after it."""

    where: str
    part: str = "sublayer"

    def __post_init__(self) -> None:
        require(last_part(self.where) in SUBLAYERS, "where", self.where, "the path of a sublayer")
        require(self.part in PARTS, "part", self.part, " or ".join(PARTS))

    @property
    def points(self) -> tuple[str, ...]:
        if self.part == "norm":
            layer, _, sublayer = self.where.rpartition(".")
            return (f"{layer}.{SUBLAYERS[sublayer]}",)
        return (f"{self.where}.{'output' if self.part == 'sublayer' else 'residual'}",)

    def __call__(self, x: Tensor, place: Place) -> Tensor:
        return told(place.before) if self.part == "norm" else torch.zeros_like(x)
