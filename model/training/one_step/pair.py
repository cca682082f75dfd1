"""A pair of sentences as the model trains on it, and its loss: the mean over the target's pieces."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from model.network.batches import pad, read_ids
from model.network.config import PAD
from model.network.transformer import Transformer
from model.training.one_step import SMOOTHING


class Pair(NamedTuple):
    source: tuple[int, ...]
    target: tuple[int, ...]  # end token included


def loss_of(model: Transformer, pairs: Sequence[Pair]) -> tuple[Tensor, Tensor]:
    """The smoothed loss, teacher-forced and without dropout, and log p of every right piece in one row."""
    source, target = (pad(side).to(model.device) for side in zip(*pairs, strict=True))
    read = pad([read_ids(pair.target) for pair in pairs]).to(model.device)
    real = target != PAD
    logits, right = model.predict(model.decode(read, *model.encode(source))[real]), target[real]
    if model.vocabulary_bias is not None:  # what can never be written has no part in the smoothing
        written = model.vocabulary_bias.isfinite()
        logits, right = logits[:, written], (written.cumsum(0) - 1)[right]
    log_probs = logits.detach().log_softmax(-1).gather(-1, right[:, None])[:, 0]
    return F.cross_entropy(logits, right, label_smoothing=SMOOTHING), log_probs


def mean_loss(model: Transformer, pairs: Sequence[Pair]) -> float:
    """The same where nobody learns from it."""
    with torch.no_grad():
        return loss_of(model, pairs)[0].item()


@torch.inference_mode()
def predictions(model: Transformer, pair: Pair) -> np.ndarray:  # (T, V)
    """Log-probabilities at every row, of the pieces that nobody would write as well: the loss counts them."""
    read = torch.tensor([read_ids(pair.target)], device=model.device)
    logits = model(torch.tensor([pair.source], device=model.device), read)[0]
    return logits.log_softmax(-1).cpu().numpy()
