"""Whether a head matters: what is lost without it, what the loss would feel, and how much it writes.

`silenced` is the log-probability that the target loses, `gradient` its first-order guess without the sign
(Michel et al. 2019, without their normalisation by layer), both in nats a target piece.

Shapes   L layers · H heads a layer · N = L · H · Q queries · E head width
"""

from collections.abc import Sequence

import numpy as np
import torch

from model.config import START
from model.hooks import watch
from model.sums import Tally
from model.trace import KINDS, Trace
from model.transformer import Transformer
from model.variants import all_heads, each_variant, log_probs_of

NULL_EVERY = 5  # all this is slow: of the untrained twin, one sentence in five of each half tells enough
KEEP = ("mixed", "*_attention.residual")  # what a trace must have kept for `written`


def silenced(model: Transformer, source: Sequence[int], target: Sequence[int]) -> dict[str, Tally]:
    """For each kind, Σ log p(target) as it is less the same with each head silenced."""
    variants = [(), *((head.silenced,) for head in all_heads(model.config))]
    runs = each_variant(model, source, target, variants, log_probs_of(target))
    totals = np.concatenate([run.sum(-1, dtype=np.float64) for run in runs])
    drops = (totals[0] - totals[1:]).reshape(len(KINDS), -1)  # (kinds, N)
    return {f"{kind}.silenced": Tally(drop, len(target)) for kind, drop in zip(KINDS, drops, strict=True)}


def gradient(model: Transformer, source: Sequence[int], target: Sequence[int]) -> dict[str, Tally]:
    """|Σ mixed · ∂loss/∂mixed| of each head, loss = -Σ log p(target): one forward, one backward."""
    device = model.to_vocabulary.weight.device
    with torch.inference_mode(False), torch.enable_grad():
        ids = (torch.tensor([ids], device=device) for ids in (source, (START, *target[:-1])))
        with watch(["*_attention.mixed"]) as seen:
            logits = model(*ids)
        loss = -logits[0].log_softmax(-1).gather(-1, torch.tensor(target, device=device)[:, None]).sum()
        mixed = {path: tensors[0] for path, tensors in seen.items()}
        slopes = torch.autograd.grad(loss, list(mixed.values()))
    felt = {
        path: (tensor.detach() * slope)[0].double().sum((-1, -2)).abs().cpu().numpy()  # (H)
        for (path, tensor), slope in zip(mixed.items(), slopes, strict=True)
    }
    layers = range(model.config.layers)
    return {
        f"{kind}.gradient": Tally(
            np.concatenate([felt[f"{where.format(layer)}.mixed"] for layer in layers]), len(target)
        )
        for kind, where in KINDS.items()
    }


def written(trace: Trace) -> dict[str, Tally]:
    """How long what each head adds is, beside the stream that it adds to: mean of ‖head‖ / ‖stream‖ a row."""
    found = {}
    for kind, where in KINDS.items():
        output = np.linalg.norm(trace.head_output[kind], axis=-1)  # (L, H, Q)
        stream = np.stack([trace.points[f"{where.format(layer)}.residual"] for layer in range(len(output))])
        share = output / np.maximum(np.linalg.norm(stream, axis=-1), 1e-12)[:, None]
        found[f"{kind}.writes"] = Tally(share.sum(-1).reshape(-1), share.shape[-1])
    return found
