"""What a batch teaches: its loss, and the gradients of it over however many processes."""

from collections.abc import Sequence
from contextlib import nullcontext
from itertools import chain

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.func import functional_call
from torch.nn.attention import SDPBackend, sdpa_kernel

from model.network.batches import pad, read_ids
from model.network.config import PAD
from model.network.seq2seq import Seq2Seq
from model.processes import Processes
from model.training.data import Corpus
from model.training.vocabulary_loss import vocabulary_loss


def batch_loss(
    model: Seq2Seq,
    corpus: Corpus,
    rows: Sequence[int] | np.ndarray,
    smoothing: float,
    consistency: float = 0.0,
    half: bool = False,
) -> tuple[Tensor, Tensor]:
    """Sums over the target pieces of these rows: the loss to learn from, and the one without smoothing.

    With consistency every row is read twice, each time under other dropout, and the loss grows by how
    far the two predictions lie apart: R-Drop (Liang et al. 2021), good where the text is little. With
    `half` all is computed in bfloat16, which is worth it where the processor has it.
    """
    rows = [*rows, *rows] if consistency else rows
    source = pad([corpus.sources[row] for row in rows]).to(model.device)
    read = pad([read_ids(corpus.targets[row]) for row in rows]).to(model.device)
    target = pad([corpus.targets[row] for row in rows]).to(model.device)
    real = target != PAD  # the vocabulary is the widest product: spare it the padding
    reading = _Reading(model)
    hidden, table = _read_in_half(reading, source, read) if half else reading(source, read)
    hidden, right = hidden[real], target[real]
    if not consistency:
        return vocabulary_loss(hidden, table, right, smoothing)
    logits = F.linear(hidden, table).float()
    smoothed = F.cross_entropy(logits, right, reduction="sum", label_smoothing=smoothing)
    plain = F.cross_entropy(logits.detach(), right, reduction="sum")
    first, second = logits.log_softmax(-1).chunk(2)
    apart = ((first.exp() - second.exp()) * (first - second)).sum() / 2  # the mean of both divergences
    return smoothed / 2 + consistency * apart, plain / 2


class _Reading(nn.Module):
    """A model's way from ids to the hidden states of all target positions, as one call."""

    def __init__(self, model: Seq2Seq) -> None:
        super().__init__()
        self.model = model

    def forward(self, source: Tensor, read: Tensor) -> tuple[Tensor, Tensor]:
        """Hidden states (B, T, D), and the matrix (V, D) that makes logits of them."""
        return self.model.decode(read, *self.model.encode(source)), self.model.to_vocabulary.weight


def _read_in_half(reading: _Reading, source: Tensor, read: Tensor) -> tuple[Tensor, Tensor]:
    """The same with weights and streams in bfloat16: half the memory to move, and faster products.

    The model's own weights stay as they are; gradients find their way to them through the cast.
    """
    tensors = chain(reading.named_parameters(), reading.named_buffers())
    halved = {name: tensor.bfloat16() for name, tensor in tensors if tensor.is_floating_point()}
    # Fused attention in bfloat16 takes ten times as long to differentiate on a processor.
    unfused = sdpa_kernel(SDPBackend.MATH) if source.device.type == "cpu" else nullcontext()
    with unfused:  # a shared matrix is one tensor of one module here: there is nothing to tie
        return functional_call(reading, halved, (source, read), tie_weights=False)


def compute_gradients(
    model: Seq2Seq,
    corpus: Corpus,
    batch: np.ndarray,
    smoothing: float,
    group: Processes,
    consistency: float = 0.0,
    half: bool = False,
) -> tuple[float, float, int]:
    """Gradients of the mean loss per piece over the whole batch, whichever process computed which part.

    Every process knows the whole batch, so all divide by the same count and gradients just add up.
    """
    pieces = sum(len(corpus.targets[row]) for row in batch)
    rows = batch[group.rank :: group.count]
    model.zero_grad(set_to_none=True)
    sums = 0.0, 0.0
    if len(rows):
        loss, plain = batch_loss(model, corpus, rows, smoothing, consistency, half)
        (loss / pieces).backward()
        sums = loss.item(), plain.item()
    gradients = []
    for parameter in model.parameters():
        if parameter.grad is None:
            parameter.grad = torch.zeros_like(parameter)
        gradients.append(parameter.grad)
    group.add_tensors(gradients)
    learned, unsmoothed = group.add(*sums)
    return learned / pieces, unsmoothed / pieces, pieces
