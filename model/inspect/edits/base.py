"""What all changes share: an Edit is data, frozen, so it can be cached and kept in a link."""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TypeVar

from torch import Tensor

from model.network.hooks import Place

LARGEST = 1e6  # of factors and temperatures: beyond it, single precision has no answer
SUBLAYERS = {  # each sublayer's name, and the point after its layer norm
    "self_attention": "after_attention",
    "cross_attention": "after_cross",
    "feed_forward": "after_feed_forward",
}
Told = TypeVar("Told")


@dataclass(frozen=True)
class Edit:
    """A change at some hook points. It returns the very tensor it got where it has nothing to do."""

    why_idle = ""  # what to tell somebody whose edit never acted although its hook point exists

    @property
    def decodes(self) -> bool:
        """Whether it can act while the translation is being written."""
        return True

    @property
    def points(self) -> tuple[str, ...]:
        """The hook points it acts on, as paths or patterns of paths."""
        return ()

    def __call__(self, x: Tensor, place: Place) -> Tensor:
        return x


@dataclass(frozen=True)
class AtAttention(Edit):
    """A change at one hook point of an attention sublayer, or of all those whose path fits the pattern."""

    where: str

    point = ""  # of the sublayer's hook points, the one it acts on

    def __post_init__(self) -> None:
        sublayers = ("self_attention", "cross_attention")
        fine = any(fnmatchcase(name, last_part(self.where)) for name in sublayers)
        require(fine, "where", self.where, "the path of an attention sublayer")

    @property
    def points(self) -> tuple[str, ...]:
        return (f"{self.where}.{self.point}",)


def require(fine: bool, name: str, value: object, wanted: str) -> None:
    """Refuse a field by its name, its value and what it should be."""
    if not fine:
        raise ValueError(f"{name} must be {wanted}, not {value!r}")


def last_part(path: str) -> str:
    return path.rpartition(".")[2]


def told(value: Told | None) -> Told:
    """What a hook point has to tell an edit that acts there."""
    if value is None:
        raise LookupError("this hook point does not tell what the edit needs to know")
    return value


def head_of(x: Tensor, head: int) -> Tensor:  # (B, H, …) -> (B, …)
    if not 0 <= head < x.shape[1]:
        raise ValueError(f"no head {head}; there are {x.shape[1]}, counted from 0")
    return x[:, head]


def with_head(x: Tensor, head: int, new: Tensor) -> Tensor:
    """A copy in which one head is replaced: never in place, because the tensor may be watched."""
    head_of(x, head)
    changed = x.clone()
    changed[:, head] = new
    return changed


def with_row(x: Tensor, head: int, row: int, weights: Tensor) -> Tensor:
    """A copy in which one row of one head's pattern is replaced."""
    head_of(x, head)
    changed = x.clone()
    changed[:, head, row] = weights
    return changed


def may_look(mask: Tensor, row: int, key: int, keys: int) -> bool:
    """Whether a row of a pattern may look at a key; the mask may be stored once for all rows."""
    row = row if mask.shape[-2] > 1 else 0
    return key < keys and bool(mask[..., row, key].all())
