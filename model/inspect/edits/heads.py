"""Changes to what single heads do: how much they pass on, where they look, how sharply they choose.

`where` is the path of an attention sublayer, or a pattern of such paths.
Shapes   B batch · H heads · Q queries · K keys · E head width
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from model.inspect.edits.base import (
    LARGEST,
    AtAttention,
    head_of,
    may_look,
    require,
    told,
    with_head,
    with_row,
)
from model.network.hooks import Place


@dataclass(frozen=True)
class Scale(AtAttention):
    """Multiply what one head hands to W_O: 0 silences it, 1 leaves it alone, 2 doubles it."""

    head: int
    factor: float = 0.0

    point = "mixed"

    def __post_init__(self) -> None:
        super().__post_init__()
        require(abs(self.factor) <= LARGEST, "factor", self.factor, f"at most {LARGEST:g} in size")

    def __call__(self, x: Tensor, place: Place) -> Tensor:  # (B, H, Q, E)
        return with_head(x, self.head, head_of(x, self.head) * self.factor)


@dataclass(frozen=True)
class Replace(AtAttention):
    """Let one head hand the same vector to W_O at every position, whatever it read: mostly its own mean."""

    head: int
    vector: tuple[float, ...]  # (E)

    point = "mixed"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "vector", tuple(self.vector))  # a list would not hash
        require(all(map(math.isfinite, self.vector)), "vector", self.vector, "finite numbers")

    def __call__(self, x: Tensor, place: Place) -> Tensor:  # (B, H, Q, E)
        if len(self.vector) != x.shape[-1]:
            raise ValueError(f"vector must hold {x.shape[-1]} numbers, not {len(self.vector)}")
        return with_head(x, self.head, x.new_tensor(self.vector))


@dataclass(frozen=True)
class Uniform(AtAttention):
    """Let one head look at all its allowed positions equally: it still mixes, it no longer chooses."""

    head: int

    point = "pattern"

    def __call__(self, x: Tensor, place: Place) -> Tensor:  # (B, H, Q, K)
        allowed = told(place.mask).expand_as(x)[:, 0].to(x.dtype)
        return with_head(x, self.head, allowed / allowed.sum(-1, keepdim=True))


@dataclass(frozen=True)
class Row(AtAttention):
    """Replace one row of a head's pattern by these weights, made to sum to one."""

    head: int
    query: int
    weights: tuple[float, ...]  # over keys from 0 on; what is not given is 0

    point = "pattern"
    why_idle = ": there is no such row"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "weights", tuple(self.weights))  # a list would not hash
        require(self.query >= 0, "query", self.query, "0 or more")
        fine = all(math.isfinite(weight) and weight >= 0 for weight in self.weights)
        require(fine and sum(self.weights) > 0, "weights", self.weights, "0 or more, with a sum above 0")

    def __call__(self, x: Tensor, place: Place) -> Tensor:  # (B, H, Q, K)
        row, keys, mask = self.query - place.start, x.shape[-1], told(place.mask)
        if not 0 <= row < x.shape[2]:
            return x
        for key, weight in enumerate(self.weights):
            if weight and not may_look(mask, row, key, keys):
                raise ValueError(f"row {self.query} cannot look at position {key}: {place.name} masks it")
        largest = max(self.weights)  # in double precision, so that any weights have a sum
        shares = [weight / largest for weight in self.weights[:keys]]
        shares = [share / math.fsum(shares) for share in shares]
        return with_row(x, self.head, row, x.new_tensor([*shares, *[0.0] * (keys - len(shares))]))


@dataclass(frozen=True)
class Cell(AtAttention):
    """Set one weight of a pattern; the rest of its row shares what is left, in its old proportions."""

    head: int
    query: int
    key: int
    weight: float

    point = "pattern"
    why_idle = ": there is no such row"

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.query >= 0, "query", self.query, "0 or more")
        require(self.key >= 0, "key", self.key, "0 or more")
        require(0 <= self.weight <= 1, "weight", self.weight, "between 0 and 1")

    def __call__(self, x: Tensor, place: Place) -> Tensor:  # (B, H, Q, K)
        row, mask = self.query - place.start, told(place.mask)
        if not 0 <= row < x.shape[2]:
            return x
        if not may_look(mask, row, self.key, x.shape[-1]):
            raise ValueError(f"row {self.query} cannot look at position {self.key}: {place.name} masks it")
        elsewhere = mask.expand_as(x)[:, 0, row].clone()  # (B, K)
        elsewhere[:, self.key] = False
        if self.weight < 1 and not elsewhere.any(-1).all():
            raise ValueError(f"row {self.query} can look at position {self.key} only; its weight stays 1")
        others = head_of(x, self.head)[:, row] * elsewhere
        # Where it looked nowhere else, the others it may look at share equally.
        others = torch.where(others.sum(-1, keepdim=True) > 0, others, elsewhere.to(x.dtype))
        weights = others * (1 - self.weight) / others.sum(-1, keepdim=True).clamp_min(1e-30)
        weights[:, self.key] = self.weight
        return with_row(x, self.head, row, weights)


@dataclass(frozen=True)
class Temperature(AtAttention):
    """Divide scores before the softmax: below 1 sharpens, above 1 flattens. One head, or all."""

    value: float
    head: int | None = None

    point = "scores"

    def __post_init__(self) -> None:
        super().__post_init__()
        fine = 1 / LARGEST <= self.value <= LARGEST
        require(fine, "value", self.value, f"above 0, between {1 / LARGEST:g} and {LARGEST:g}")

    def __call__(self, x: Tensor, place: Place) -> Tensor:  # (B, H, Q, K)
        if self.head is None:
            return x / self.value
        return with_head(x, self.head, head_of(x, self.head) / self.value)


@dataclass(frozen=True)
class Unscale(AtAttention):
    """Leave out the division by √d_k. One head, or all."""

    head: int | None = None

    point = "scores"

    def __call__(self, x: Tensor, place: Place) -> Tensor:  # (B, H, Q, K)
        return Temperature(self.where, 1 / math.sqrt(told(place.width)), self.head)(x, place)
