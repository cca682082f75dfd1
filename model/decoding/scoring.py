"""Many sentences at once: batches of similar length, their translations, and how likely given ones are."""

from collections.abc import Iterator, Sequence

import numpy as np
import torch

from model.decoding.search import UNWRITTEN, Hypothesis, greedy
from model.network.batches import pad, read_ids
from model.network.config import PAD
from model.network.seq2seq import Seq2Seq

BATCH = 64


def in_batches(sources: Sequence[Sequence[int]], size: int = BATCH) -> Iterator[list[int]]:
    """Rows in batches of similar length: little padding, and the order can be restored."""
    order = sorted(range(len(sources)), key=lambda row: len(sources[row]))
    yield from (order[start : start + size] for start in range(0, len(order), size))


def translate_all(model: Seq2Seq, sources: Sequence[Sequence[int]]) -> list[Hypothesis]:
    """Greedy translations of many sentences, in the order given."""
    found: dict[int, Hypothesis] = {}
    for rows in in_batches(sources):
        found.update(zip(rows, greedy(model, [sources[row] for row in rows]), strict=True))
    return [found[row] for row in range(len(sources))]


@torch.inference_mode()
def log_probabilities(
    model: Seq2Seq, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> list[float]:
    """Total natural-log probability of each target given its source, end token included."""
    found: dict[int, float] = {}
    for rows in in_batches(targets):
        source, read = pad([sources[row] for row in rows]), pad([read_ids(targets[row]) for row in rows])
        log_probs = model(source.to(model.device), read.to(model.device)).log_softmax(-1).cpu()
        predicted = pad([targets[row] for row in rows])
        each = log_probs.gather(-1, predicted[..., None])[..., 0]
        totals = each.masked_fill(predicted == PAD, 0).sum(-1)
        found.update(zip(rows, totals.tolist(), strict=True))
    return [found[row] for row in range(len(targets))]


@torch.inference_mode()
def distributions(model: Seq2Seq, source: Sequence[int], target: Sequence[int]) -> np.ndarray:
    """Log-probabilities of the whole vocabulary at each step of a given target, (steps, V), in one pass."""
    read = pad([read_ids(target)]).to(model.device)
    log_probs = model(pad([source]).to(model.device), read)[0].log_softmax(-1).cpu()
    log_probs[:, UNWRITTEN] = -torch.inf
    return log_probs.numpy()
