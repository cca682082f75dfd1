"""What need not be computed again: the state of one decoding run, as keys and values of attention.

It belongs to the run that made it, never to the model, which serves many runs at once.
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn

Pair = tuple[Tensor, Tensor]  # keys and values, each (B, H, K, E)


class Cache:
    """What each attention module of the decoder has computed so far."""

    def __init__(self) -> None:
        self.kept: dict[nn.Module, Pair] = {}
        self.states: dict[
            nn.Module, tuple[Tensor, ...]
        ] = {}  # of networks without keys and values, (B, …) each
        self.length = 0  # target positions already inside

    def extend(self, owner: nn.Module, key: Tensor, value: Tensor) -> Pair:
        """Self-attention: what the new positions bring comes after what is there."""
        if owner in self.kept:
            old_key, old_value = self.kept[owner]
            key, value = torch.cat((old_key, key), 2), torch.cat((old_value, value), 2)
        self.kept[owner] = key, value
        return key, value

    def once(self, owner: nn.Module, compute: Callable[[], Pair]) -> Pair:
        """Cross-attention: the encoder's output does not change while decoding."""
        if owner not in self.kept:
            self.kept[owner] = compute()
        return self.kept[owner]

    def select(self, rows: Tensor) -> None:
        """Keep these rows of the batch, in this order; one row may appear twice (beam search)."""
        self.kept = {
            owner: (key.index_select(0, rows), value.index_select(0, rows))
            for owner, (key, value) in self.kept.items()
        }
        self.states = {
            owner: tuple(state.index_select(0, rows) for state in states)
            for owner, states in self.states.items()
        }
