"""Whether a head matters: the log-probability that the target loses when the head is silenced.

In nats a target piece. Its first-order guess (Michel et al. 2019) and how much a head writes come with the
replay, in model/replays.py.
"""

from collections.abc import Sequence

import numpy as np

from model.sums import Tally
from model.trace import KINDS
from model.transformer import Transformer
from model.variants import all_heads, each_variant, log_probs_of

NULL_EVERY = 5  # this is slow: of the untrained twin, one sentence in five of each half tells enough


def silenced(model: Transformer, source: Sequence[int], target: Sequence[int]) -> dict[str, Tally]:
    """For each kind, Σ log p(target) as it is less the same with each head silenced."""
    # The run as it is comes last: a batch of decoder heads alone lets the encoder run once for all.
    variants = [*((head.silenced,) for head in all_heads(model.config)), ()]
    runs = each_variant(model, source, target, variants, log_probs_of(target))
    totals = np.concatenate([run.sum(-1, dtype=np.float64) for run in runs])
    drops = (totals[-1] - totals[:-1]).reshape(len(KINDS), -1)  # (kinds, N)
    return {f"{kind}.silenced": Tally(drop, len(target)) for kind, drop in zip(KINDS, drops, strict=True)}
