"""Dropout by bytes."""

import pytest
import torch

from model.network.dropout import Dropout


@pytest.mark.parametrize("rate", [0.1, 0.3, 0.5])
def test_dropout_drops_its_share_and_keeps_the_mean(rate):
    torch.manual_seed(0)
    layer, x = Dropout(rate), torch.ones(400, 1_001)
    found = layer(x)
    share = (found == 0).float().mean().item()
    assert share == pytest.approx(round(rate * 256) / 256, abs=3e-3)
    assert found.mean().item() == pytest.approx(1, abs=5e-3)
    assert not torch.equal(layer(x), found)
    assert layer.eval()(x) is x
