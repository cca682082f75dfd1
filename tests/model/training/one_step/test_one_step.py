"""One step is true: its gradients are autograd's, its Adam is PyTorch's, and nobody's weights change."""

import gc
from copy import deepcopy

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from model import load
from model.inspect.variants import Head, all_heads
from model.network.batches import read_ids
from model.network.kinds import KINDS
from model.training.one_step.adam import first_step, scheduled
from model.training.one_step.difference import difference
from model.training.one_step.gradients import MATRICES, matrix_of, part_of, reached, split
from model.training.one_step.losses import floor, losses, pull, wanted
from model.training.one_step.pair import Pair, loss_of, predictions
from model.training.one_step.taken import take_steps

TEXT, TARGET = "My brother lost his watch.", "Mon frère a perdu sa montre."
HEADS = [Head("encoder", 0, 3), Head("decoder", 3, 5), Head("cross", 2, 7)]


@pytest.fixture(scope="module")
def translator():
    return load("en-fr")


@pytest.fixture(scope="module")
def pair(translator):
    return Pair(translator.read(TEXT).ids, translator.read(TARGET).ids)


@pytest.fixture(scope="module")
def copied(translator, pair):
    """A copy on which autograd has gone all the way back."""
    copy = deepcopy(translator.model).requires_grad_()
    copy.zero_grad()
    logits = copy(torch.tensor([pair.source]), torch.tensor([read_ids(pair.target)]))[0]
    logits.retain_grad()
    F.cross_entropy(logits, torch.tensor(pair.target), label_smoothing=0.1).backward()
    return copy, logits


def head_slice(matrix, name: str, head: int):
    own = slice(32 * head, 32 * head + 32)
    return matrix[:, own].T if name == "o" else matrix[own]


@pytest.fixture(autouse=True)
def unchanged(translator):
    """Whatever a test does: the weights that all share keep every bit, and nothing hangs on them."""
    before = {name: weight.detach().clone() for name, weight in translator.model.named_parameters()}
    yield
    for name, weight in translator.model.named_parameters():
        assert torch.equal(weight, before[name]) and weight.grad is None, name


def test_the_loss_of_every_row_is_pytorchs(translator, pair):
    right = torch.tensor(pair.target)
    logits = 5 * torch.randn(len(right), 8000, dtype=torch.double, generator=torch.Generator().manual_seed(0))
    found = losses(logits.log_softmax(-1).numpy(), pair.target)
    for smoothing, mine in ((0.1, found.smoothed), (0.0, found.plain)):
        theirs = F.cross_entropy(logits, right, reduction="none", label_smoothing=smoothing)
        np.testing.assert_allclose(mine, theirs, rtol=1e-9)
    own = losses(predictions(translator.model, pair), pair.target).smoothed
    with torch.no_grad():
        assert loss_of(translator.model, [pair])[0].item() == pytest.approx(own.mean(), abs=1e-4)


@pytest.mark.parametrize(("vocabulary", "smoothing"), [(8000, 0.1), (50, 0.3), (50, 0.0)])
def test_nothing_falls_below_the_floor_and_p_equal_to_q_reaches_it(vocabulary, smoothing):
    right, other = wanted(vocabulary, smoothing)
    chances = np.full(vocabulary, other or 1e-30)
    chances[3] = right
    reached_floor = losses(np.log(chances)[None], [3], smoothing)
    assert reached_floor.smoothed[0] == pytest.approx(floor(vocabulary, smoothing), abs=1e-9)
    assert abs(pull(np.log(chances), 3, smoothing)).max() < 1e-12
    surer = np.log(np.where(np.arange(vocabulary) == 3, 1 - 1e-9, 1e-9 / (vocabulary - 1)))
    if smoothing:
        assert losses(surer[None], [3], smoothing).smoothed[0] > floor(vocabulary, smoothing) + 0.1


def test_p_minus_q_is_autograds_gradient_at_the_logits(translator, pair, copied):
    _, logits = copied
    log_probs = predictions(translator.model, pair)
    for row, right in enumerate(pair.target):
        expected = logits.grad[row] * len(pair.target)  # of the mean over rows each has its share
        np.testing.assert_allclose(pull(log_probs[row], right), expected, atol=1e-5)


def test_norms_and_parts_are_those_of_autograd_on_a_copy(translator, pair, copied):
    copy, _ = copied
    found = reached(translator.model, pair)
    for kind, layer, head in all_heads(translator.config):
        for place, name in enumerate(MATRICES):
            weight = matrix_of(copy, kind, layer, name)
            gradient, own = (head_slice(each, name, head).norm().item() for each in (weight.grad, weight))
            assert found.gradients[kind][layer, head, place] == pytest.approx(gradient, rel=1e-4, abs=1e-9)
            assert found.relative(kind)[layer, head, place] == pytest.approx(gradient / own, rel=1e-4)
    for head in HEADS:
        for name in MATRICES:
            part, weight = part_of(translator.model, pair, head, name), matrix_of(copy, *head[:2], name)
            np.testing.assert_array_equal(part.weights, head_slice(weight.detach(), name, head.head))
            expected = head_slice(weight.grad, name, head.head)
            np.testing.assert_allclose(part.gradients, expected, atol=1e-5 * float(abs(expected).max()))


def test_fixed_weights_give_the_same_gradients(translator, pair):
    fixed = deepcopy(translator.model).requires_grad_(False)
    found, expected = (part_of(model, pair, HEADS[1], "q") for model in (fixed, translator.model))
    np.testing.assert_array_equal(found.gradients, expected.gradients)
    assert not any(weight.requires_grad for weight in fixed.parameters())


def test_the_parts_of_the_heads_make_up_the_matrix(translator):
    for name in MATRICES:
        matrix = matrix_of(translator.model, "cross", 1, name).detach()
        parts = split(matrix, name, 8).flatten(0, 1)
        assert torch.equal(parts.T if name == "o" else parts, matrix)


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("matrix", MATRICES)
def test_a_finite_difference_finds_the_same_slope(translator, pair, head, matrix):
    gradients = part_of(translator.model, pair, head, matrix).gradients
    for order in (-1, -100, -4000):  # the largest, a large one, and one in the middle
        place = np.unravel_index(np.argsort(abs(gradients), axis=None)[order], gradients.shape)
        slope = difference(translator.model, pair, head, matrix, tuple(map(int, place))).slope
        assert slope == pytest.approx(gradients[place], rel=1e-2)


@pytest.mark.parametrize("gradient", [0.3, -2e-4, 5e-9])
def test_the_first_step_is_pytorchs_adam(gradient):
    weight = torch.tensor([0.5], dtype=torch.double, requires_grad=True)
    weight.grad = torch.tensor([gradient], dtype=torch.double)
    torch.optim.Adam([weight], lr=1e-3, betas=(0.9, 0.98), eps=1e-9).step()
    found = first_step(gradient, 1e-3)
    assert found.step == pytest.approx(weight.item() - 0.5, rel=1e-6)
    if abs(gradient) > 1e-6:
        assert found.step == pytest.approx(-1e-3 * np.sign(gradient), rel=1e-4)
        assert found.uncorrected / found.step == pytest.approx(0.7071, abs=1e-3)


def test_a_taken_step_is_pytorchs_adam_on_the_same_gradients(translator, pair, copied):
    stepped = deepcopy(copied[0])
    for mine, theirs in zip(stepped.parameters(), copied[0].parameters(), strict=True):
        mine.grad = theirs.grad.clone()
    torch.optim.Adam(stepped.parameters(), lr=1e-5, betas=(0.9, 0.98), eps=1e-9).step()
    taken = take_steps(translator.model, pair, 1e-5, 1)
    with torch.no_grad():
        loss, log_probs = loss_of(stepped, [pair])
    assert taken.losses[1] == pytest.approx(loss.item(), abs=1e-6)
    np.testing.assert_allclose(taken.log_probs[1], log_probs, atol=1e-5)
    assert taken.losses[1] < taken.losses[0]


def test_steps_are_written_down_and_others_are_not_learned_from(translator, pair):
    other = Pair(
        translator.read("We watch the birds.").ids, translator.read("Nous regardons les oiseaux.").ids
    )
    taken = take_steps(translator.model, pair, 1e-4, 3, [other])
    again = take_steps(translator.model, pair, 1e-4, 3)
    np.testing.assert_array_equal(taken.losses, again.losses)
    assert np.isfinite(taken.others).all() and np.isnan(again.others).all()
    assert taken.kept == (0, 1, 3) and taken.log_probs.shape == (4, len(pair.target))
    trace = translator.trace(TEXT, pair.target)
    for kind in KINDS:
        np.testing.assert_allclose(taken.maps[kind][0], trace.attention[kind], atol=1e-3)
        assert not np.array_equal(taken.maps[kind][0], taken.maps[kind][2])


def test_at_the_peak_the_first_steps_break_what_was_learned(translator, pair):
    other = Pair(
        translator.read("We watch the birds.").ids, translator.read("Nous regardons les oiseaux.").ids
    )
    peak = scheduled(4000, translator.config.width)
    gentle, wild = (take_steps(translator.model, pair, rate, 1, [other]) for rate in (peak / 100, peak))
    assert abs(gentle.others[1] - gentle.others[0]) < 0.05
    assert wild.others[1] > wild.others[0] + 0.1


def test_nothing_but_small_arrays_is_left_behind(translator, pair):
    def tensors() -> int:
        gc.collect()
        return sum(each.numel() for each in gc.get_objects() if issubclass(type(each), torch.Tensor))

    before = tensors()
    taken = take_steps(translator.model, pair, 1e-5, 2, [pair])
    part, found = part_of(translator.model, pair, HEADS[0], "o"), reached(translator.model, pair)
    difference(translator.model, pair, HEADS[0], "o", (0, 0))
    assert tensors() == before
    kept = [*taken[:3], *taken.maps.values(), *part, *found.gradients.values(), *found.weights.values()]
    assert sum(each.nbytes for each in kept) < 1_000_000
    assert all(each.base is None or each.base.nbytes < 1_000_000 for each in kept)
