"""One sentence, one piece at a time, and nobody watching: the decoder's own sums in fewer calls.

A step multiplies one row by small matrices, and calling costs more than multiplying. Query, key and value
come from one product, keys and values are written where they stay, and one sentence without padding needs no
mask. It is the same arithmetic: `tests/model/decoding/test_alone.py` holds it to the modules, which remain
what is watched, changed and trained.

Shapes   H heads · T target positions · S source positions · E head width · D width
"""

from dataclasses import dataclass
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.network.attention import Attention
from model.network.hooks import idle
from model.network.layers import DecoderLayer
from model.network.positions import Rotary
from model.network.transformer import Transformer


def possible(model: Transformer) -> bool:
    """Whether this model's run is one that a `Reader` can do: plain, in evaluation, with nobody watching."""
    embedding = model.decoder.embedding
    turning = isinstance(embedding.encoding, Rotary)
    return not turning and model.decoder.window is None and not model.training and idle(model)


@dataclass(frozen=True, eq=False)
class _Layer:
    """One decoder layer's weights, its keys and values of the source, and room for those of the target."""

    layer: DecoderLayer
    weight: Tensor  # (3 D, D), query, key and value of self-attention
    bias: Tensor
    own: tuple[Tensor, Tensor]  # (1, H, T, E), filled row by row
    source: tuple[Tensor, Tensor]  # (1, H, S, E)


class Reader:
    """Reads the target of one sentence piece by piece. It belongs to one run, never to the model."""

    def __init__(self, model: Transformer, memory: Tensor, longest: int) -> None:  # (1, S, D)
        self.model, self.at = model, 0
        self.embedding = model.decoder.embedding
        config = model.config
        room = partial(memory.new_empty, (1, config.heads, longest, config.head_width))
        self.layers = [
            _Layer(
                layer, *_joined(layer.self_attention), (room(), room()),
                layer.cross_attention.keys_and_values(memory),
            )
            for layer in model.decoder.layers
            if isinstance(layer, DecoderLayer)  # all are; a list of modules does not say so
        ]  # fmt: skip

    def read(self, id: int) -> Tensor:
        """Logits (V) of what may follow, once `id` is read as well."""
        embedded, _ = self.embedding(torch.tensor([[id]], device=self.model.device), self.at)
        x = embedded[0]  # (1, D)
        for each in self.layers:
            layer = each.layer
            x = _add_and_norm(x, self._look_back(x, each), layer.attention_norm)
            cross = layer.cross_attention
            query = _linear(x, cross.to_query).view(1, cross.heads, 1, -1)
            mixed = F.scaled_dot_product_attention(query, *each.source)
            x = _add_and_norm(x, _linear(mixed.view(1, -1), cross.to_output), layer.cross_norm)
            hidden = layer.feed_forward.activate(_linear(x, layer.feed_forward.widen))
            x = _add_and_norm(x, _linear(hidden, layer.feed_forward.narrow), layer.feed_forward_norm)
        self.at += 1
        return F.linear(x, self.model.to_vocabulary.weight)[0]

    def _look_back(self, x: Tensor, each: _Layer) -> Tensor:
        """Masked self-attention: a piece sees itself and those before it, and there are no others yet."""
        attention, (keys, values), end = each.layer.self_attention, each.own, self.at + 1
        query, key, value = F.linear(x, each.weight, each.bias).view(3, 1, attention.heads, 1, -1)
        keys[:, :, self.at : end], values[:, :, self.at : end] = key, value
        mixed = F.scaled_dot_product_attention(query, keys[:, :, :end], values[:, :, :end])
        return _linear(mixed.view(1, -1), attention.to_output)


def _joined(attention: Attention) -> tuple[Tensor, Tensor]:
    """The weights and biases of query, key and value, one below the other."""
    three = attention.to_query, attention.to_key, attention.to_value
    return torch.cat([each.weight for each in three]), torch.cat([each.bias for each in three])


def _linear(x: Tensor, module: nn.Linear) -> Tensor:
    return F.linear(x, module.weight, module.bias)


def _add_and_norm(x: Tensor, added: Tensor, norm: nn.LayerNorm) -> Tensor:
    return F.layer_norm(x + added, norm.normalized_shape, norm.weight, norm.bias, norm.eps)
