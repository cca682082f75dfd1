"""What moves the weights."""

import torch

from model.checkpoint import untrained
from model.processes import Processes
from model.training.optimizer import Optimizer
from tests.helpers.tiny import tiny_config


def test_muon_moves_every_direction_of_a_matrix_alike_and_leaves_the_rest_to_adam():
    model = untrained(tiny_config(dropout=0.0))
    optimizer = Optimizer(model, "muon", Processes())
    before = {name: weight.detach().clone() for name, weight in model.named_parameters()}
    generator = torch.Generator().manual_seed(1)
    for weight in model.parameters():
        weight.grad = torch.randn(weight.shape, generator=generator)
        weight.grad[..., 0] *= 100  # a gradient with one direction far ahead of the others
    optimizer.step(1e-2)
    moments = {name for name, _ in optimizer.moments()}
    for name, weight in model.named_parameters():
        matrix = weight.ndim == 2 and "table" not in name and "to_vocabulary" not in name
        assert (f"momentum_buffer.{name}" in moments) == matrix == (f"exp_avg.{name}" not in moments)
        if matrix:
            moved = torch.linalg.svdvals(weight.detach() - before[name] * (1 - 1e-2 * 0.1))
            assert moved.max() < 3 * moved.median()
