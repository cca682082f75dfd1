"""The layers of the stacks: every sublayer is LayerNorm(x + Sublayer(x)) (paper, section 3.1).

Shapes   B batch · S source positions · T target positions · D width · F feed-forward width
"""

from collections.abc import Callable

import torch.nn.functional as F
from torch import Tensor, nn

from model.network.attention import Attention
from model.network.cache import Cache
from model.network.config import Config
from model.network.dropout import Dropout
from model.network.hooks import HookPoint
from model.network.positions import Positions

ACTIVATE: dict[str, Callable[[Tensor], Tensor]] = {"relu": F.relu, "gelu": F.gelu, "swish": F.silu}


class FeedForward(nn.Module):
    """max(0, x W1 + b1) W2 + b2, at each position by itself (paper, section 3.3)."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.widen = nn.Linear(config.width, config.hidden)
        self.narrow = nn.Linear(config.hidden, config.width)
        self.activate = ACTIVATE[config.activation]
        self.residual = HookPoint("(B, T, D)")  # the stream that goes around this sublayer
        self.hidden = HookPoint("(B, T, F)")  # the activation of each unit
        self.output = HookPoint("(B, T, D)")  # what this sublayer adds to the stream

    def forward(self, x: Tensor, start: int = 0) -> Tensor:
        return self.output(self.narrow(self.hidden(self.activate(self.widen(x)), start)), start)


class EncoderLayer(nn.Module):
    """Self-attention, then feed-forward."""

    def __init__(self, config: Config, positions: Positions) -> None:
        super().__init__()
        self.self_attention = Attention(config, positions)
        self.feed_forward = FeedForward(config)
        self.attention_norm, self.feed_forward_norm = (nn.LayerNorm(config.width) for _ in range(2))
        self.after_attention, self.after_feed_forward = (HookPoint("(B, S, D)") for _ in range(2))
        self.dropout = Dropout(config.dropout)

    def forward(self, x: Tensor, mask: Tensor, index: Tensor) -> Tensor:
        added = self.self_attention(x, *self.self_attention.keys_and_values(x, index), mask, index)
        total = self.self_attention.residual(x) + self.dropout(added)
        x = self.after_attention(self.attention_norm(total), before=total)

        added = self.feed_forward(x)
        total = self.feed_forward.residual(x) + self.dropout(added)
        return self.after_feed_forward(self.feed_forward_norm(total), before=total)


class DecoderLayer(nn.Module):
    """Masked self-attention, attention over the encoder's output, then feed-forward."""

    def __init__(self, config: Config, positions: Positions) -> None:
        super().__init__()
        self.self_attention = Attention(config, positions)
        self.cross_attention = Attention(config)  # never rotated: the two sides share no positions
        self.feed_forward = FeedForward(config)
        self.attention_norm, self.cross_norm, self.feed_forward_norm = (
            nn.LayerNorm(config.width) for _ in range(3)
        )
        self.after_attention, self.after_cross, self.after_feed_forward = (
            HookPoint("(B, T, D)") for _ in range(3)
        )
        self.dropout = Dropout(config.dropout)

    def forward(
        self, x: Tensor, mask: Tensor, index: Tensor,
        memory: Tensor, memory_mask: Tensor, cache: Cache,
    ) -> Tensor:  # fmt: skip
        start = cache.length
        own = self.self_attention.keys_and_values(x, index, start)
        key, value = cache.extend(self.self_attention, *own)
        added = self.self_attention(x, key, value, mask, index, start)
        total = self.self_attention.residual(x, start) + self.dropout(added)
        x = self.after_attention(self.attention_norm(total), start, before=total)

        key, value = cache.once(self.cross_attention, lambda: self.cross_attention.keys_and_values(memory))
        added = self.cross_attention(x, key, value, memory_mask, start=start)
        total = self.cross_attention.residual(x, start) + self.dropout(added)
        x = self.after_cross(self.cross_norm(total), start, before=total)

        added = self.feed_forward(x, start)
        total = self.feed_forward.residual(x, start) + self.dropout(added)
        return self.after_feed_forward(self.feed_forward_norm(total), start, before=total)
