"""Dropout whose random numbers cost an eighth: one byte per value instead of one 64-bit draw.

The rate is rounded to the nearest 1/256 and the kept values are scaled by exactly its inverse, so
the expectation is exact.
"""

import torch
from torch import Tensor, nn


class Dropout(nn.Module):
    """Zero each value with probability `rate` while training; the identity otherwise."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.dropped = min(255, round(rate * 256))  # of 256 byte values

    def forward(self, x: Tensor) -> Tensor:
        if not self.training or not self.dropped:
            return x
        draws = torch.empty(-(-x.numel() // 8), dtype=torch.int64, device=x.device)
        draws.random_(-(2**63), None)  # every bit of all 64
        kept = draws.view(torch.uint8)[: x.numel()].view_as(x) >= self.dropped
        return x * kept * (256 / (256 - self.dropped))
