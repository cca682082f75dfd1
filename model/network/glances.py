"""How a recurrent decoder looks back at the source: two ways to score a state against every source position.

Both are attention with one head; the Transformer took the second, divided its scores by √d_k, and gave it to
every position of both sides.

Shapes   B batch · Q decoder states · S source positions · H hidden width
"""

import math

import torch
from torch import Tensor, nn

from model.network.hooks import HookPoint


class Glance(nn.Module):
    """Scores become weights that sum to one, and these mix what the encoder made of each position."""

    def __init__(self) -> None:
        super().__init__()
        self.pattern = HookPoint("(B, 1, Q, S)")  # after the softmax: each row sums to one

    def keys(self, memory: Tensor) -> Tensor:
        """What scores need of the source, whatever looks at it: once a sentence."""
        return memory

    def scores(self, state: Tensor, keys: Tensor) -> Tensor:
        """States (B, Q, H) against keys (B, S, H): (B, Q, S)."""
        raise TypeError(f"{type(self).__name__} does not say how it scores")

    def forward(self, state: Tensor, memory: Tensor, mask: Tensor, keys: Tensor | None = None) -> Tensor:
        """What each state gets to know of the source, (B, Q, H); `mask` (B, 1, 1, S): where it may look."""
        scores = self.scores(state, self.keys(memory) if keys is None else keys)[:, None]
        pattern = self.pattern(scores.masked_fill(~mask, -math.inf).softmax(-1))  # (B, 1, Q, S)
        return pattern[:, 0] @ memory


class Additive(Glance):
    """vᵀ tanh(W s + U h): a small network asks whether state and position fit (Bahdanau et al. 2015)."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.to_query = nn.Linear(hidden, hidden)
        self.to_key = nn.Linear(hidden, hidden, bias=False)
        self.to_score = nn.Linear(hidden, 1, bias=False)

    def keys(self, memory: Tensor) -> Tensor:
        return self.to_key(memory)

    def scores(self, state: Tensor, keys: Tensor) -> Tensor:
        both = self.to_query(state)[:, :, None] + keys[:, None]  # (B, Q, S, H): what the product does without
        return self.to_score(torch.tanh(both))[..., 0]


class Multiplicative(Glance):
    """sᵀ W h: one matrix product for all states and positions (Luong et al. 2015, "general")."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.to_key = nn.Linear(hidden, hidden, bias=False)

    def keys(self, memory: Tensor) -> Tensor:
        return self.to_key(memory)

    def scores(self, state: Tensor, keys: Tensor) -> Tensor:
        return state @ keys.mT
