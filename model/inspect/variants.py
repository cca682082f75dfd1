"""One sentence under many changes at once: each variant is the same run with edits of its own.

Silencing every head in turn is a hundred runs; as rows of a few batches they cost as much as a few runs.
Shapes   B rows of a batch · R sentences · S source positions · T target rows · D width · V vocabulary
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from model.inspect.branches import Branches, Variant
from model.inspect.edits import Scale
from model.network.batches import read_ids
from model.network.config import Config
from model.network.hooks import watch
from model.network.kinds import KINDS
from model.network.transformer import Transformer

BATCH = 32
POSITIONS = 512  # whose logits are computed together: they should not leave the processor's cache
Read = Callable[[Tensor], Tensor]  # what to keep of the logits (B, T, V), one entry per row
Memory = tuple[Tensor, Tensor]  # the encoder's output and its mask


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
        for layer in range(config.depth(kind))
        for head in range(config.heads)
    ]


def by_kind(config: Config, values: np.ndarray) -> dict[str, np.ndarray]:
    """Values of all heads, in the order of `all_heads`, as one array a kind."""
    ends = np.cumsum([config.depth(kind) * config.heads for kind in KINDS])
    return dict(zip(KINDS, np.split(values, ends[:-1]), strict=True))


def log_probs_of(target: Sequence[int]) -> Read:
    """The log-probability of every target piece: (B, T)."""
    ids = torch.tensor(target)[None, :, None]

    def read(logits: Tensor) -> Tensor:
        wanted = ids.to(logits.device).expand(len(logits), -1, 1)
        return logits.log_softmax(-1).gather(-1, wanted)[..., 0]

    return read


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
        found, memory = _run(model, source, memory, target, variants[start : start + batch], read)
        yield found


@torch.inference_mode()
def _run(
    model: Transformer, source: Sequence[int], memory: Memory | None, target: Sequence[int],
    variants: Sequence[Variant], read: Read,
) -> tuple[np.ndarray, Memory]:  # fmt: skip
    """One batch, and the encoder's output without edits: where only the decoder changes, it serves again."""
    said, written = (torch.tensor([ids], device=model.device) for ids in (source, read_ids(target)))
    hidden, memory = hidden_states(model, said, written, variants, memory)
    rows = hidden[:, 0].split(max(1, POSITIONS // len(target)))
    return torch.cat([read(model.predict(some)) for some in rows]).cpu().numpy(), memory


def hidden_states(
    model: Transformer, source: Tensor, read: Tensor, variants: Sequence[Variant],
    memory: Memory | None = None,
) -> tuple[Tensor, Memory]:  # fmt: skip  # (R, S), (R, T) -> (variants, R, T, D)
    """The decoder's output for every variant of these sentences, and the encoder's without edits."""
    branches = Branches(variants, (model.config.layers, model.config.depth("decoder")), len(source))
    with watch(edits=[branches] if any(variants) else []):
        encoded = model.encode(source) if memory is None or branches.in_encoder else memory
        hidden = model.decode(read, *encoded)
    branches.check_that_all_acted()
    hidden = hidden.unflatten(0, (-1, len(source)))
    # In the order of the variants; one without edits is block 0.
    hidden = hidden[[branches.blocks.get(number, 0) for number in range(len(variants))]]
    return hidden, (encoded[0][: len(source)], encoded[1][: len(source)])
