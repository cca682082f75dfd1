"""Multi-head attention: plain when somebody is looking, fused when nobody is (paper, section 3.2).

Shapes   B batch · H heads · Q query positions · K key positions · D width · E = D / H
Masks    bool, True where a query may look; broadcast to (B, H, Q, K); every row has a True
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.network.config import Config
from model.network.hooks import HookPoint
from model.network.positions import Positions


class Attention(nn.Module):
    """Each query position mixes the values of the positions it looks at."""

    def __init__(self, config: Config, positions: Positions | None = None) -> None:
        super().__init__()
        self.heads = config.heads
        # A method, so that the positions stay out of this module's tree: the stack owns them.
        self.rotate = positions.rotate if positions else None
        self.to_query, self.to_key, self.to_value, self.to_output = (
            nn.Linear(config.width, config.width) for _ in range(4)
        )
        self.residual = HookPoint("(B, Q, D)")  # the stream that goes around this sublayer
        self.query = HookPoint("(B, H, Q, E)")
        self.key = HookPoint("(B, H, K, E)")
        self.value = HookPoint("(B, H, K, E)")
        self.scores = HookPoint("(B, H, Q, K)")  # scaled, before the mask
        self.mask = HookPoint("(B, 1, Q, K), stored once where it repeats")
        self.pattern = HookPoint("(B, H, Q, K)")  # after the softmax: each row sums to one
        self.mixed = HookPoint("(B, H, Q, E)")  # what each head hands to W_O
        self.output = HookPoint("(B, Q, D)")  # what this sublayer adds to the stream

    def keys_and_values(
        self, memory: Tensor, index: Tensor | None = None, start: int = 0
    ) -> tuple[Tensor, Tensor]:
        """What the positions of `memory` offer, and what they hand over; (B, K, D) -> 2 × (B, H, K, E)."""
        key = self.key(self.turn(self.split(self.to_key(memory)), index), start)
        return key, self.value(self.split(self.to_value(memory)), start)

    def forward(
        self, x: Tensor, key: Tensor, value: Tensor, mask: Tensor,
        index: Tensor | None = None, start: int = 0,
    ) -> Tensor:  # fmt: skip
        """Let `x` (B, Q, D) look at keys and take from values.

        `index` (Q) are the positions to turn queries by; `start` is the row of x[:, 0] in the whole
        sequence, which is not 0 when earlier rows are in a cache.
        """
        query = self.query(self.turn(self.split(self.to_query(x)), index), start)  # (B, H, Q, E)
        mask = self.mask(mask, start)
        if self.scores.watched or self.pattern.watched:
            width = query.shape[-1]
            scores = self.scores(query @ key.mT / math.sqrt(width), start, width=width)
            pattern = scores.masked_fill(~mask, -math.inf).softmax(-1)  # (B, H, Q, K)
            pattern = self.pattern(pattern, start, mask=mask)
            mixed = pattern @ value
        else:  # nobody is looking: let PyTorch fuse it, the answer is the same
            mixed = F.scaled_dot_product_attention(query, key, value, mask)
        mixed = self.mixed(mixed, start).transpose(1, 2).flatten(2)  # (B, Q, D), heads side by side
        return self.output(self.to_output(mixed), start)

    def turn(self, x: Tensor, index: Tensor | None) -> Tensor:  # (B, H, T, E) -> (B, H, T, E)
        """Turn queries or keys by their positions, where the positions of this model do that."""
        return x if self.rotate is None or index is None else self.rotate(x, index)

    def split(self, x: Tensor) -> Tensor:  # (B, T, D) -> (B, H, T, E)
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)


def causal_mask(queries: int, keys: int, device: torch.device | None = None) -> Tensor:  # (Q, K)
    """The last query sits on the last key, so one mask serves training and cached decoding."""
    return torch.ones(queries, keys, dtype=torch.bool, device=device).tril(keys - queries)


def window_mask(queries: int, keys: int, window: int, device: torch.device | None = None) -> Tensor:  # (Q, K)
    """Restricted self-attention (paper, section 4): at most `window` positions to either side."""
    key = torch.arange(keys, device=device)
    return (key - key[keys - queries :, None]).abs() <= window
