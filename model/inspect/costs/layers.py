"""Three layers that let a sentence's words meet, as wide as each other: attention, recurrence, convolution.

Their weights are random: how long a layer takes does not depend on them. Each maps a sentence of vectors to
as many new ones.

Shapes   N words · D width · K words that one convolution reads
"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.network.attention import Attention
from model.network.config import Config

LAYERS = ("attention", "recurrent", "convolutional")

Layer = Callable[[Tensor], Tensor]  # (1, N, D) -> (1, N, D)


def layer(name: str, config: Config, kernel: int) -> Layer:
    """A layer as wide as this model, with fresh weights."""
    return {
        "attention": lambda: _attention(config),
        "recurrent": lambda: _recurrent(config.width),
        "convolutional": lambda: _convolutional(config.width, kernel),
    }[name]()


def apart(recurrent: Layer) -> Layer:
    """The same cells, none of which waits for another: each word is a sentence of its own.

    It multiplies as often as the recurrent layer. What that one takes longer, is waiting.
    """
    return lambda x: recurrent(x.transpose(0, 1)).transpose(0, 1)


def multiplications(name: str, words: int, width: int, kernel: int) -> int:
    """What such a layer multiplies on so many words, in products of matrices.

    Attention projects four times, compares every word with every word, and mixes as much. A GRU has three
    gates, each of which reads the word and the state. A gated convolution makes two numbers of everything
    in its reach.

    >>> [multiplications(name, 256, 256, 3) == 6 * 256 * 256**2 for name in LAYERS]
    [True, True, True]
    """
    square = words * width**2
    return {
        "attention": 4 * square + 2 * words**2 * width,
        "recurrent": 3 * 2 * square,
        "convolutional": 2 * kernel * square,
    }[name]


def overtaken(rival: str, width: int, kernel: int) -> int:
    """The number of words at which attention multiplies as often as this rival; beyond it, more often.

    Each side divided by 2 n d: 2 d + n against 3 d, or against k d.

    >>> overtaken("recurrent", 256, 3), overtaken("convolutional", 256, 5)
    (256, 768)
    """
    return {"recurrent": width, "convolutional": (kernel - 2) * width}[rival]


def _attention(config: Config) -> Layer:
    module = Attention(config).eval()

    def run(x: Tensor) -> Tensor:
        everywhere = torch.ones(1, 1, 1, x.shape[1], dtype=torch.bool)
        return module(x, *module.keys_and_values(x), everywhere)

    return run


def _recurrent(width: int) -> Layer:
    module = nn.GRU(width, width, batch_first=True).eval()
    return lambda x: module(x)[0]


def _convolutional(width: int, kernel: int) -> Layer:
    """Half of what it makes opens and shuts the other half (Dauphin et al. 2017, as ConvS2S has it)."""
    module = nn.Conv1d(width, 2 * width, kernel, padding=kernel // 2).eval()
    return lambda x: F.glu(module(x.mT), dim=1).mT
