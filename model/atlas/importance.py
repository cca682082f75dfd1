"""Whether a head matters: the log-probability that the target loses when the head is silenced.

In nats a target piece. Its first-order guess (Michel et al. 2019) and how much a head writes come with the
replay, in model/replays.py.

Shapes   B rows, one a head and the run as it is · L layers · H heads · Q queries · E head width · D width ·
         S source positions · T target positions
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from model.atlas.sums import Tally
from model.inspect.variants import log_probs_of
from model.network.config import START
from model.network.hooks import Place, watch
from model.network.transformer import Transformer

NULL_EVERY = 5  # this is slow: of the untrained twin, one sentence in five of each half tells enough
POSITIONS = 512  # whose logits are computed together: they should not leave the processor's cache


@torch.inference_mode()
def silenced(model: Transformer, source: Sequence[int], target: Sequence[int]) -> dict[str, Tally]:
    """For each kind, Σ log p(target) as it is less the same with each head silenced."""
    layers, device = model.config.layers, model.to_vocabulary.weight.device
    read = torch.tensor([[START, *target[:-1]]], device=device)
    with watch(edits=[_Branches("encoder")]):
        memory, mask = model.encode(torch.tensor([source], device=device))  # (B, S, D), (1, 1, 1, S)
    drops = {"encoder": _drops(model, model.decode(read, memory, mask), target)}
    with watch(edits=[_Branches("decoder")]):
        hidden = model.decode(read, memory[:1], mask)  # (B, T, D)
    # Each layer's self-attention comes before its cross-attention.
    both = _drops(model, hidden, target).reshape(layers, 2, -1)
    drops |= {"decoder": both[:, 0].ravel(), "cross": both[:, 1].ravel()}
    return {f"{kind}.silenced": Tally(drop, len(target)) for kind, drop in drops.items()}


def _drops(model: Transformer, hidden: Tensor, target: Sequence[int]) -> np.ndarray:  # (B, T, D) -> (B - 1)
    """What each row but the first loses of the first row's log-probability."""
    read = log_probs_of(target)
    rows = hidden.split(max(1, POSITIONS // len(target)))
    totals = torch.cat([read(model.predict(some)).sum(-1, dtype=torch.float64) for some in rows])
    return (totals[0] - totals[1:]).cpu().numpy()


class _Branches:
    """Row 0 is the run as it is. Where it passes heads, a row for each branches off: the same without it.

    Below its head a row is no different from row 0 and costs nothing. What a stack shares with all rows, as
    the encoder's output, stays one row.
    """

    def __init__(self, stack: str) -> None:
        self.points = tuple(f"{stack}.layers.*_attention.{point}" for point in ("mixed", "residual"))
        self.rows = 1

    def __call__(self, x: Tensor, place: Place) -> Tensor:  # (B, H, Q, E) or (B, Q, D)
        if place.name.endswith(".mixed"):
            branches = x[:1] * (1 - torch.eye(x.shape[1]).to(x))[..., None, None]  # (H, H, Q, E)
            self.rows = len(x) + len(branches)
        else:  # the stream around the heads, after they have branched off
            branches = x[:1].expand(self.rows - len(x), -1, -1)
        return torch.cat((x, branches))
