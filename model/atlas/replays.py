"""Many finished translations replayed at once: what the measures of heads need of each, and no more.

One padded batch costs a fraction of as many runs. Padding changes nothing: nobody may look at it, and the
loss does not feel it. Patterns, writing and gradients come from the same forward and one backward.

Shapes   B sentences · H heads a layer · N = layers · H · Q queries · K keys · E head width · D width
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from model.atlas.sums import Tally
from model.decoding.search import pad
from model.inspect.trace import KINDS
from model.network.config import PAD, START
from model.network.hooks import watch
from model.network.transformer import Transformer
from model.text.tokenizer import Tokenizer, Tokens

CELLS = 32 * 48 * 48  # of one head's patterns in a batch: bounds memory, however long sentences are
STRETCH = 1.5  # the longest sentence of a batch over its shortest: the rest would be padding
POINTS = ("pattern", "mask", "mixed", "residual")


class Replay(NamedTuple):
    """One sentence's run with its target; arrays by kind."""

    source: Tokens
    read: Tokens
    predicted: Tokens
    attention: Mapping[str, np.ndarray]  # (N, Q, K)
    mask: Mapping[str, np.ndarray]  # (Q, K), the same for all heads
    importance: Mapping[str, Tally]  # `kind.writes` and `kind.gradient`


def replay_many(
    model: Transformer,
    tokenizer: Tokenizer,
    sources: Sequence[Sequence[int]],
    targets: Sequence[Sequence[int]],
) -> Iterator[tuple[int, Replay]]:
    """Each sentence's place in the list with its replay, shortest first: little is padding."""
    sizes = [max(map(len, pair)) for pair in zip(sources, targets, strict=True)]
    batch: list[int] = []
    for place in sorted(range(len(sizes)), key=lambda place: sizes[place]):
        full = (len(batch) + 1) * sizes[place] ** 2 > CELLS
        if batch and (full or sizes[place] > STRETCH * sizes[batch[0]]):
            yield from _replay(model, tokenizer, batch, sources, targets)
            batch = []
        batch.append(place)
    if batch:
        yield from _replay(model, tokenizer, batch, sources, targets)


def _replay(model, tokenizer, places, sources, targets) -> Iterator[tuple[int, Replay]]:
    reads = [(START, *targets[place][:-1]) for place in places]
    with torch.inference_mode(False), torch.enable_grad():
        seen, slopes = _run(model, [sources[place] for place in places], reads, [targets[p] for p in places])
        by_kind = {kind: _stacked(model, kind, seen, slopes) for kind in KINDS}
    for row, (place, read) in enumerate(zip(places, reads, strict=True)):
        lengths = {"encoder": (len(sources[place]),) * 2, "decoder": (len(read),) * 2}
        lengths["cross"] = len(read), len(sources[place])
        parts = {kind: _of_row(by_kind[kind], row, *lengths[kind]) for kind in KINDS}
        importance = {}
        for kind, part in parts.items():
            importance[f"{kind}.writes"] = Tally(part["writes"], lengths[kind][0])
            importance[f"{kind}.gradient"] = Tally(part["gradient"], len(read))
        attention, mask = ({kind: part[name] for kind, part in parts.items()} for name in ("pattern", "mask"))
        tokens = (tokenizer.tokens(ids) for ids in (sources[place], read, targets[place]))
        yield place, Replay(*tokens, attention, mask, importance)


def _run(model: Transformer, sources, reads, targets) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """What passed the hook points, and the gradient of -Σ log p(target) at what heads hand to W_O."""
    device = model.to_vocabulary.weight.device
    with watch([f"*_attention.{point}" for point in POINTS]) as seen:
        hidden = model.decode(pad(reads).to(device), *model.encode(pad(sources).to(device)))
    target = pad(targets).to(device)
    real = target != PAD
    loss = F.cross_entropy(model.predict(hidden[real]), target[real], reduction="sum")
    mixed = [path for path in seen if path.endswith(".mixed")]
    found = torch.autograd.grad(loss, [seen[path][0] for path in mixed])
    return {path: tensors[0].detach() for path, tensors in seen.items()}, dict(zip(mixed, found, strict=True))


def _stacked(model: Transformer, kind: str, seen: Mapping[str, Tensor], slopes: Mapping[str, Tensor]) -> dict:
    """All layers of one kind side by side: pattern (B, N, Q, K), writes (B, N, Q), gradient (B, N)."""
    patterns, writes, gradients = [], [], []
    for layer in range(model.config.layers):
        path = KINDS[kind].format(layer)
        mixed, stream = seen[f"{path}.mixed"], seen[f"{path}.residual"]
        patterns.append(seen[f"{path}.pattern"])
        length = written_length(mixed, model.get_submodule(path).to_output.weight.detach())
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
