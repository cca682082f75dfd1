"""One sentence and nobody watching: the model's own sums in fewer calls, for one row or a beam of them.

A step multiplies a few rows by small matrices, and calling costs as much as multiplying. Here products are
joined and packed (`products.py`), keys and values are written where they stay, rows that share a source share
its keys, and a sentence without padding needs no mask. It is the same arithmetic:
`tests/model/decoding/test_alone.py` holds it to the modules, which are what is watched, changed and trained.

Shapes   R rows · H heads · T target positions · S source positions · E head width · D width · L layers
"""

from collections.abc import Sequence
from typing import TypeGuard

import torch
import torch.nn.functional as F
from torch import Tensor

from model.decoding.products import Layer, products_of
from model.network.config import PAD
from model.network.hooks import idle
from model.network.positions import Rotary
from model.network.seq2seq import Seq2Seq
from model.network.transformer import Transformer

ROOM = 16  # target positions to begin with; a beam copies all of it whenever its rows change


def possible(model: Seq2Seq, source: Sequence[int]) -> TypeGuard[Transformer]:
    """Whether this run is one that a `Reader` can do: plain, in evaluation, with nobody watching."""
    if not isinstance(model, Transformer):
        return False
    turning = isinstance(model.decoder.embedding.encoding, Rotary)
    plain = not turning and model.decoder.window is None and PAD not in source
    return plain and not model.training and idle(model)


class Reader:
    """Reads a source, then target rows piece by piece. It belongs to one run, never to the model."""

    def __init__(self, model: Transformer, source: Sequence[int], longest: int) -> None:
        self.model, self.at = model, 0
        self.products = products_of(model)
        config, layers = model.config, len(self.products.decoder)
        self.heads, self.head_width = config.heads, config.head_width
        memory = self._encode(source)  # (S, D)
        split = self.products.source(memory).view(-1, layers, 2, self.heads, self.head_width)
        self.source = split.permute(1, 2, 3, 0, 4).contiguous()[:, :, None]  # (L, 2, 1, H, S, E)
        room = min(longest, ROOM)
        self.own = memory.new_empty(layers, 2, 1, self.heads, room, self.head_width)  # (L, 2, R, H, T, E)

    def read(self, ids: Sequence[int]) -> Tensor:
        """Logits (R, V) of what may follow, once each row has read its id as well."""
        if self.at == self.own.shape[-2]:
            self.own = F.pad(self.own, (0, 0, 0, self.at))  # twice the room
        read = torch.tensor(ids, device=self.model.device)[:, None]
        x = self.model.decoder.embedding(read, self.at)[0][:, 0]  # (R, D)
        for layer, own, source in zip(self.products.decoder, self.own, self.source, strict=True):
            x = layer.attention_norm(x + layer.output(self._look_back(x, layer, own)))
            query = layer.cross_query(x).view(-1, self.heads, self.head_width).transpose(0, 1)[None]
            mixed = F.scaled_dot_product_attention(query, source[0], source[1])  # (1, H, R, E)
            x = layer.cross_norm(x + layer.cross_output(_side_by_side(mixed)))
            x = layer.feed_forward_norm(x + layer.feed_forward(x))
        self.at += 1
        return self.products.vocabulary(x)

    def select(self, rows: Tensor) -> None:
        """Continue with these rows only, in this order; a row may appear twice."""
        self.own = self.own.index_select(2, rows)

    def _look_back(self, x: Tensor, layer: Layer, own: Tensor) -> Tensor:
        """Masked self-attention: a piece sees itself and those before it, and there are no others yet."""
        split = layer.query_key_value(x).view(-1, 3, self.heads, self.head_width)
        own[:, :, :, self.at] = split[:, 1:].transpose(0, 1)
        keys, values = own[:, :, :, : self.at + 1]  # (R, H, T, E)
        mixed = F.scaled_dot_product_attention(split[:, 0, :, None], keys, values)  # (R, H, 1, E)
        return mixed.reshape(x.shape)

    def _encode(self, source: Sequence[int]) -> Tensor:  # (S) -> (S, D)
        x = self.model.encoder.embedding(torch.tensor([source], device=self.model.device))[0][0]
        for layer in self.products.encoder:
            split = layer.query_key_value(x).view(-1, 3, self.heads, self.head_width)
            query, key, value = split.permute(1, 2, 0, 3)[:, None]  # (1, H, S, E)
            mixed = F.scaled_dot_product_attention(query, key, value)
            x = layer.attention_norm(x + layer.output(_side_by_side(mixed)))
            x = layer.feed_forward_norm(x + layer.feed_forward(x))
        return x


def _side_by_side(mixed: Tensor) -> Tensor:  # (1, H, R, E) -> (R, D)
    return mixed[0].transpose(0, 1).flatten(1)
