"""How far a word reaches: how much what stands at one position changes when another position is nudged.

The measure is the Frobenius norm of the Jacobian ∂h_j/∂x_i, for every layer and every pair of positions. A
Jacobian has as many columns as a vector has numbers; its norm is estimated from a few random directions,
since for directions u drawn from a normal distribution the mean of |J u|² is |J|². Each direction is tried
as a nudge to both sides: (h(x + εu) − h(x − εu)) / 2ε.

Shapes   S source positions · D width · L layers · K directions
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from model.network.batches import pad, padding_mask
from model.network.seq2seq import Seq2Seq

DIRECTIONS = 16
STEP = 0.01  # of a nudge: small beside a vector, large beside the rounding of its numbers
ROWS = 256  # nudged sentences that are read at once


@torch.inference_mode()
def reach(
    model: Seq2Seq, source: Sequence[int], directions: int | Tensor = DIRECTIONS, seed: int = 0
) -> np.ndarray:  # (L, S, S)
    """At [l, j, i]: how much position j of layer l changes with what enters at position i."""
    ids = pad([source]).to(model.device)
    x, mask = model.enter(ids), padding_mask(ids)  # (1, S, D)
    if isinstance(directions, int):
        rng = torch.Generator().manual_seed(seed)
        directions = torch.randn(directions, x.shape[-1], generator=rng)
    tried = directions.to(x)  # (K, D)
    together = max(1, ROWS // len(tried))
    columns = []
    for first in range(0, x.shape[1], together):
        places = torch.arange(first, min(first + together, x.shape[1]), device=x.device)
        columns.append(_changes(model, x, mask, places, tried))  # (L, S, places)
    return torch.cat(columns, -1).cpu().numpy()


def _changes(model: Seq2Seq, x: Tensor, mask: Tensor, places: Tensor, tried: Tensor) -> Tensor:
    nudges = x.new_zeros(len(places), len(tried), *x.shape[1:])  # (places, K, S, D)
    nudges[torch.arange(len(places)), :, places] = tried * STEP
    nudges = nudges.flatten(0, 1)
    many = mask.expand(len(nudges), *mask.shape[1:])
    both = zip(model.read(x + nudges, many), model.read(x - nudges, many), strict=True)
    layers = []
    for ahead, behind in both:
        moved = (ahead - behind) / (2 * STEP)
        squares = moved.square().sum(-1).unflatten(0, (len(places), len(tried))).mean(1)  # (places, S)
        layers.append(squares.sqrt().T)
    return torch.stack(layers)
