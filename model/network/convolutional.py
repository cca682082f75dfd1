"""The convolutional rival: every position sees a few neighbours, and layers widen what it sees.

After Gehring et al. 2017: a layer is a convolution of k positions whose output is gated (Dauphin et al.
2017), added to what came in, and every decoder layer looks at the source, with one head. Positions are the
sines of the Transformer, so that no length is unheard of; theirs were learned.

Shapes   B batch · S source positions · T target positions · D width · V vocabulary
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.network.batches import padding_mask
from model.network.cache import Cache
from model.network.config import Config
from model.network.dropout import Dropout
from model.network.hooks import HookPoint, name_hook_points
from model.network.positions import make_positions
from model.network.seq2seq import Seq2Seq, initialise

HALF = math.sqrt(0.5)  # keeps the spread of a sum of two at that of one


class GatedConvolution(nn.Module):
    """a ⊙ σ(b), where a and b are products of k neighbouring positions with one matrix."""

    def __init__(self, width: int, kernel: int) -> None:
        super().__init__()
        self.kernel = kernel
        self.mix = nn.Linear(kernel * width, 2 * width)

    def forward(self, x: Tensor) -> Tensor:
        """Positions (B, T + k − 1, D), the first and last for their neighbours' sake alone, to (B, T, D)."""
        neighbours = x.unfold(1, self.kernel, 1).transpose(-1, -2).flatten(2)  # (B, T, k D)
        return F.glu(self.mix(neighbours), -1)


class ConvolutionalDecoderLayer(nn.Module):
    """A convolution over what is already written, then a look at the source."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.convolution = GatedConvolution(config.width, config.kernel)
        self.to_query = nn.Linear(config.width, config.width)
        self.to_output = nn.Linear(config.width, config.width)
        self.pattern = HookPoint("(B, 1, T, S)")  # after the softmax: each row sums to one
        self.dropout = Dropout(config.dropout)

    def forward(
        self, x: Tensor, embedded: Tensor, memory: Tensor, source: Tensor, mask: Tensor, before: Tensor
    ) -> Tensor:
        """One more height (B, T, D). `before` (B, k − 1, D) are the inputs of the positions before the first.

        Where to look is told by state and embedding together; what is taken is the encoder's output with the
        source's embeddings, so that a word comes through as itself.
        """
        height = self.convolution(self.dropout(torch.cat((before, x), 1)))
        query = (self.to_query(height) + embedded) * HALF
        scores = (query @ memory.mT)[:, None]  # (B, 1, T, S)
        pattern = self.pattern(scores.masked_fill(~mask, -math.inf).softmax(-1))[:, 0]
        seen = self.to_output(pattern @ ((memory + source) * HALF))
        return ((height + seen) * HALF + x) * HALF


class Convolutional(Seq2Seq):
    """Gated convolutions on both sides; the decoder's see only what is already written."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config, self.scale = config, math.sqrt(config.width)
        self.to_vocabulary = nn.Embedding(config.vocabulary, config.width)
        self.positions = make_positions(config)
        self.layers = nn.ModuleList(
            GatedConvolution(config.width, config.kernel) for _ in range(config.layers)
        )
        self.decoder_layers = nn.ModuleList(ConvolutionalDecoderLayer(config) for _ in range(config.layers))
        self.to_output = nn.Linear(config.width, config.width)
        self.dropout = Dropout(config.dropout)
        self.apply(initialise)
        name_hook_points(self)

    def enter(self, source: Tensor) -> Tensor:
        return self._embed(source, 0)

    def read(self, x: Tensor, mask: Tensor) -> list[Tensor]:
        real, aside = mask[:, 0, 0, :, None], self.config.kernel // 2
        heights = []
        for layer in self.layers:
            inside = F.pad(
                self.dropout(x) * real, (0, 0, aside, aside)
            )  # neither ends nor padding say anything
            x = (layer(inside) + x) * HALF
            heights.append(x)
        return heights

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        """Memory (B, S, 2 D): the encoder's output beside the embeddings that it began with."""
        embedded = self.enter(source)
        mask = padding_mask(source)
        return torch.cat((self.read(embedded, mask)[-1], embedded), -1), mask

    def decode(
        self, target: Tensor, memory: Tensor, memory_mask: Tensor, cache: Cache | None = None
    ) -> Tensor:
        cache = Cache() if cache is None else cache
        output, source = memory.chunk(2, -1)
        x = embedded = self._embed(target, cache.length)
        nothing = x.new_zeros(len(x), self.config.kernel - 1, x.shape[-1])
        for layer in self.decoder_layers:
            (before,) = cache.states.get(layer, (nothing,))
            cache.states[layer] = (torch.cat((before, x), 1)[:, x.shape[1] :],)
            x = layer(x, embedded, output, source, memory_mask, before)
        cache.length += target.shape[1]
        return self.dropout(self.to_output(x))

    def _embed(self, ids: Tensor, start: int) -> Tensor:  # (B, T) -> (B, T, D)
        index = torch.arange(start, start + ids.shape[1], device=ids.device)
        positions = self.positions.add(index)
        x = self.to_vocabulary(ids) * self.scale
        return self.dropout(x if positions is None else x + positions)
