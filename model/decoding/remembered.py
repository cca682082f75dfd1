"""What the KV cache saves: a finished translation is read again, with the cache and without it.

Both ways go through the same modules, step after step in turn. Times are the processor's, of this thread: on
a machine that others use, a clock on the wall would tell more of them than of us. Steps are numbered by how
much was read before them: step 0 reads the start token alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter, thread_time

import torch
from torch import Tensor

from model.network.cache import Cache
from model.network.config import START, Config
from model.network.transformer import Transformer

SHORT, FEWEST = 32, 12  # steps: up to so many each is measured; so many of the longest translations
BUDGET, ROUNDS = 1.5, 5  # seconds on the wall for all rounds, and the most rounds; there is always one


@dataclass(frozen=True)
class Measured:
    """Times of some steps, the best of a few rounds, and how far the two ways are apart."""

    steps: tuple[int, ...]
    cached: tuple[float, ...]  # seconds of the processor
    uncached: tuple[float, ...]
    differences: tuple[float, ...]  # the largest of |log p cached − log p uncached| over all tokens
    rounds: int

    @property
    def difference(self) -> float:
        return max(self.differences)


@dataclass(frozen=True)
class Multiplications:
    """Of one step, in products with matrices: norms, softmax and sums are not among them."""

    projections: int  # of the positions that are read: four in self-attention, two in cross-attention
    source: int  # the source's keys and values
    attention: int  # scores, and values mixed by them, in both kinds of attention
    feed_forward: int
    vocabulary: int

    @property
    def total(self) -> int:
        return sum(vars(self).values())


def multiplications(config: Config, step: int, source: int, cached: bool) -> Multiplications:
    """What one step costs, of a sentence of so many source positions.

    Without the cache all positions are read again, and the source's keys and values are made again. Masked
    scores are counted: they are computed before they are hidden.
    """
    width, layers, keys = config.width, config.depth("decoder"), step + 1
    rows = 1 if cached else keys
    made = source if step == 0 or not cached else 0
    return Multiplications(
        projections=layers * rows * 6 * width**2,
        source=layers * made * 2 * width**2,
        attention=layers * rows * 2 * width * (keys + source),
        feed_forward=layers * rows * 2 * width * config.hidden,
        vocabulary=width * config.vocabulary,  # the last position's alone
    )


@torch.inference_mode()
def measure(model: Transformer, source: Sequence[int], written: Sequence[int]) -> Measured:
    """Read this translation again, with the cache and without; of a long one only some steps are measured."""
    read = torch.tensor([(START, *written[:-1])], device=model.device)
    memory = model.encode(torch.tensor([list(source)], device=model.device))
    steps, began = measured_steps(len(written)), perf_counter()
    model.decode(read[:, :1], *memory)  # the first call of all finds nothing at hand
    rounds = [_round(model, memory, read, steps)]
    one = perf_counter() - began
    while len(rounds) < ROUNDS and perf_counter() - began + one < BUDGET:
        rounds.append(_round(model, memory, read, steps))
    cached, uncached, differences = zip(*map(_best, zip(*rounds, strict=True)), strict=True)
    return Measured(steps, cached, uncached, differences, len(rounds))


def measured_steps(count: int) -> tuple[int, ...]:
    """All steps of a short translation; of a longer one the first, the last and some between.

    >>> measured_steps(3), len(measured_steps(60)), measured_steps(500)[:3]
    ((0, 1, 2), 20, (0, 45, 90))
    """
    if count <= SHORT:
        return tuple(range(count))
    taken = min(SHORT, max(FEWEST, 1200 // count))
    return tuple(place * (count - 1) // (taken - 1) for place in range(taken))


Timed = tuple[float, float, float]  # seconds with the cache, seconds without, difference


def _round(
    model: Transformer, memory: tuple[Tensor, Tensor], read: Tensor, steps: Sequence[int]
) -> list[Timed]:
    cache, found = Cache(), []
    for step in steps:
        if cache.length < step:  # what lies between two measured steps
            model.decode(read[:, cache.length : step], *memory, cache)
        begun = thread_time()
        short = _log_probs(model, model.decode(read[:, step : step + 1], *memory, cache))
        between = thread_time()
        long = _log_probs(model, model.decode(read[:, : step + 1], *memory))
        ended = thread_time()
        found.append((between - begun, ended - between, _apart(short, long)))
    return found


def _apart(one: Tensor, other: Tensor) -> float:
    """The largest difference; what is never written is as impossible either way."""
    return float((one - other)[(one != other)].abs().max()) if (one != other).any() else 0.0


def _log_probs(model: Transformer, hidden: Tensor) -> Tensor:
    return model.predict(hidden[:, -1:]).log_softmax(-1)


def _best(times: Sequence[Timed]) -> Timed:
    """Of one step: the shortest of either time; what is longer, others had a part in."""
    cached, uncached, differences = zip(*times, strict=True)
    return min(cached), min(uncached), max(differences)
