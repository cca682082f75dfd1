"""The loss, its smoothing, its consistency and its precision."""

import pytest
import torch
import torch.nn.functional as F

from model.checkpoint import untrained
from model.training.data import encode_pairs
from model.training.loss import batch_loss
from model.training.vocabulary_loss import ROWS, vocabulary_loss
from tests.helpers.tiny import PAIRS, tiny_config, tiny_tokenizer


def test_the_loss_is_pytorchs_smoothed_cross_entropy_without_padding():
    corpus = encode_pairs(PAIRS[:5], tiny_tokenizer(), 512)
    model = untrained(tiny_config(dropout=0.0))
    smoothed, plain = batch_loss(model, corpus, range(5), 0.1)
    expected = {0.1: 0.0, 0.0: 0.0}
    for source, target in zip(corpus.sources, corpus.targets, strict=True):
        logits = model(torch.tensor([source]), torch.tensor([[1, *target[:-1]]]))[0]
        for smoothing in expected:
            loss = F.cross_entropy(logits, torch.tensor(target), reduction="sum", label_smoothing=smoothing)
            expected[smoothing] += loss.item()
    assert smoothed.item() == pytest.approx(expected[0.1], rel=1e-5)
    assert plain.item() == pytest.approx(expected[0.0], rel=1e-5)


def test_loss_and_gradients_in_parts_are_those_of_the_whole():
    torch.manual_seed(5)
    hidden, table = (
        torch.randn(size, 8, dtype=torch.float64).requires_grad_() for size in (2 * ROWS + 3, 11)
    )
    right = torch.randint(11, (len(hidden),))
    for smoothing in (0.0, 0.1):
        smoothed, plain = vocabulary_loss(hidden, table, right, smoothing)
        found = torch.autograd.grad(smoothed / 7, (hidden, table))
        logits = hidden @ table.T
        expected = F.cross_entropy(logits, right, reduction="sum", label_smoothing=smoothing)
        torch.testing.assert_close(smoothed, expected.float())
        torch.testing.assert_close(plain, F.cross_entropy(logits, right, reduction="sum").float())
        for gradient, true in zip(found, torch.autograd.grad(expected / 7, (hidden, table)), strict=True):
            torch.testing.assert_close(gradient, true, rtol=1e-4, atol=1e-6)


def test_half_precision_changes_the_loss_little():
    corpus, model = encode_pairs(PAIRS[:20], tiny_tokenizer(), 512), untrained(tiny_config(dropout=0.0))
    losses = []
    for half in (False, True):
        loss, _ = batch_loss(model, corpus, range(20), 0.1, half=half)
        loss.backward()
        losses.append(loss.item())
    assert losses[0] != losses[1]
    assert losses[1] == pytest.approx(losses[0], rel=3e-3)
    assert all(weight.grad.dtype == torch.float32 for weight in model.parameters())


def test_consistency_costs_what_two_draws_of_dropout_make_differ():
    corpus = encode_pairs(PAIRS[:5], tiny_tokenizer(), 512)
    still, shaken = (untrained(tiny_config(dropout=rate)).train() for rate in (0.0, 0.3))
    for expected, found in zip(
        batch_loss(still, corpus, range(5), 0.1), batch_loss(still, corpus, range(5), 0.1, 2.5), strict=True
    ):
        torch.testing.assert_close(found, expected)  # the same twice is not apart

    def losses(consistency: float) -> tuple[float, float]:
        torch.manual_seed(3)
        return tuple(loss.item() for loss in batch_loss(shaken, corpus, range(5), 0.1, consistency))

    slight, one, two = losses(1e-9), losses(1.0), losses(2.0)
    assert slight[1] == one[1] == two[1]  # the plain loss knows nothing of it
    torch.manual_seed(3)
    read = [*range(5), *range(5)]
    source, target = (
        torch.nn.utils.rnn.pad_sequence([torch.tensor(ids) for ids in side], batch_first=True)
        for side in ([corpus.sources[row] for row in read], [[1, *corpus.targets[row][:-1]] for row in read])
    )
    first, second = shaken(source, target).log_softmax(-1).chunk(2)
    real = torch.arange(target.shape[1]) < torch.tensor([[len(ids)] for ids in corpus.targets])
    apart = sum(
        F.kl_div(q, p, reduction="none", log_target=True) for p, q in ((first, second), (second, first))
    )
    assert one[0] - slight[0] == pytest.approx(apart.sum(-1)[real].sum().item() / 2, rel=1e-3)
    assert two[0] - one[0] == pytest.approx(one[0] - slight[0], rel=1e-3)
