"""The loss of choosing from a vocabulary, some rows at a time.

The logits are a batch's largest tensor by far, and their softmax and its gradient are as large. Of a few rows
all of it stays in the processor's cache; the gradients are made on the way, so that nothing is kept.

Shapes   N rows · D width · V vocabulary
"""

from typing import Any

import torch
from torch import Tensor

ROWS = 256


def vocabulary_loss(hidden: Tensor, table: Tensor, right: Tensor, smoothing: float) -> tuple[Tensor, Tensor]:
    """Sums over the rows of `hidden` (N, D): cross-entropy with label smoothing, and without.

    `table` (V, D) makes the logits, `right` (N) are the ids to choose. Only the first sum has a gradient.
    """
    smoothed, plain = _InParts.apply(hidden, table, right, smoothing)
    return smoothed, plain


class _InParts(torch.autograd.Function):
    @staticmethod
    def forward(
        context: Any, hidden: Tensor, table: Tensor, right: Tensor, smoothing: float
    ) -> tuple[Tensor, Tensor]:
        to_hidden = torch.empty_like(hidden)
        to_table = torch.zeros_like(table, dtype=torch.float32)
        smoothed, plain = (torch.zeros((), device=hidden.device) for _ in range(2))
        for begin in range(0, len(hidden), ROWS):
            rows = slice(begin, begin + ROWS)
            chosen = right[rows, None]
            logits = (hidden[rows] @ table.T).float()  # (N, V)
            normaliser = logits.logsumexp(-1, keepdim=True)
            surprise = (normaliser - logits.gather(-1, chosen)).sum()
            everything = normaliser.sum() - logits.sum() / len(table)  # the mean surprise of all choices
            plain += surprise
            smoothed += (1 - smoothing) * surprise + smoothing * everything
            # What the softmax gives, less what is asked for: p - q.
            apart = logits.sub_(normaliser).exp_().sub_(smoothing / len(table))
            apart.scatter_add_(-1, chosen, apart.new_full(chosen.shape, smoothing - 1))
            apart = apart.to(hidden.dtype)
            to_hidden[rows] = apart @ table
            to_table += apart.T @ hidden[rows]
        context.save_for_backward(to_hidden, to_table.to(table.dtype))
        context.mark_non_differentiable(plain)
        return smoothed, plain

    @staticmethod
    def backward(context: Any, *scales: Tensor) -> tuple[Tensor | None, ...]:
        to_hidden, to_table = context.saved_tensors
        return to_hidden * scales[0], to_table * scales[0], None, None
