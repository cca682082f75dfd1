"""What a batch teaches: its loss, and the gradients of it over however many processes."""

from collections.abc import Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from model.config import PAD, START
from model.data import Corpus
from model.decoding import pad
from model.processes import Processes
from model.transformer import Transformer


def batch_loss(
    model: Transformer, corpus: Corpus, rows: Sequence[int], smoothing: float, consistency: float = 0.0
) -> tuple[Tensor, Tensor]:
    """Sums over the target pieces of these rows: the loss to learn from, and the plain one.

    With consistency every row is read twice, each time under other dropout, and the loss grows by how
    far the two predictions lie apart: R-Drop (Liang et al. 2021), good where the text is little.
    """
    device = model.to_vocabulary.weight.device
    rows = [*rows, *rows] if consistency else rows
    source = pad([corpus.sources[row] for row in rows]).to(device)
    target = pad([[START, *corpus.targets[row]] for row in rows]).to(device)
    hidden = model.decode(target[:, :-1], *model.encode(source))
    real = target[:, 1:] != PAD  # the vocabulary is the widest product: spare it the padding
    logits, right = model.predict(hidden[real]), target[:, 1:][real]
    smoothed = F.cross_entropy(logits, right, reduction="sum", label_smoothing=smoothing)
    plain = logits.detach().logsumexp(-1).sum() - logits.detach().gather(-1, right[:, None]).sum()
    if not consistency:
        return smoothed, plain
    first, second = logits.log_softmax(-1).chunk(2)
    apart = ((first.exp() - second.exp()) * (first - second)).sum() / 2  # the mean of both divergences
    return smoothed / 2 + consistency * apart, plain / 2


def compute_gradients(
    model: Transformer,
    corpus: Corpus,
    batch: np.ndarray,
    smoothing: float,
    group: Processes,
    consistency: float = 0.0,
) -> tuple[float, float, int]:
    """Gradients of the mean loss a piece over the whole batch, whoever computed which part.

    Every process knows the whole batch, so all divide by the same count and gradients just add up.
    """
    pieces = sum(len(corpus.targets[row]) for row in batch)
    rows = batch[group.rank :: group.count]
    model.zero_grad(set_to_none=True)
    if len(rows):
        loss, plain = batch_loss(model, corpus, rows, smoothing, consistency)
        (loss / pieces).backward()
        sums = loss.item(), plain.item()
    else:
        sums = 0.0, 0.0
    for parameter in model.parameters():
        if parameter.grad is None:
            parameter.grad = torch.zeros_like(parameter)
    group.add_gradients(model)
    loss, plain = group.add(*sums)
    return loss / pieces, plain / pieces, pieces
