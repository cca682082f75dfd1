"""The Transformer of "Attention Is All You Need": an encoder, a decoder, one shared embedding.

Shapes   B batch · S source positions · T target positions · D width · V vocabulary
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.network.attention import Attention, causal_mask, window_mask
from model.network.batches import padding_mask
from model.network.cache import Cache
from model.network.config import Config
from model.network.dropout import Dropout
from model.network.hooks import HookPoint, name_hook_points
from model.network.layers import DecoderLayer, EncoderLayer
from model.network.positions import Positions, make_positions
from model.network.seq2seq import Seq2Seq, initialise


class Embedding(nn.Module):
    """Each id's vector times √width, plus its position (paper, sections 3.4 and 3.5)."""

    def __init__(self, config: Config, table: nn.Embedding, positions: Positions) -> None:
        super().__init__()
        self.table, self.encoding = table, positions
        self.scale, self.length = math.sqrt(config.width) if config.scaled else 1.0, config.length
        self.dropout = Dropout(config.dropout)
        self.index = HookPoint("(T)")  # the position of each row, as a number
        self.tokens = HookPoint("(B, T, D)")  # after the scaling: tokens + positions = sum
        self.positions = HookPoint("(T, D)")
        self.sum = HookPoint("(B, T, D)")

    def forward(self, ids: Tensor, start: int = 0) -> tuple[Tensor, Tensor]:
        """Ids (B, T) to vectors (B, T, D), and the positions (T) that queries and keys turn by."""
        index = torch.arange(start, start + ids.shape[1], device=ids.device)
        if self.encoding.ordered:
            index = self.index(index, start, length=self.length)
        x = self.tokens(self.table(ids) * self.scale, start)
        positions = self.encoding.add(index)
        if positions is not None:
            x = x + self.positions(positions, start)
        return self.dropout(self.sum(x, start)), index


class Encoder(nn.Module):
    def __init__(self, config: Config, table: nn.Embedding) -> None:
        super().__init__()
        self.window = config.window
        positions = make_positions(config)
        self.embedding = Embedding(config, table, positions)
        self.layers = nn.ModuleList(EncoderLayer(config, positions) for _ in range(config.layers))

    def forward(self, source: Tensor, mask: Tensor) -> Tensor:  # (B, S) -> (B, S, D)
        x, index = self.embedding(source)
        return self.read(x, index, mask)[-1]

    def read(self, x: Tensor, index: Tensor, mask: Tensor) -> list[Tensor]:
        """What each layer makes of what enters the first, at the positions `index`; (B, S, D) each."""
        length, device = x.shape[1], x.device
        if self.window is not None:
            # A padded row keeps itself in sight: a row that sees nothing has no softmax.
            near = window_mask(length, length, self.window, device)
            mask = mask & near | torch.eye(length, dtype=torch.bool, device=device)
        heights = []
        for layer in self.layers:
            x = layer(x, mask, index)
            heights.append(x)
        return heights


class Decoder(nn.Module):
    def __init__(self, config: Config, table: nn.Embedding) -> None:
        super().__init__()
        self.window = config.window
        positions = make_positions(config)
        self.embedding = Embedding(config, table, positions)
        self.layers = nn.ModuleList(DecoderLayer(config, positions) for _ in range(config.depth("decoder")))

    def forward(
        self, target: Tensor, memory: Tensor, memory_mask: Tensor, cache: Cache
    ) -> Tensor:  # (B, T), (B, S, D) -> (B, T, D)
        """Read the target positions that follow those already in the cache."""
        start, end, device = cache.length, cache.length + target.shape[1], target.device
        mask = causal_mask(end - start, end, device)[None, None]
        if self.window is not None:
            mask = mask & window_mask(end - start, end, self.window, device)
        x, index = self.embedding(target, start)
        for layer in self.layers:
            x = layer(x, mask, index, memory, memory_mask, cache)
        cache.length = end
        return x


class Transformer(Seq2Seq):
    """Attention alone: every position looks at all others at once (paper, section 3)."""

    vocabulary_bias: nn.Parameter | None  # added to the logits

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config
        source, target, output = _embedding_tables(config)
        self.encoder = Encoder(config, source)
        self.decoder = Decoder(config, target)
        self.to_vocabulary = output
        # Not learned anew: a network of ours has none, and one of others brings its own.
        bias = nn.Parameter(torch.zeros(config.vocabulary)) if config.output_bias else None
        self.register_parameter("vocabulary_bias", bias)
        self.logits = HookPoint("(B, T, V)")
        self.apply(initialise)
        name_hook_points(self)

    def attention(self, path: str) -> Attention:
        """The attention module at this path, as "decoder.layers.0.cross_attention"."""
        module = self.get_submodule(path)
        if not isinstance(module, Attention):
            raise LookupError(f"{path!r} is no attention module")
        return module

    def enter(self, source: Tensor) -> Tensor:
        return self.encoder.embedding(source)[0]

    def read(self, x: Tensor, mask: Tensor) -> list[Tensor]:
        return self.encoder.read(x, torch.arange(x.shape[1], device=x.device), mask)

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        mask = padding_mask(source)
        return self.encoder(source, mask), mask  # whoever watches may change the positions on the way

    def decode(
        self, target: Tensor, memory: Tensor, memory_mask: Tensor, cache: Cache | None = None
    ) -> Tensor:
        return self.decoder(target, memory, memory_mask, Cache() if cache is None else cache)

    def predict(self, hidden: Tensor, start: int = 0) -> Tensor:  # (B, T, D) -> (B, T, V)
        return self.logits(F.linear(hidden, self.to_vocabulary.weight, self.vocabulary_bias), start)


def _embedding_tables(config: Config) -> tuple[nn.Embedding, nn.Embedding, nn.Embedding]:
    """Source, target and output embeddings: one matrix three times, two or three (paper, section 3.4)."""
    if config.tied:
        shared = nn.Embedding(config.vocabulary, config.width)
        return shared, shared, shared
    if config.tied_output:
        source, target = (nn.Embedding(config.vocabulary, config.width) for _ in range(2))
        return source, target, target
    source, target, output = (nn.Embedding(config.vocabulary, config.width) for _ in range(3))
    return source, target, output
