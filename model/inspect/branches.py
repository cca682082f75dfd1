"""Many variants of one run as blocks of one batch, each branching off where its first edit acts.

A block holds the sentences of the run, mostly one. Block 0 is the run as it is. Before its first edit a
variant is no different from block 0, so its block begins there and costs nothing below. What all blocks
share, as the encoder's output for edits of the decoder, stays one block as long as it can.
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
Depths = tuple[int, int]  # layers of the encoder and of the decoder
INSIDE = ("query", "key", "value", "scores", "mask", "pattern")  # hook points before heads have mixed
CROSS = "decoder.layers.*.cross_attention"
# One sentence fits any number of blocks by broadcasting. Several have to be repeated where blocks meet them.
MET_BY_SEVERAL = ("decoder.embedding.sum", "*.mask", f"{CROSS}.key", f"{CROSS}.value")


class Branches:
    """The edits of all variants as one change. It belongs to one pass through the model."""

    def __init__(self, variants: Sequence[Variant], layers: Depths, sentences: int = 1) -> None:
        self.sentences = sentences
        self.blocks: dict[int, int] = {}  # the block of each variant that has branched off, from 1 on
        self.edits: dict[str, list[tuple[int, Edit]]] = {}  # by hook point, each with its variant
        self.waiting: dict[str, list[int]] = {}  # by hook point, the variants whose blocks begin there
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
        """Where blocks that begin in the decoder read the encoder's output, if that has blocks of its own."""
        if self.sentences > 1:
            return MET_BY_SEVERAL
        stacks = {path.partition(".")[0] for path in self.waiting}
        return (f"{CROSS}.key", f"{CROSS}.value") if len(stacks) == len(STACKS) else ()

    def __call__(self, x: Tensor, place: Place) -> Tensor:  # (B, …), B the rows of all blocks so far
        for number in self.waiting.pop(place.name, ()):
            self.blocks[number] = len(self.blocks) + 1
        edits = self.edits.get(place.name, ())
        if len(x) == 1 and not edits and self.sentences > 1:
            return x  # the same for all, as a causal mask
        if len(x) == 1:
            x = x.expand(self.sentences, *x.shape[1:])
        missing = 1 + len(self.blocks) - len(x) // self.sentences
        if not missing and not edits:
            return x
        first = x[: self.sentences]
        changed = torch.cat((x, first.repeat(missing, *[1] * (x.dim() - 1))))  # a copy: x may be watched
        for number, edit in edits:
            block = self._rows(self.blocks[number])
            before = changed[block]
            after = edit(before, self._of_block(place, block))
            if after is not before:
                self.idle.pop((number, edit), None)
                changed[block] = after
        return changed

    def _rows(self, block: int) -> slice:
        return slice(block * self.sentences, (block + 1) * self.sentences)

    def _of_block(self, place: Place, block: slice) -> Place:
        if place.mask is None and place.before is None:
            return place

        def part(tensor: Tensor | None) -> Tensor | None:
            if tensor is None:
                return None
            # Not begun: the same as block 0.
            return tensor[block] if block.stop <= len(tensor) else tensor[: self.sentences]

        return place._replace(mask=part(place.mask), before=part(place.before))

    @property
    def in_encoder(self) -> bool:
        """Whether anything changes before the decoder."""
        return any(path.startswith("encoder.") for path in self.edits)

    def check_that_all_acted(self) -> None:
        for _, edit in self.idle:
            raise LookupError(f"the edit {edit} never acted{edit.why_idle}")


def _numbered(variants: Sequence[Variant]) -> Iterator[tuple[int, Edit]]:
    return ((number, edit) for number, variant in enumerate(variants) for edit in variant)


def _paths(edit: Edit, layers: Depths) -> list[str]:
    """The hook points at which an edit acts on one block of a batch; refused if it cannot."""
    if not edit.points:
        raise ValueError(f"the edit {edit} acts on the source, so rows of a batch cannot differ by it")
    if any(".embedding.index" in point for point in edit.points):
        raise ValueError(f"the edit {edit} acts on positions, which all rows of a batch share")
    found = [path for point in edit.points for path in _matching(point, layers)]
    if not found:
        raise LookupError(f"no hook point fits the edit {edit}")
    return found


@cache
def _matching(pattern: str, layers: Depths) -> tuple[str, ...]:
    return tuple(path for path in _beginnings(layers) if fnmatchcase(path, pattern))


@cache
def _beginnings(layers: Depths) -> dict[str, str]:
    """Of every hook point where blocks may differ, the point at which such a block must begin; in order.

    From there on, each tensor that meets another has all blocks, or one that fits all; a sublayer's residual
    is passed after its output.
    """
    found: dict[str, str] = {}
    for stack, depth in zip(STACKS, layers, strict=True):
        found |= {path: path for path in (f"{stack}.embedding.tokens", f"{stack}.embedding.sum")}
        for step in sublayers(stack, depth):
            found |= {f"{step.where}.{point}": step.before for point in INSIDE}
            found |= {path: path for path in (f"{step.where}.mixed", f"{step.where}.hidden", step.output)}
            found |= {f"{step.where}.residual": step.output, step.after: step.after}
    return found
