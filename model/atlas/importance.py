"""Whether a head matters: the log-probability that the target loses when the head is silenced.

In nats per target piece. Its first-order guess (Michel et al. 2019) and how much a head writes come with the
replay, in model/atlas/replays.py.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from model.atlas.sums import Tally
from model.inspect.variants import all_heads, by_kind, each_variant, log_probs_of
from model.network.transformer import Transformer

NULL_EVERY = 5  # this is slow: of the untrained twin, one sentence in five of each half tells enough


def silenced(model: Transformer, source: Sequence[int], target: Sequence[int]) -> dict[str, Tally]:
    """For each kind, Σ log p(target) as it is less the same with each head silenced."""
    log_probs = log_probs_of(target)

    def total(logits: Tensor) -> Tensor:
        return log_probs(logits).sum(-1, dtype=torch.float64)

    variants = [(), *((head.silenced,) for head in all_heads(model.config))]
    # In one batch: all rows share what comes before their heads.
    (totals,) = each_variant(model, source, target, variants, total, batch=len(variants))
    drops = by_kind(model.config, totals[0] - totals[1:])
    return {f"{kind}.silenced": Tally(drop, len(target)) for kind, drop in drops.items()}
