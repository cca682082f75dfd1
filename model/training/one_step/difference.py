"""The gradient of one weight without any calculus: move it a little to both sides and look at the loss."""

from copy import deepcopy
from typing import NamedTuple

import torch

from model.inspect.variants import Head
from model.network.transformer import Transformer
from model.training.one_step import ONE_AT_A_TIME
from model.training.one_step.gradients import matrix_of, split
from model.training.one_step.pair import Pair, mean_loss

WIDTH = 1e-4


class Difference(NamedTuple):
    """The loss with one weight a little smaller and a little larger."""

    width: float  # how far it was moved to either side
    below: float
    above: float

    @property
    def slope(self) -> float:
        return (self.above - self.below) / (2 * self.width)


def difference(
    model: Transformer, pair: Pair, head: Head, matrix: str, place: tuple[int, int], width: float = WIDTH
) -> Difference:
    """In double precision: single precision rounds away most of so small a change."""
    with ONE_AT_A_TIME, torch.no_grad():
        private = deepcopy(model).double()
        weights = split(matrix_of(private, head.kind, head.layer, matrix), matrix, model.config.heads)
        part, found = weights[head.head], []
        was = part[place].item()
        for moved in (was - width, was + width):
            part[place] = moved
            found.append(mean_loss(private, [pair]))
        return Difference(width, *found)
