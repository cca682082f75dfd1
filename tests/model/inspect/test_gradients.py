"""Gradients at the stream: equal to what a small push does to the loss, and nothing is left on the model."""

from dataclasses import dataclass

import numpy as np
import pytest
import torch

from model.checkpoint import untrained
from model.inspect.edits import Edit
from model.inspect.gradients import WITHOUT, gradient_norms, leave_out, stream_gradients
from model.network.config import START
from model.network.hooks import watch
from tests.helpers.tiny import tiny_config

SOURCE, TARGET = (17, 40, 233, 2), (51, 9, 120, 77, 2)
HEIGHTS = (
    "encoder.embedding.sum", "encoder.layers.1.after_attention", "decoder.embedding.sum",
    "decoder.layers.0.after_cross", "decoder.layers.1.after_feed_forward",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Push(Edit):
    """Move the stream a little at one height."""

    where: str
    by: torch.Tensor

    @property
    def points(self):
        return (self.where,)

    def __call__(self, x, place):
        return x + self.by


def precise(**changes):
    return untrained(tiny_config(**changes), seed=3).double()


def loss(model, edits) -> float:
    read = torch.tensor([(START, *TARGET[:-1])])
    with torch.inference_mode(), watch(edits=edits):
        logits = model(torch.tensor([SOURCE]), read)[0]
    return -float(logits.log_softmax(-1)[range(len(TARGET)), list(TARGET)].sum())


@pytest.mark.parametrize("way", WITHOUT)
@pytest.mark.parametrize("positions", ["sinusoidal", "rotary"])
def test_the_gradient_is_what_a_small_push_does_to_the_loss(way, positions):
    model = precise(positions=positions, activation="gelu")
    edits, rng = leave_out(model, WITHOUT[way]), np.random.default_rng(0)
    found = stream_gradients(model, SOURCE, TARGET, edits)
    for path in HEIGHTS:
        direction = rng.standard_normal(found[path].shape)
        push = torch.from_numpy(direction)[None] * 1e-5
        up, down = (loss(model, [*edits, Push(path, sign * push)]) for sign in (1, -1))
        assert (up - down) / 2e-5 == pytest.approx((found[path] * direction).sum(), rel=1e-4, abs=1e-7), path


def test_at_the_top_the_gradient_is_what_the_formula_says():
    model = precise()
    found = stream_gradients(model, SOURCE, TARGET)["decoder.layers.1.after_feed_forward"]
    with torch.inference_mode():
        logits = model(torch.tensor([SOURCE]), torch.tensor([(START, *TARGET[:-1])]))[0]
    wanted = np.eye(logits.shape[1])[list(TARGET)]
    table = model.to_vocabulary.weight.detach().numpy()
    np.testing.assert_allclose(found, (logits.softmax(-1).numpy() - wanted) @ table, rtol=1e-8, atol=1e-12)


def test_asking_leaves_nothing_on_the_model_that_others_share():
    model = untrained(tiny_config())
    read = torch.tensor([(START, *TARGET[:-1])])
    with torch.inference_mode():
        before = model(torch.tensor([SOURCE]), read)
        gradient_norms(model, SOURCE, TARGET)  # a caller's own inference mode does not matter
        after = model(torch.tensor([SOURCE]), read)
    assert torch.equal(before, after)
    assert all(parameter.grad is None and parameter.requires_grad for parameter in model.parameters())


def test_every_sublayer_loses_the_part_and_every_height_has_a_length():
    model = untrained(tiny_config())
    layers = model.config.layers
    assert len(leave_out(model, ("residual", "norm"))) == 2 * layers * (2 + 3)
    norms = gradient_norms(model, SOURCE, TARGET)
    assert set(norms) == set(WITHOUT)
    for by_path in norms.values():
        assert len(by_path) == (1 + 2 * layers) + (1 + 3 * layers)
        for path, lengths in by_path.items():
            assert lengths.shape == (len(SOURCE if path.startswith("encoder") else TARGET),)
            assert (lengths >= 0).all()
    plain = stream_gradients(model, SOURCE, TARGET)
    for path, lengths in norms["trained"].items():
        np.testing.assert_allclose(lengths, np.sqrt((plain[path] ** 2).sum(-1)), rtol=1e-5)
