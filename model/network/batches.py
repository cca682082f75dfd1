"""Sequences of ids as the model takes them: padded to one length, and shifted for the decoder."""

from collections.abc import Sequence

import torch
from torch import Tensor

from model.network.config import PAD, START


def pad(sequences: Sequence[Sequence[int]]) -> Tensor:
    """One row per sequence, filled up on the right.

    >>> pad([[7, 8, 2], [9, 2]])
    tensor([[7, 8, 2],
            [9, 2, 0]])
    """
    longest = max(map(len, sequences))
    return torch.tensor([[*ids, *[PAD] * (longest - len(ids))] for ids in sequences])


def read_ids(target: Sequence[int]) -> tuple[int, ...]:
    """What the decoder reads to predict `target`: the start token, then all but the last piece.

    >>> read_ids((7, 8, 2))
    (1, 7, 8)
    """
    return (START, *target[:-1])


def padding_mask(ids: Tensor) -> Tensor:  # (B, K) -> (B, 1, 1, K)
    """True where there is a piece, False where there is only padding."""
    return (ids != PAD)[:, None, None, :]
