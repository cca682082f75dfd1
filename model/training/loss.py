"""What a batch teaches: its loss, and the gradients of it over however many processes."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel

from model.network.batches import pad, read_ids
from model.network.config import PAD
from model.network.transformer import Transformer
from model.processes import Processes
from model.training.data import Corpus


def batch_loss(
    model: Transformer,
    corpus: Corpus,
    rows: Sequence[int] | np.ndarray,
    smoothing: float,
    consistency: float = 0.0,
    half: bool = False,
) -> tuple[Tensor, Tensor]:
    """Sums over the target pieces of these rows: the loss to learn from, and the one without smoothing.

    With consistency every row is read twice, each time under other dropout, and the loss grows by how
    far the two predictions lie apart: R-Drop (Liang et al. 2021), good where the text is little. With
    `half` the products are taken in bfloat16, which is worth it where the processor has it.
    """
    rows = [*rows, *rows] if consistency else rows
    source = pad([corpus.sources[row] for row in rows]).to(model.device)
    read = pad([read_ids(corpus.targets[row]) for row in rows]).to(model.device)
    target = pad([corpus.targets[row] for row in rows]).to(model.device)
    real = target != PAD  # the vocabulary is the widest product: spare it the padding
    with _half_precision(model.device) if half else nullcontext():
        hidden = model.decode(read, *model.encode(source))
        logits = model.predict(hidden[real])
    logits, right = logits.float(), target[real]
    smoothed = F.cross_entropy(logits, right, reduction="sum", label_smoothing=smoothing)
    plain = logits.detach().logsumexp(-1).sum() - logits.detach().gather(-1, right[:, None]).sum()
    if not consistency:
        return smoothed, plain
    first, second = logits.log_softmax(-1).chunk(2)
    apart = ((first.exp() - second.exp()) * (first - second)).sum() / 2  # the mean of both divergences
    return smoothed / 2 + consistency * apart, plain / 2


@contextmanager
def _half_precision(device: torch.device) -> Iterator[None]:
    # Fused attention in bfloat16 takes ten times as long to differentiate on a processor.
    unfused = sdpa_kernel(SDPBackend.MATH) if device.type == "cpu" else nullcontext()
    with torch.autocast(device.type, torch.bfloat16), unfused:
        yield


def compute_gradients(
    model: Transformer,
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
