"""Steps of Adam on one pair, taken on a private copy: what they do to it, to its heads, and to other pairs.

Shapes   M moments · N = steps + 1 · T target rows · L layers · H heads · Q queries · K keys
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import NamedTuple

import numpy as np
import torch

from model.network.hooks import watch
from model.network.kinds import KINDS
from model.network.transformer import Transformer
from model.training.one_step import BETAS, EPSILON, ONE_AT_A_TIME
from model.training.one_step.pair import Pair, loss_of, mean_loss

PATTERNS = tuple(f"{path.format('*')}.pattern" for path in KINDS.values())


class Taken(NamedTuple):
    """Before the first step, and after each."""

    log_probs: np.ndarray  # (N, T): of every right piece
    losses: np.ndarray  # (N): smoothed, of the pair that is learned
    others: np.ndarray  # (N): smoothed, of pairs that nobody learns from; NaN where there are none
    kept: tuple[int, ...]  # the moments whose maps are kept
    maps: Mapping[str, np.ndarray]  # by kind, (M, L, H, Q, K) in half precision

    def map_at(self, moment: int, kind: str, layer: int, head: int) -> np.ndarray:
        return self.maps[kind][self.kept.index(moment), layer, head].astype(np.float32)


def take_steps(model: Transformer, pair: Pair, rate: float, steps: int, others: Sequence[Pair] = ()) -> Taken:
    """All weights move at this rate; maps are kept of the first and the last moment, and after one step."""
    kept = tuple(sorted({0, 1, steps}))
    log_probs, learned, beside, maps = [], [], [], []
    with ONE_AT_A_TIME, torch.inference_mode(False), torch.enable_grad():
        private = deepcopy(model).requires_grad_()
        adam = torch.optim.Adam(private.parameters(), lr=rate, betas=BETAS, eps=EPSILON, fused=True)
        for moment in range(steps + 1):
            if moment in kept:
                maps.append(_maps(private, pair))
            adam.zero_grad(set_to_none=True)
            loss, chances = loss_of(private, [pair])
            log_probs.append(chances.cpu().numpy())
            learned.append(loss.item())
            beside.append(mean_loss(private, others) if others else np.nan)
            if moment < steps:
                loss.backward()
                adam.step()
    by_kind = {kind: np.stack([each[kind] for each in maps]) for kind in KINDS}
    return Taken(np.stack(log_probs), np.array(learned), np.array(beside), kept, by_kind)


def _maps(model: Transformer, pair: Pair) -> dict[str, np.ndarray]:
    """Where every head looks: by kind, (L, H, Q, K)."""
    with torch.no_grad(), watch(PATTERNS) as seen:
        mean_loss(model, [pair])
    return {
        kind: np.stack([seen[f"{path.format(layer)}.pattern"][0][0].half().cpu().numpy()
                        for layer in range(model.config.depth(kind))])
        for kind, path in KINDS.items()
    }  # fmt: skip
