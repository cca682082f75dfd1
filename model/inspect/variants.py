"""One sentence under many changes at once: each row of a batch is the same run with edits of its own.

Silencing every head in turn is a hundred runs; as rows of a few batches they cost as much as a few runs.
Shapes   B rows of a batch · T target rows · V vocabulary
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from model.inspect.edits import Edit, Scale
from model.inspect.trace import KINDS
from model.network.config import START, Config
from model.network.hooks import Place, watch
from model.network.transformer import Transformer

BATCH = 32
Variant = tuple[Edit, ...]
Read = Callable[[Tensor], Tensor]  # what to keep of the logits (B, T, V), one entry a row


class Head(NamedTuple):
    kind: str
    layer: int
    head: int

    @property
    def silenced(self) -> Scale:
        return Scale(KINDS[self.kind].format(self.layer), self.head, 0.0)


def all_heads(config: Config) -> list[Head]:
    """Every head of every kind, from the bottom."""
    return [
        Head(kind, layer, head)
        for kind in KINDS
        for layer in range(config.layers)
        for head in range(config.heads)
    ]


def log_probs_of(target: Sequence[int]) -> Read:
    """The log-probability of every target piece: (B, T)."""
    ids = torch.tensor(target)[None, :, None]
    return lambda logits: logits.log_softmax(-1).gather(-1, ids.to(logits.device).expand(len(logits), -1, 1))[
        ..., 0
    ]


def contrast_of(row: int, this: int, that: int) -> Read:
    """How much likelier one piece is than another at one row, in log-probabilities: (B)."""
    return lambda logits: logits[:, row, this] - logits[:, row, that]


def each_variant(
    model: Transformer, source: Sequence[int], target: Sequence[int], variants: Sequence[Variant], read: Read,
    batch: int = BATCH,
) -> Iterator[np.ndarray]:  # fmt: skip
    """What `read` finds under each variant, in their order, a batch at a time: stop asking to cancel."""
    memory = None
    for start in range(0, len(variants), batch):
        chunk = variants[start : start + batch]
        if all(
            point.startswith("decoder.") for variant in chunk for edit in variant for point in edit.points
        ):
            # Nothing changes before the decoder: the encoder has run once for all of them.
            memory = _encode(model, source) if memory is None else memory
            yield _run(model, None, memory, target, chunk, read)
        else:
            yield _run(model, source, None, target, chunk, read)


@torch.inference_mode()
def _encode(model: Transformer, source: Sequence[int]) -> tuple[Tensor, Tensor]:
    return model.encode(torch.tensor([source], device=model.to_vocabulary.weight.device))


@torch.inference_mode()
def _run(model, source, memory, target, variants, read) -> np.ndarray:
    count, device = len(variants), model.to_vocabulary.weight.device
    read_ids = torch.tensor([[START, *target[:-1]]], device=device).expand(count, -1)
    with watch(edits=[_Rows(tuple(variants))] if any(variants) else []):
        if memory is None:
            memory = model.encode(torch.tensor([source], device=device).expand(count, -1))
        else:
            memory = tuple(part.expand(count, *part.shape[1:]) for part in memory)
        logits = model.predict(model.decode(read_ids, *memory))
    return read(logits).cpu().numpy()


@dataclass(frozen=True)
class _Rows:
    """Edits as one change: row n of the batch gets those of variant n, and no others."""

    variants: tuple[Variant, ...]

    def __post_init__(self) -> None:
        for edit in (edit for variant in self.variants for edit in variant):
            if not edit.points:
                raise ValueError(
                    f"the edit {edit} acts on the source, so rows of a batch cannot differ by it"
                )

    @cached_property
    def points(self) -> tuple[str, ...]:
        found = (point for variant in self.variants for edit in variant for point in edit.points)
        return tuple(dict.fromkeys(found))

    @cached_property
    def _asked(self) -> dict[str, list[tuple[int, Edit]]]:
        return {}

    def _at(self, name: str) -> list[tuple[int, Edit]]:
        if name not in self._asked:
            self._asked[name] = [
                (row, edit)
                for row, variant in enumerate(self.variants)
                for edit in variant
                if any(fnmatchcase(name, point) for point in edit.points)
            ]
        return self._asked[name]

    def __call__(self, x: Tensor, place: Place) -> Tensor:
        changes = self._at(place.name)
        if not changes:
            return x
        changed = x.expand(len(self.variants), *x.shape[1:]).clone()  # a mask may be one for all rows
        for row, edit in changes:
            changed[row] = edit(changed[row : row + 1], _of_row(place, row))[0]
        return changed


def _of_row(place: Place, row: int) -> Place:
    def part(tensor: Tensor | None) -> Tensor | None:
        return tensor if tensor is None or len(tensor) == 1 else tensor[row : row + 1]

    return place._replace(mask=part(place.mask), before=part(place.before))
