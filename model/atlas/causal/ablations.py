"""The ways to take a head away, as edits: silenced, its mean instead, looking everywhere, its partner's.

Silence is nothing a head ever says, and what follows may be out of its depth; the mean is what it says
whatever the sentence; with a uniform pattern it still speaks, but no longer chooses where it looks; and if
the choice follows the partner's output, the head carried what differs between the two sentences.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model.atlas.causal.decisions import Decision
from model.inspect.branches import Variant
from model.inspect.edits import Replace, Skip, Uniform
from model.inspect.edits.base import AtAttention, head_of, with_head
from model.inspect.sublayers import sublayers
from model.inspect.variants import all_heads
from model.network.batches import pad
from model.network.config import PAD, Config
from model.network.hooks import Place, watch
from model.network.kinds import KINDS, STACKS
from model.network.transformer import Transformer

WAYS = ("silenced", "mean", "uniform", "exchanged")
Means = Mapping[str, np.ndarray]  # by path of an attention module, what each head says on average: (H, E)


@dataclass(frozen=True)
class Exchange(AtAttention):
    """Two halves of a batch, each sentence opposite its partner, trade what one head hands to W_O."""

    head: int

    point = "mixed"

    def __call__(self, x: Tensor, place: Place) -> Tensor:  # (B, H, Q, E)
        return with_head(x, self.head, head_of(x, self.head).roll(len(x) // 2, 0))


def silenced(config: Config) -> list[Variant]:
    """One variant a head, in the order of `all_heads`; so have the others."""
    return [(head.silenced,) for head in all_heads(config)]


def replaced(config: Config, means: Means) -> list[Variant]:
    vectors = {path: [tuple(map(float, vector)) for vector in rows] for path, rows in means.items()}
    paths = [(KINDS[head.kind].format(head.layer), head.head) for head in all_heads(config)]
    return [(Replace(path, head, vectors[path][head]),) for path, head in paths]


def uniform(config: Config) -> list[Variant]:
    return [(Uniform(KINDS[head.kind].format(head.layer), head.head),) for head in all_heads(config)]


def exchanged(config: Config) -> list[Variant]:
    return [(Exchange(KINDS[head.kind].format(head.layer), head.head),) for head in all_heads(config)]


def skipped(config: Config) -> list[Variant]:
    """One variant a sublayer, from the bottom of either stack."""
    return [(Skip(where),) for where in sublayer_paths(config)]


def sublayer_paths(config: Config) -> list[str]:
    return [step.where for stack in STACKS for step in sublayers(stack, config.depth(stack))]


@torch.inference_mode()
def sum_outputs(model: Transformer, decisions: Sequence[Decision]) -> dict[str, np.ndarray]:
    """By path, what every head handed on, summed over all positions that are not padding: (H, E + 1).

    The last number counts the positions.
    """
    source, read = pad([each.source for each in decisions]), pad([each.read for each in decisions])
    with watch(["*_attention.mixed"]) as seen:
        model.decode(read.to(model.device), *model.encode(source.to(model.device)))
    found = {}
    for path, (mixed,) in seen.items():
        real = (source if path.startswith("encoder") else read) != PAD  # (B, Q)
        total = (mixed.cpu().double() * real[:, None, :, None]).sum((0, 2))  # (H, E)
        count = real.sum().double().expand(len(total), 1)
        found[path.removesuffix(".mixed")] = torch.cat((total, count), 1).numpy()
    return found
