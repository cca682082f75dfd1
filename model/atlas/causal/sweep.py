"""How each of many variants of the model decides each of many contrasts.

Decisions of about equal length run together, and so do as many variants as fit: one batch is blocks of
sentences, one block a variant. Nothing is computed after the row that decides, or before a variant's edit.

Shapes   V variants · R decisions · D width
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch

from model.atlas.causal.decisions import Decision
from model.inspect.branches import Variant
from model.inspect.variants import Memory, hidden_states
from model.network.batches import pad
from model.network.transformer import Transformer

ROWS = 16  # decisions that run together
SEQUENCES = 512  # decisions × variants of a batch


class Choices(NamedTuple):
    """What the model makes of each decision under each variant: arrays (V, R)."""

    gap: np.ndarray  # log p(right) - log p(wrong), in nats
    top: np.ndarray  # the likeliest piece of all; -1 where nobody asked


def in_batches(decisions: Sequence[Decision], rows: int = ROWS) -> Iterator[list[Decision]]:
    """Decisions of similar length together: little is padding."""
    order = sorted(decisions, key=lambda each: (len(each.source), len(each.read), each.number))
    yield from (order[start : start + rows] for start in range(0, len(order), rows))


@torch.inference_mode()
def choices(
    model: Transformer, decisions: Sequence[Decision], variants: Sequence[Variant], top: bool = False
) -> Choices:
    """The gap for each variant (V) of these decisions (R), together; `top`: the likeliest piece, too.

    The gap needs two of the vocabulary's logits, the likeliest piece all of them.
    """
    source, read = (
        pad(ids).to(model.device)
        for ids in ([each.source for each in decisions], [each.read for each in decisions])
    )
    rows = torch.arange(len(decisions), device=model.device)
    last = torch.tensor([len(each.read) - 1 for each in decisions], device=model.device)
    right, wrong = (
        model.to_vocabulary.weight[[getattr(each, side) for each in decisions]] for side in ("right", "wrong")
    )  # (R, D)
    offset: torch.Tensor | float = 0.0
    if model.vocabulary_bias is not None:  # (R)
        bias = model.vocabulary_bias.detach()
        offset = bias[[each.right for each in decisions]] - bias[[each.wrong for each in decisions]]
    memory: Memory | None = None
    size = max(1, SEQUENCES // len(decisions))
    gaps, tops = [], []
    for start in range(0, len(variants), size):
        hidden, memory = hidden_states(model, source, read, variants[start : start + size], memory)
        deciding = hidden[:, rows, last]  # (V, R, D)
        gaps.append((deciding * (right - wrong)).sum(-1) + offset)
        tops.append(model.predict(deciding).argmax(-1) if top else last.new_full(deciding.shape[:2], -1))
    return Choices(torch.cat(gaps).double().cpu().numpy(), torch.cat(tops).cpu().numpy())
