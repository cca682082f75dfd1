"""Changes that copy from another sentence: one head's pattern, or the stream at one point."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from model.inspect.edits.base import (
    SUBLAYERS,
    AtAttention,
    Edit,
    head_of,
    last_part,
    require,
    told,
    with_head,
)
from model.network.hooks import Place


@dataclass(frozen=True)
class CopyHead(AtAttention):
    """Give one head the pattern it has on another sentence of the same length."""

    head: int
    text: str
    target: str | None = None  # the translation forced there; its own by default

    point = "pattern"

    @property
    def decodes(self) -> bool:
        return self.where.startswith("encoder")


@dataclass(frozen=True)
class CopyStream(Edit):
    """Give the stream, at one hook point, the values it has on another sentence of the same length."""

    where: str  # a point of the stream: "encoder.layers.2.after_feed_forward", "encoder.embedding.sum"
    text: str
    target: str | None = None

    def __post_init__(self) -> None:
        fine = last_part(self.where) in (*SUBLAYERS.values(), "sum", "tokens", "output")
        require(fine, "where", self.where, "a point of the stream")

    @property
    def points(self) -> tuple[str, ...]:
        return (self.where,)

    @property
    def decodes(self) -> bool:
        return self.where.startswith("encoder")


@dataclass(frozen=True, eq=False)
class Paste(Edit):
    """A copy whose other sentence has been run: what to put at each point, batch axis left out."""

    copy: CopyHead | CopyStream
    arrays: Mapping[str, np.ndarray] = field(repr=False)

    @property
    def points(self) -> tuple[str, ...]:
        return self.copy.points

    @property
    def decodes(self) -> bool:
        return self.copy.decodes

    def __call__(self, x: Tensor, place: Place) -> Tensor:
        there = torch.from_numpy(np.array(self.arrays[place.name]))[None].to(x)
        if there.shape[1:] != x.shape[1:]:
            raise ValueError(
                f"cannot copy {place.name} from {self.copy.text!r}: it has {tuple(there.shape[1:])} there "
                f"and {tuple(x.shape[1:])} here; the sentences must be equally long"
            )
        if isinstance(self.copy, CopyHead):
            if head_of(there.masked_fill(told(place.mask), 0), self.copy.head).any():
                raise ValueError(f"cannot copy {place.name}: it looks there where it may not look here")
            return with_head(x, self.copy.head, head_of(there, self.copy.head).expand(len(x), -1, -1))
        return there.expand_as(x)
