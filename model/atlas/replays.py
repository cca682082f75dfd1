"""Many finished translations replayed at once: what the measures of heads need of each, and no more.

One padded batch costs a fraction of as many runs. Padding changes nothing: no position may look at it, and
the loss leaves it out. Patterns, writing and gradients come from the same forward and one backward.

Shapes   B sentences · H heads per layer · N = layers · H · Q queries · K keys · E head width · D width
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from model.atlas.sums import Tally
from model.network.batches import pad, read_ids
from model.network.config import PAD
from model.network.hooks import watch
from model.network.kinds import KINDS, sides
from model.network.transformer import Transformer
from model.text.tokenizer import Tokenizer, Tokens

CELLS = 32 * 48 * 48  # of one head's patterns in a batch: bounds memory, however long sentences are
STRETCH = 1.5  # the longest sentence of a batch over its shortest: the rest would be padding
POINTS = ("pattern", "mask", "mixed", "residual")
Ids = Sequence[int]


class Replay(NamedTuple):
    """One sentence's run with its target; arrays by kind."""

    source: Tokens
    read: Tokens
    predicted: Tokens
    attention: Mapping[str, np.ndarray]  # (N, Q, K)
    mask: Mapping[str, np.ndarray]  # (Q, K), the same for all heads
    importance: Mapping[str, Tally]  # `kind.writes` and `kind.gradient`


def replay_many(
    model: Transformer, tokenizer: Tokenizer, sources: Sequence[Ids], targets: Sequence[Ids]
) -> Iterator[tuple[int, Replay]]:
    """Each sentence's place in the list with its replay, shortest first: little is padding."""
    pairs = list(zip(sources, targets, strict=True))
    sizes = [max(map(len, pair)) for pair in pairs]
    batch: list[int] = []
    for place in sorted(range(len(sizes)), key=lambda place: sizes[place]):
        full = (len(batch) + 1) * sizes[place] ** 2 > CELLS
        if batch and (full or sizes[place] > STRETCH * sizes[batch[0]]):
            yield from _replay(model, tokenizer, batch, pairs)
            batch = []
        batch.append(place)
    if batch:
        yield from _replay(model, tokenizer, batch, pairs)


def _replay(
    model: Transformer, tokenizer: Tokenizer, places: Sequence[int], pairs: Sequence[tuple[Ids, Ids]]
) -> Iterator[tuple[int, Replay]]:
    with torch.inference_mode(False), torch.enable_grad():
        seen, slopes = _run(model, [pairs[place] for place in places])
        by_kind = {kind: _stacked(model, kind, seen, slopes) for kind in KINDS}
    for row, place in enumerate(places):
        source, target = pairs[place]
        lengths = sides(len(source), len(target))
        parts = {kind: _of_row(by_kind[kind], row, *lengths[kind]) for kind in KINDS}
        importance = {}
        for kind, part in parts.items():
            importance[f"{kind}.writes"] = Tally(part["writes"], lengths[kind][0])
            importance[f"{kind}.gradient"] = Tally(part["gradient"], len(target))
        attention, mask = ({kind: part[name] for kind, part in parts.items()} for name in ("pattern", "mask"))
        said, read, predicted = (tokenizer.tokens(ids) for ids in (source, read_ids(target), target))
        yield place, Replay(said, read, predicted, attention, mask, importance)


def _run(model: Transformer, pairs: Sequence[tuple[Ids, Ids]]) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """What passed the hook points, and the gradient of -Σ log p(target) at what heads hand to W_O."""
    sources, targets = zip(*pairs, strict=True)
    source, read, target = (
        pad(side).to(model.device) for side in (sources, [read_ids(target) for target in targets], targets)
    )
    with watch([f"*_attention.{point}" for point in POINTS]) as seen:
        hidden = model.decode(read, *model.encode(source))
    real = target != PAD
    loss = F.cross_entropy(model.predict(hidden[real]), target[real], reduction="sum")
    mixed = [path for path in seen if path.endswith(".mixed")]
    found = torch.autograd.grad(loss, [seen[path][0] for path in mixed])
    return {path: tensors[0].detach() for path, tensors in seen.items()}, dict(zip(mixed, found, strict=True))


def _stacked(
    model: Transformer, kind: str, seen: Mapping[str, Tensor], slopes: Mapping[str, Tensor]
) -> dict[str, np.ndarray]:
    """All layers of one kind side by side: pattern (B, N, Q, K), writes (B, N, Q), gradient (B, N)."""
    patterns, writes, gradients = [], [], []
    for layer in range(model.config.depth(kind)):
        path = KINDS[kind].format(layer)
        mixed, stream = seen[f"{path}.mixed"], seen[f"{path}.residual"]
        patterns.append(seen[f"{path}.pattern"])
        length = written_length(mixed, model.attention(path).to_output.weight.detach())
        writes.append(length / stream.norm(dim=-1).clamp_min(1e-12)[:, None])
        gradients.append((mixed * slopes[f"{path}.mixed"]).double().sum((-1, -2)).abs())
    mask = seen[f"{KINDS[kind].format(0)}.mask"].expand(len(patterns[0]), 1, *patterns[0].shape[-2:])
    stacked = {"pattern": patterns, "writes": writes, "gradient": gradients}
    joined = {name: torch.cat(tensors, 1).cpu().numpy() for name, tensors in stacked.items()}
    return {**joined, "mask": mask[:, 0].cpu().numpy()}


def written_length(mixed: Tensor, weight: Tensor) -> Tensor:  # (B, H, Q, E), (D, D) -> (B, H, Q)
    """‖W m‖ of each head's slice W of W_O, as √(mᵀ WᵀW m): the D numbers that it writes are never made."""
    slices = weight.unflatten(1, (mixed.shape[1], -1)).transpose(0, 1)  # (H, D, E)
    return ((mixed @ (slices.mT @ slices)) * mixed).sum(-1).clamp_min(0).sqrt()


def _of_row(arrays: Mapping[str, np.ndarray], row: int, queries: int, keys: int) -> dict[str, np.ndarray]:
    return {
        "pattern": arrays["pattern"][row, :, :queries, :keys],
        "mask": arrays["mask"][row, :queries, :keys],
        "writes": arrays["writes"][row, :, :queries].sum(-1, dtype=np.float64),
        "gradient": arrays["gradient"][row],
    }
