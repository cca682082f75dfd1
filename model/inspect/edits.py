"""Changes one can make to a run. They are data: frozen, so they can be cached and kept in a link.

Each acts at hook points and is told the absolute position of the rows it sees, so it means the same
in cached decoding and in the replay. What cannot act while decoding (`decodes` is False) acts in the
replay only. `where` is the path of an attention or feed-forward sublayer, or a pattern of such paths:
"encoder.layers.2.self_attention", "decoder.layers.*.cross_attention".
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

import numpy as np
import torch
from torch import Tensor

from model.network.hooks import Place
from model.text.tokenizer import Tokens

LARGEST = 1e6  # of factors and temperatures: beyond it, single precision has no answer
STACKS = ("encoder", "decoder")
PARTS = ("sublayer", "residual", "norm")
SUBLAYERS = {  # each sublayer's name, and the point after its layer norm
    "self_attention": "after_attention",
    "cross_attention": "after_cross",
    "feed_forward": "after_feed_forward",
}


@dataclass(frozen=True)
class Edit:
    """What all changes share. An edit returns the very tensor it got where it has nothing to do."""

    decodes = True  # whether it can act while the translation is being written
    why_idle = ""  # what to tell somebody whose edit never acted although its hook point exists

    @property
    def points(self) -> tuple[str, ...]:
        return ()

    def __call__(self, x: Tensor, place: Place) -> Tensor:
        return x


@dataclass(frozen=True)
class Scale(Edit):
    """Multiply what one head hands to W_O: 0 silences it, 1 leaves it alone, 2 doubles it."""

    where: str
    head: int
    factor: float = 0.0

    def __post_init__(self) -> None:
        _check_attention(self.where)
        _check(abs(self.factor) <= LARGEST, "factor", self.factor, f"at most {LARGEST:g} in size")

    @property
    def points(self) -> tuple[str, ...]:
        return (f"{self.where}.mixed",)

    def __call__(self, x: Tensor, place: Place) -> Tensor:  # (B, H, Q, E)
        return _with_head(x, self.head, _head(x, self.head) * self.factor)


@dataclass(frozen=True)
class Uniform(Edit):
    """Let one head look at all its allowed positions alike: it still mixes, it no longer chooses."""

    where: str
    head: int

    def __post_init__(self) -> None:
        _check_attention(self.where)

    @property
    def points(self) -> tuple[str, ...]:
        return (f"{self.where}.pattern",)

    def __call__(self, x: Tensor, place: Place) -> Tensor:  # (B, H, Q, K)
        allowed = place.mask.expand_as(x)[:, 0].to(x.dtype)
        return _with_head(x, self.head, allowed / allowed.sum(-1, keepdim=True))


@dataclass(frozen=True)
class Row(Edit):
    """Replace one row of a head's pattern by these weights, made to sum to one."""

    where: str
    head: int
    query: int
    weights: tuple[float, ...]  # over keys from 0 on; what is not given is 0

    why_idle = ": there is no such row"

    def __post_init__(self) -> None:
        _check_attention(self.where)
        object.__setattr__(self, "weights", tuple(self.weights))  # a list would not hash
        _check(self.query >= 0, "query", self.query, "0 or more")
        fine = all(math.isfinite(weight) and weight >= 0 for weight in self.weights)
        _check(fine and sum(self.weights) > 0, "weights", self.weights, "0 or more, with a sum above 0")

    @property
    def points(self) -> tuple[str, ...]:
        return (f"{self.where}.pattern",)

    def __call__(self, x: Tensor, place: Place) -> Tensor:  # (B, H, Q, K)
        row, keys = self.query - place.start, x.shape[-1]
        if not 0 <= row < x.shape[2]:
            return x
        for key, weight in enumerate(self.weights):
            if weight and not _may_look(place, row, key, keys):
                raise ValueError(f"row {self.query} cannot look at position {key}: {place.name} masks it")
        largest = max(self.weights)  # in double precision, so that any weights have a sum
        shares = [weight / largest for weight in self.weights[:keys]]
        shares = [share / math.fsum(shares) for share in shares]
        return _with_row(x, self.head, row, x.new_tensor([*shares, *[0.0] * (keys - len(shares))]))


@dataclass(frozen=True)
class Cell(Edit):
    """Set one weight of a pattern; the rest of its row shares what is left, in its old proportions."""

    where: str
    head: int
    query: int
    key: int
    weight: float

    why_idle = ": there is no such row"

    def __post_init__(self) -> None:
        _check_attention(self.where)
        _check(self.query >= 0, "query", self.query, "0 or more")
        _check(self.key >= 0, "key", self.key, "0 or more")
        _check(0 <= self.weight <= 1, "weight", self.weight, "between 0 and 1")

    @property
    def points(self) -> tuple[str, ...]:
        return (f"{self.where}.pattern",)

    def __call__(self, x: Tensor, place: Place) -> Tensor:  # (B, H, Q, K)
        row = self.query - place.start
        if not 0 <= row < x.shape[2]:
            return x
        if not _may_look(place, row, self.key, x.shape[-1]):
            raise ValueError(f"row {self.query} cannot look at position {self.key}: {place.name} masks it")
        elsewhere = place.mask.expand_as(x)[:, 0, row].clone()  # (B, K)
        elsewhere[:, self.key] = False
        if self.weight < 1 and not elsewhere.any(-1).all():
            raise ValueError(f"row {self.query} can look at position {self.key} only; its weight stays 1")
        others = _head(x, self.head)[:, row] * elsewhere
        # Where it looked nowhere else, the others it may look at share alike.
        others = torch.where(others.sum(-1, keepdim=True) > 0, others, elsewhere.to(x.dtype))
        weights = others * (1 - self.weight) / others.sum(-1, keepdim=True).clamp_min(1e-30)
        weights[:, self.key] = self.weight
        return _with_row(x, self.head, row, weights)


@dataclass(frozen=True)
class Hide(Edit):
    """Nobody may look at one source piece, neither in the encoder nor from the decoder."""

    position: int

    def __post_init__(self) -> None:
        _check(self.position >= 0, "position", self.position, "0 or more")

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
class Temperature(Edit):
    """Divide scores before the softmax: below 1 sharpens, above 1 flattens. One head, or all."""

    where: str
    value: float
    head: int | None = None

    def __post_init__(self) -> None:
        _check_attention(self.where)
        fine = 1 / LARGEST <= self.value <= LARGEST
        _check(fine, "value", self.value, f"above 0, between {1 / LARGEST:g} and {LARGEST:g}")

    @property
    def points(self) -> tuple[str, ...]:
        return (f"{self.where}.scores",)

    def __call__(self, x: Tensor, place: Place) -> Tensor:  # (B, H, Q, K)
        if self.head is None:
            return x / self.value
        return _with_head(x, self.head, _head(x, self.head) / self.value)


@dataclass(frozen=True)
class Unscale(Edit):
    """Leave out the division by √d_k. One head, or all."""

    where: str
    head: int | None = None

    def __post_init__(self) -> None:
        _check_attention(self.where)

    @property
    def points(self) -> tuple[str, ...]:
        return (f"{self.where}.scores",)

    def __call__(self, x: Tensor, place: Place) -> Tensor:  # (B, H, Q, K)
        return Temperature(self.where, 1 / math.sqrt(place.width), self.head)(x, place)


@dataclass(frozen=True)
class PositionsOff(Edit):
    """Take the order of words away from one stack."""

    stack: str = "encoder"

    why_idle = ": this model has no positions to change"

    def __post_init__(self) -> None:
        _check(self.stack in STACKS, "stack", self.stack, " or ".join(STACKS))

    @property
    def points(self) -> tuple[str, ...]:
        return f"{self.stack}.embedding.index", f"{self.stack}.embedding.positions"

    def __call__(self, x: Tensor, place: Place) -> Tensor:
        # Rotary positions are told by numbers alone: at one and the same place, no offset is left.
        return torch.zeros_like(x)


@dataclass(frozen=True)
class PositionsShift(Edit):
    """Pretend that a stack's first word stands at position `by`."""

    by: int
    stack: str = "encoder"

    why_idle = ": this model has no positions to change"

    def __post_init__(self) -> None:
        _check(self.by >= 0, "by", self.by, "0 or more")
        _check(self.stack in STACKS, "stack", self.stack, " or ".join(STACKS))

    @property
    def points(self) -> tuple[str, ...]:
        return (f"{self.stack}.embedding.index",)

    def __call__(self, index: Tensor, place: Place) -> Tensor:  # (T)
        last = int(index[-1]) + self.by
        if last >= place.length:
            raise ValueError(f"shifted by {self.by}, the last position is {last}; there are {place.length}")
        return index + self.by


@dataclass(frozen=True)
class Shuffle(Edit):
    """Deal the source pieces in another order, the same for every sentence of this length."""

    seed: int = 0

    def __post_init__(self) -> None:
        _check(self.seed >= 0, "seed", self.seed, "0 or more")

    def reorder(self, tokens: Tokens) -> Tokens:
        """The end token stays at the end, and never everything stays in its place."""
        count, dice = len(tokens.ids) - 1, np.random.default_rng(self.seed)
        if count < 2:
            raise ValueError("one piece cannot be shuffled; type a longer sentence")
        order = list(range(count))
        while order == sorted(order):
            order = dice.permutation(count).tolist()
        return Tokens(*(tuple(part[place] for place in (*order, -1)) for part in tokens))


@dataclass(frozen=True)
class LiftMask(Edit):
    """Let the decoder see the future. There is none while decoding, so this acts in the replay."""

    decodes = False

    @property
    def points(self) -> tuple[str, ...]:
        return ("decoder.layers.*.self_attention.mask",)

    def __call__(self, mask: Tensor, place: Place) -> Tensor:  # (1, 1, T, T)
        return mask | mask.mT  # as far ahead as it sees back: a window stays a window


@dataclass(frozen=True)
class Skip(Edit):
    """Leave out a sublayer, the residual connection around it, or the layer norm after it."""

    where: str
    part: str = "sublayer"

    def __post_init__(self) -> None:
        _check(_sublayer(self.where) in SUBLAYERS, "where", self.where, "the path of a sublayer")
        _check(self.part in PARTS, "part", self.part, " or ".join(PARTS))

    @property
    def points(self) -> tuple[str, ...]:
        if self.part == "norm":
            layer, _, sublayer = self.where.rpartition(".")
            return (f"{layer}.{SUBLAYERS[sublayer]}",)
        return (f"{self.where}.{'output' if self.part == 'sublayer' else 'residual'}",)

    def __call__(self, x: Tensor, place: Place) -> Tensor:
        return place.before if self.part == "norm" else torch.zeros_like(x)


@dataclass(frozen=True)
class CopyHead(Edit):
    """Give one head the pattern it has on another sentence of the same length."""

    where: str
    head: int
    text: str
    target: str | None = None  # the translation forced there; its own by default

    def __post_init__(self) -> None:
        _check_attention(self.where)

    @property
    def points(self) -> tuple[str, ...]:
        return (f"{self.where}.pattern",)

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
        fine = self.where.rpartition(".")[2] in (*SUBLAYERS.values(), "sum", "tokens", "output")
        _check(fine, "where", self.where, "a point of the stream")

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
            if _head(there.masked_fill(place.mask, 0), self.copy.head).any():
                raise ValueError(f"cannot copy {place.name}: it looks there where it may not look here")
            return _with_head(x, self.copy.head, _head(there, self.copy.head).expand(len(x), -1, -1))
        return there.expand_as(x)


def _check(fine: bool, name: str, value: object, wanted: str) -> None:
    if not fine:
        raise ValueError(f"{name} must be {wanted}, not {value!r}")


def _check_attention(where: str) -> None:
    sublayers = ("self_attention", "cross_attention")
    fine = any(fnmatchcase(name, _sublayer(where)) for name in sublayers)
    _check(fine, "where", where, "the path of an attention sublayer")


def _sublayer(where: str) -> str:
    return where.rpartition(".")[2]


def _head(x: Tensor, head: int) -> Tensor:  # (B, H, …) -> (B, …)
    if not 0 <= head < x.shape[1]:
        raise ValueError(f"no head {head}; there are {x.shape[1]}, counted from 0")
    return x[:, head]


def _with_head(x: Tensor, head: int, new: Tensor) -> Tensor:
    _head(x, head)
    changed = x.clone()  # never in place: the tensor may be watched
    changed[:, head] = new
    return changed


def _with_row(x: Tensor, head: int, row: int, weights: Tensor) -> Tensor:
    _head(x, head)
    changed = x.clone()
    changed[:, head, row] = weights
    return changed


def _may_look(place: Place, row: int, key: int, keys: int) -> bool:
    mask = place.mask
    row = row if mask.shape[-2] > 1 else 0
    return key < keys and bool(mask[..., row, key].all())
