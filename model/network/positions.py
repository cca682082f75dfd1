"""How the model knows the order of words: four answers behind one interface.

`add` gives what is summed to the embeddings, `rotate` turns queries and keys; each kind of position
does one of the two, or neither. Both take the positions as numbers, so that shifting or shuffling
positions means the same thing for every kind.
"""

import torch
from torch import Tensor, nn

from model.network.config import Config

BASE = 10_000.0  # paper, section 3.5


class Positions(nn.Module):
    """No positions at all, and the interface of the others: a bag of words."""

    ordered = False  # whether the order of words makes a difference

    def add(self, index: Tensor) -> Tensor | None:  # (T) -> (T, D)
        return None

    def rotate(self, x: Tensor, index: Tensor) -> Tensor:  # (B, H, T, E), (T) -> (B, H, T, E)
        return x


class Sinusoidal(Positions):
    """A fixed fan of sine and cosine waves, summed to the embeddings (paper, section 3.5)."""

    ordered = True
    table: Tensor

    def __init__(self, config: Config) -> None:
        super().__init__()
        table = sinusoids(torch.arange(config.length), config.width)
        self.register_buffer("table", table, persistent=False)

    def add(self, index: Tensor) -> Tensor:
        return self.table[index]


class Learned(Positions):
    """One trained vector per position (paper, table 3, row E)."""

    ordered = True

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.randn(config.length, config.width) * config.width**-0.5)

    def add(self, index: Tensor) -> Tensor:
        return self.table[index]


class Rotary(Positions):
    """Queries and keys are turned by their position, so scores know only offsets (Su et al. 2021)."""

    ordered = True
    cosine: Tensor
    sine: Tensor

    def __init__(self, config: Config) -> None:
        super().__init__()
        angles = torch.arange(config.length)[:, None] * frequencies(config.head_width)  # (T, E / 2)
        self.register_buffer("cosine", angles.cos().float(), persistent=False)
        self.register_buffer("sine", angles.sin().float(), persistent=False)

    def rotate(self, x: Tensor, index: Tensor) -> Tensor:
        cosine, sine = self.cosine[index], self.sine[index]  # (T, E / 2)
        even, odd = x[..., 0::2], x[..., 1::2]
        turned = torch.stack((even * cosine - odd * sine, even * sine + odd * cosine), dim=-1)
        return turned.flatten(-2)


def frequencies(width: int, base: float = BASE) -> Tensor:
    """Radians per step of each pair of dimensions, from 1 down to about 1 / base; (width / 2)."""
    return base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)


def sinusoids(index: Tensor, width: int, base: float = BASE) -> Tensor:  # (T) -> (T, width)
    """PE(pos, 2i) = sin(pos / base^(2i / width)), PE(pos, 2i + 1) = cos of the same.

    >>> sinusoids(torch.tensor([0, 1]), width=2)
    tensor([[0.0000, 1.0000],
            [0.8415, 0.5403]])
    """
    angles = index[:, None] * frequencies(width, base)  # computed in float64: far positions stay exact
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2).float()


def make_positions(config: Config) -> Positions:
    match config.positions:
        case "sinusoidal":
            return Sinusoidal(config)
        case "learned":
            return Learned(config)
        case "rotary":
            return Rotary(config)
        case _:
            return Positions()
