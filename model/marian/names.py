"""What a weight of ours is called in a Marian folder, and along which of its axes the residual stream runs.

Along these axes Marian has the even dimensions of ours first, and then the odd ones: its positions are all
sines and then all cosines. A permutation of the stream changes no product and no norm.
"""

from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from model.network.config import Config
from model.network.kinds import STACKS

ATTENTIONS = {"self_attention": "self_attn", "cross_attention": "encoder_attn"}
PROJECTIONS = {"to_query": "q_proj", "to_key": "k_proj", "to_value": "v_proj", "to_output": "out_proj"}
NORMS = {  # by stack
    "encoder": {"attention_norm": "self_attn_layer_norm", "feed_forward_norm": "final_layer_norm"},
    "decoder": {
        "attention_norm": "self_attn_layer_norm", "cross_norm": "encoder_attn_layer_norm",
        "feed_forward_norm": "final_layer_norm",
    },
}  # fmt: skip
TABLES = {  # of the three embedding matrices, the name of ours and the name of Marian's
    "source": ("encoder.embedding.table.weight", "model.encoder.embed_tokens.weight"),
    "target": ("decoder.embedding.table.weight", "model.decoder.embed_tokens.weight"),
    "output": ("to_vocabulary.weight", "lm_head.weight"),
}
SHARED, BIAS = "model.shared.weight", "final_logits_bias"
POSITIONS = tuple(f"model.{stack}.embed_positions.weight" for stack in STACKS)


class Named(NamedTuple):
    """One weight of the layers, by both names."""

    ours: str
    marian: str
    shape: tuple[int, ...]
    axes: tuple[int, ...]  # those along which the stream runs


def layer_weights(config: Config) -> Iterator[Named]:
    """All weights of the layers; embeddings and the output bias are numbered by pieces, and stand apart."""
    for stack in STACKS:
        for number in range(config.depth(stack)):
            ours, marian = f"{stack}.layers.{number}", f"model.{stack}.layers.{number}"
            for module, name in ATTENTIONS.items():
                if module == "self_attention" or stack == "decoder":
                    for projection, short in PROJECTIONS.items():
                        yield from _linear(
                            f"{ours}.{module}.{projection}", f"{marian}.{name}.{short}",
                            config.width, config.width, writes=projection == "to_output",
                        )  # fmt: skip
            through = f"{ours}.feed_forward"
            yield from _linear(f"{through}.widen", f"{marian}.fc1", config.hidden, config.width, False)
            yield from _linear(f"{through}.narrow", f"{marian}.fc2", config.width, config.hidden, True)
            for norm, name in NORMS[stack].items():
                for part in ("weight", "bias"):
                    yield Named(f"{ours}.{norm}.{part}", f"{marian}.{name}.{part}", (config.width,), (0,))


def _linear(ours: str, marian: str, rows: int, columns: int, writes: bool) -> Iterator[Named]:
    """A product reads the stream or writes to it; the bias of one that reads is not in the stream."""
    yield Named(f"{ours}.weight", f"{marian}.weight", (rows, columns), (0,) if writes else (1,))
    yield Named(f"{ours}.bias", f"{marian}.bias", (rows,), (0,) if writes else ())


def to_marian(width: int) -> Tensor:
    """Which dimension of ours stands at each place of Marian's stream.

    >>> to_marian(6).tolist()
    [0, 2, 4, 1, 3, 5]
    """
    return torch.cat((torch.arange(0, width, 2), torch.arange(1, width, 2)))


def to_ours(width: int) -> Tensor:
    """Which dimension of Marian's stands at each place of our stream.

    >>> to_ours(6).tolist()
    [0, 3, 1, 4, 2, 5]
    """
    return to_marian(width).argsort()


def reordered(weight: Tensor, axes: tuple[int, ...], order: Tensor) -> Tensor:
    """A weight with the stream in another order."""
    for axis in axes:
        weight = weight.index_select(axis, order)
    return weight.contiguous()
