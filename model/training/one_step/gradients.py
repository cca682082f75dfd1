"""The gradient that reaches each head: its rows of W^Q, W^K and W^V, its columns of W^O.

Shapes   L layers · H heads · E = D / H · D width
"""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from model.inspect.variants import Head
from model.network.config import Config
from model.network.kinds import KINDS
from model.network.transformer import Transformer
from model.training.one_step import ONE_AT_A_TIME
from model.training.one_step.pair import Pair, loss_of

MATRICES = {"q": "to_query", "k": "to_key", "v": "to_value", "o": "to_output"}


class Reached(NamedTuple):
    """How strongly one pair pulls at every head."""

    loss: float
    gradients: dict[str, np.ndarray]  # by kind, (L, H, 4): ‖∂L/∂W‖ over the head's part of Q, K, V, O
    weights: dict[str, np.ndarray]  # ‖W‖ of the same parts

    def relative(self, kind: str) -> np.ndarray:
        """A step that moved a part by its gradient would change it by this share: (L, H, 4)."""
        return self.gradients[kind] / self.weights[kind]


class Part(NamedTuple):
    """One head's part of one matrix: a row each of its own dimensions, a column each of the stream's."""

    weights: np.ndarray  # (E, D)
    gradients: np.ndarray


def reached(model: Transformer, pair: Pair) -> Reached:
    """Only norms are kept of what flows back."""
    config = model.config
    with _learning(model) as learner:
        places = [
            (kind, layer, name) for kind in KINDS for layer in range(config.depth(kind)) for name in MATRICES
        ]
        matrices = [matrix_of(learner, *place) for place in places]
        loss, _ = loss_of(learner, [pair])
        found = torch.autograd.grad(loss, matrices)
        lengths = [[_lengths(each, place[2], config.heads) for each, place in zip(some, places, strict=True)]
                   for some in (found, matrices)]  # fmt: skip
    gradients, weights = (_by_kind(config, np.array(each)) for each in lengths)
    return Reached(loss.item(), gradients, weights)


def _by_kind(config: Config, lengths: np.ndarray) -> dict[str, np.ndarray]:
    """Lengths (L of all kinds · 4, H), by kind: (L, H, 4)."""
    ends = np.cumsum([config.depth(kind) * len(MATRICES) for kind in KINDS])
    parts = zip(KINDS, np.split(lengths, ends[:-1]), strict=True)
    return {kind: np.moveaxis(part.reshape(-1, len(MATRICES), config.heads), 1, -1) for kind, part in parts}


def part_of(model: Transformer, pair: Pair, head: Head, matrix: str) -> Part:
    """One head's part of one matrix, and the gradient of the loss there."""
    with _learning(model) as learner:
        whole = matrix_of(learner, head.kind, head.layer, matrix)
        (found,) = torch.autograd.grad(loss_of(learner, [pair])[0], [whole])
        parts = (split(each, matrix, model.config.heads)[head.head] for each in (whole.detach(), found))
        return Part(*(each.cpu().numpy().copy() for each in parts))


def matrix_of(model: Transformer, kind: str, layer: int, matrix: str) -> Tensor:
    return model.get_submodule(f"{KINDS[kind].format(layer)}.{MATRICES[matrix]}").get_parameter("weight")


def split(matrix: Tensor, name: str, heads: int) -> Tensor:  # (D, D) -> (H, E, D)
    """The parts of the heads; those of W^O lie across, since a head is a part of what W^O reads."""
    return (matrix.mT if name == "o" else matrix).unflatten(0, (heads, -1))


def _lengths(matrix: Tensor, name: str, heads: int) -> np.ndarray:  # (H)
    return split(matrix.detach(), name, heads).flatten(1).norm(dim=-1).cpu().numpy()


@contextmanager
def _learning(model: Transformer) -> Iterator[Transformer]:
    """A model that gradients can be asked of: this one, or a copy where its weights are fixed."""
    with ONE_AT_A_TIME, torch.inference_mode(False), torch.enable_grad():
        fixed = not all(weight.requires_grad for weight in model.parameters())
        yield deepcopy(model).requires_grad_() if fixed else model
