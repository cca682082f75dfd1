"""How long something takes here: several calls in turn, their median and the half of them around it.

Times are the processor's, of this thread: on a machine that others use, a clock on the wall would tell more
of them than of us. So torch must compute in one thread, as it does where the app runs.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from statistics import quantiles
from time import perf_counter, thread_time

import torch

from model.inspect.costs.layers import LAYERS, apart, layer
from model.network.config import Config

FEWEST, MOST, BUDGET = 3, 99, 0.1  # calls of each, and the seconds after which there are no more than a few


@dataclass(frozen=True)
class Timed:
    """Seconds of the processor that one call takes."""

    median: float
    low: float  # a quarter of the calls were quicker,
    high: float  # and a quarter took longer
    calls: int


def time_in_turn(calls: Mapping[str, Callable[[], object]]) -> dict[str, Timed]:
    """Call each once for nothing, then all in turn: a slow moment of the machine meets all of them."""
    for call in calls.values():
        call()
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    began = perf_counter()
    for done in range(MOST):
        if done >= FEWEST and perf_counter() - began > BUDGET:
            break
        for name, call in calls.items():
            begun = thread_time()
            call()
            seconds[name].append(thread_time() - begun)
    return {name: _summed_up(taken) for name, taken in seconds.items()}


def _summed_up(seconds: list[float]) -> Timed:
    low, middle, high = quantiles(seconds, n=4, method="inclusive")
    return Timed(middle, low, high, len(seconds))


@torch.inference_mode()
def time_layers(config: Config, words: int, kernel: int) -> dict[str, Timed]:
    """Each layer on a sentence of so many words; and as "apart" the recurrent one without its order."""
    x = torch.randn(1, words, config.width)
    layers = {name: layer(name, config, kernel) for name in LAYERS}
    layers["apart"] = apart(layers["recurrent"])
    return time_in_turn({name: partial(run, x) for name, run in layers.items()})
