"""Many variants of one run as rows of one batch, each branching off where its first edit acts.

Row 0 is the run as it is. Before its first edit a variant is no different from row 0, so its row begins there
and costs nothing below. What all rows share, as the encoder's output for edits of the decoder, stays one row.
"""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cache

import torch
from torch import Tensor

from model.inspect.edits import Edit
from model.inspect.sublayers import sublayers
from model.network.hooks import Place
from model.network.kinds import STACKS

Variant = tuple[Edit, ...]
INSIDE = ("query", "key", "value", "scores", "mask", "pattern")  # hook points before heads have mixed
CROSS = "decoder.layers.*.cross_attention"


class Branches:
    """The edits of all variants as one change. It belongs to one pass through the model."""

    def __init__(self, variants: Sequence[Variant], layers: int) -> None:
        self.rows: dict[int, int] = {}  # the row of each variant that has branched off, from 1 on
        self.edits: dict[str, list[tuple[int, Edit]]] = {}  # by hook point, each with its variant
        self.waiting: dict[str, list[int]] = {}  # by hook point, the variants whose rows begin there
        self.idle = {(number, edit): None for number, edit in _numbered(variants)}
        beginnings = _beginnings(layers)
        order = {path: place for place, path in enumerate(dict.fromkeys(beginnings.values()))}
        places: dict[int, list[str]] = {}
        for number, edit in _numbered(variants):
            for path in _paths(edit, layers):
                self.edits.setdefault(path, []).append((number, edit))
                places.setdefault(number, []).append(beginnings[path])
        for number, found in places.items():
            self.waiting.setdefault(min(found, key=order.__getitem__), []).append(number)
        patterns = [point for _, edit in self.idle for point in edit.points]
        begun = [path for found in places.values() for path in found]
        self.points = tuple(dict.fromkeys((*patterns, *begun, "*.residual", *self._points_of_memory())))

    def _points_of_memory(self) -> tuple[str, ...]:
        """Where rows that begin in the decoder read the encoder's output, if that has rows of its own."""
        stacks = {path.partition(".")[0] for path in self.waiting}
        return (f"{CROSS}.key", f"{CROSS}.value") if len(stacks) == len(STACKS) else ()

    def __call__(self, x: Tensor, place: Place) -> Tensor:  # (B, …), B the rows so far
        for number in self.waiting.pop(place.name, ()):
            self.rows[number] = len(self.rows) + 1
        missing, edits = 1 + len(self.rows) - len(x), self.edits.get(place.name, ())
        if not missing and not edits:
            return x
        changed = torch.cat((x, x[:1].expand(missing, *x.shape[1:])))  # a copy: x may be watched
        for number, edit in edits:
            row = self.rows[number]
            before = changed[row : row + 1]
            after = edit(before, _of_row(place, row))
            if after is not before:
                self.idle.pop((number, edit), None)
                changed[row] = after[0]
        return changed

    @property
    def in_encoder(self) -> bool:
        """Whether anything changes before the decoder."""
        return any(path.startswith("encoder.") for path in self.edits)

    def check_that_all_acted(self) -> None:
        for _, edit in self.idle:
            raise LookupError(f"the edit {edit} never acted{edit.why_idle}")


def _numbered(variants: Sequence[Variant]) -> Iterator[tuple[int, Edit]]:
    return ((number, edit) for number, variant in enumerate(variants) for edit in variant)


def _of_row(place: Place, row: int) -> Place:
    if place.mask is None and place.before is None:
        return place

    def part(tensor: Tensor | None) -> Tensor | None:
        if tensor is None:
            return None
        return tensor[row : row + 1] if row < len(tensor) else tensor[:1]  # not begun: the same as row 0

    return place._replace(mask=part(place.mask), before=part(place.before))


def _paths(edit: Edit, layers: int) -> list[str]:
    """The hook points at which an edit acts on one row of a batch; refused if it cannot."""
    if not edit.points:
        raise ValueError(f"the edit {edit} acts on the source, so rows of a batch cannot differ by it")
    if any(".embedding.index" in point for point in edit.points):
        raise ValueError(f"the edit {edit} acts on positions, which all rows of a batch share")
    found = [path for point in edit.points for path in _matching(point, layers)]
    if not found:
        raise LookupError(f"no hook point fits the edit {edit}")
    return found


@cache
def _matching(pattern: str, layers: int) -> tuple[str, ...]:
    return tuple(path for path in _beginnings(layers) if fnmatchcase(path, pattern))


@cache
def _beginnings(layers: int) -> dict[str, str]:
    """Of every hook point where rows may differ, the point at which such a row must begin; in their order.

    From there on, each tensor that meets another has all rows, or one that fits all; a sublayer's residual is
    passed after its output.
    """
    found: dict[str, str] = {}
    for stack in STACKS:
        found |= {path: path for path in (f"{stack}.embedding.tokens", f"{stack}.embedding.sum")}
        for step in sublayers(stack, layers):
            found |= {f"{step.where}.{point}": step.before for point in INSIDE}
            found |= {path: path for path in (f"{step.where}.mixed", f"{step.where}.hidden", step.output)}
            found |= {f"{step.where}.residual": step.output, step.after: step.after}
    return found
