"""What one vector for a whole sentence holds of each word: how much it changes with what enters there.

The measure is ‖∂c/∂x_i‖, the Frobenius norm of the Jacobian of the vector c by what enters at position i.
It is estimated as `model.rivals.reach` does, from a few random directions, here on the vector's side: for u
drawn from a normal distribution the mean of |Jᵀu|² is |J|², and one pass backwards gives all positions.

Shapes   S source positions · H numbers of the vector · K directions
"""

import numpy as np
import torch
from torch import Tensor

from model.network.batches import pad, padding_mask
from model.network.recurrent import last_words
from model.rivals.rival import Rival

DIRECTIONS = 32


def vector_of(rival: Rival, text: str) -> np.ndarray:  # (H)
    """All that its decoder gets to know of a sentence."""
    with torch.inference_mode():
        memory, _ = rival.model.encode(pad([rival.read(text).ids]))
        return last_words(memory)[0].numpy()


def held(rival: Rival, text: str, directions: int | Tensor = DIRECTIONS, seed: int = 0) -> np.ndarray:  # (S)
    """How much of the vector comes from each position."""
    ids = pad([rival.read(text).ids])
    if isinstance(directions, int):
        rng = torch.Generator().manual_seed(seed)
        directions = torch.randn(directions, len(vector_of(rival, text)), generator=rng)
    with torch.enable_grad():
        entered = rival.model.enter(ids).detach()
        x = entered.repeat(len(directions), 1, 1).requires_grad_()  # (K, S, D): a copy for each direction
        mask = padding_mask(ids).expand(len(directions), -1, -1, -1)
        vectors = last_words(rival.model.read(x, mask)[-1])  # (K, H)
        (pulled,) = torch.autograd.grad((vectors * directions).sum(), x)
    return pulled.square().sum(-1).mean(0).sqrt().numpy()
