"""The convolutional network against PyTorch's convolution and a plain loop, and what it can see."""

import math

import pytest
import torch
import torch.nn.functional as F

from model.checkpoint import untrained_any
from model.network.cache import Cache
from model.network.config import preset
from model.network.convolutional import Convolutional, GatedConvolution

WIDTH, KERNEL, STEPS = 6, 3, 7


@pytest.fixture
def model() -> Convolutional:
    config = preset("convolutional", vocabulary=30, width=WIDTH, hidden=8, layers=2, length=64)
    return untrained_any(config).double()


def test_a_gated_convolution_is_pytorchs_convolution_and_gate():
    torch.manual_seed(0)
    ours, x = GatedConvolution(WIDTH, KERNEL).double(), torch.randn(2, STEPS, WIDTH).double()
    kernels = ours.mix.weight.unflatten(1, (KERNEL, WIDTH)).transpose(1, 2)  # (2 D, D, k)
    expected = F.glu(F.conv1d(x.transpose(1, 2), kernels, ours.mix.bias).transpose(1, 2), -1)
    torch.testing.assert_close(ours(x), expected, rtol=0, atol=1e-12)


def test_a_decoder_layer_is_the_sum_written_out(model):
    layer, length = model.decoder_layers[0], 4
    torch.manual_seed(0)
    x, embedded = torch.randn(2, 1, length, WIDTH).double()
    memory, source = torch.randn(2, 1, STEPS, WIDTH).double()
    mask = torch.ones(1, 1, 1, STEPS, dtype=torch.bool)
    found = layer(x, embedded, memory, source, mask, x.new_zeros(1, KERNEL - 1, WIDTH))[0]
    past, half = [torch.zeros(WIDTH).double()] * (KERNEL - 1) + list(x[0]), math.sqrt(0.5)
    for row in range(length):
        value, gate = (layer.convolution.mix(torch.cat(past[row : row + KERNEL]))).chunk(2)
        height = value * torch.sigmoid(gate)
        query = (layer.to_query(height) + embedded[0, row]) * half
        pattern = torch.stack([query @ key for key in memory[0]]).softmax(-1)
        taken = sum(
            weight * (m + e) * half for weight, m, e in zip(pattern, memory[0], source[0], strict=True)
        )
        expected = ((height + layer.to_output(taken)) * half + x[0, row]) * half
        torch.testing.assert_close(found[row], expected, rtol=0, atol=1e-9)


def test_one_step_after_the_other_equals_all_at_once(model):
    source, target = torch.tensor([[5, 6, 7, 2]]), torch.tensor([[1, 9, 8, 7, 6]])
    memory, mask = model.encode(source)
    whole, cache = model.decode(target, memory, mask), Cache()
    steps = [model.decode(target[:, [step]], memory, mask, cache) for step in range(target.shape[1])]
    torch.testing.assert_close(torch.cat(steps, 1), whole, rtol=0, atol=1e-9)


def test_padding_changes_nothing(model):
    target = torch.tensor([[1, 9, 8]])
    short, padded = torch.tensor([[5, 6, 2]]), torch.tensor([[5, 6, 2, 0, 0]])
    torch.testing.assert_close(model(padded, target), model(short, target), rtol=0, atol=1e-9)


def test_the_future_is_invisible(model):
    source = torch.tensor([[5, 6, 7, 2]])
    one, other = model(source, torch.tensor([[1, 9, 8]])), model(source, torch.tensor([[1, 9, 7]]))
    torch.testing.assert_close(one[:, :2], other[:, :2], rtol=0, atol=1e-9)
    assert not torch.allclose(one[:, 2], other[:, 2])


def test_each_layer_sees_one_neighbour_more_to_either_side(model):
    x, mask = model.enter(torch.tensor([list(range(5, 14))])), torch.ones(1, 1, 1, 9, dtype=torch.bool)
    moved = x.clone()
    moved[:, 4] += 1
    for layer, (one, other) in enumerate(zip(model.read(x, mask), model.read(moved, mask), strict=True), 1):
        changed = (one != other).any(-1)[0].nonzero()[:, 0].tolist()
        assert changed == list(range(4 - layer, 5 + layer))
