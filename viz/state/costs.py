"""Times of layers on this machine: measured once for all visitors, one measurement at a time."""

import threading
from collections.abc import Callable, Iterator
from typing import TypeVar

import streamlit as st
import torch

from model import Trace
from model.inspect.costs.scores import Compared, compare_scores
from model.inspect.costs.timed import Timed, time_layers
from viz.state import runs
from viz.state.turns import TURNS

SIZES = tuple(2**power for power in range(3, 12))  # positions of a sentence, from 8 to 2,048
MOST_COMPARED = 256  # positions: more pairs would need too much memory on the way
KEPT = 2_000  # measurements: sentences have few lengths
Found = TypeVar("Found")


class Measurements:
    """What has been measured so far; side by side, each measurement would be slower by the other."""

    def __init__(self) -> None:
        self.kept: dict[tuple, object] = {}
        self.lock = threading.Lock()

    def get(self, key: tuple, measure: Callable[[], Found]) -> Found:
        if key not in self.kept:
            with self.lock, TURNS.first():
                if key not in self.kept:
                    self.kept = dict(list(self.kept.items())[-KEPT:]) | {key: measure()}
        return self.kept[key]  # type: ignore[return-value]


def layers_at(words: int, kernel: int) -> dict[str, Timed]:
    """Seconds of each layer, as wide as this model, on so many positions."""
    config = runs.translator().config
    key = (runs.checkpoint(), "layers", kernel, words)
    return _measurements().get(key, lambda: time_layers(config, words, kernel))


def layers_by_size(own: int, kernel: int) -> Iterator[tuple[int, dict[str, Timed]]]:
    """The same at all sizes, this sentence's among them; what is not known yet is measured as one goes."""
    for words in sorted({own, *SIZES}):
        yield words, layers_at(words, kernel)


def measured_layers(own: int, kernel: int) -> bool:
    """Whether nothing is left to measure."""
    known = _measurements().kept
    return all((runs.checkpoint(), "layers", kernel, words) in known for words in (own, *SIZES))


def scores_of(trace: Trace, layer: int) -> Compared:
    """Additive and dot-product scores on the queries and keys of all heads of one layer of the encoder."""
    query, key = (
        torch.from_numpy(getattr(trace, name)["encoder"][layer].copy()) for name in ("query", "key")
    )
    name = (runs.checkpoint(), "scores", trace.source.ids, layer)
    return _measurements().get(name, lambda: compare_scores(query, key))


def scores_at(words: int) -> Compared:
    """The same on as many random ones, for sentences of other lengths."""
    config = runs.translator().config
    query, key = torch.randn(2, config.heads, words, config.head_width)
    return _measurements().get((runs.checkpoint(), "scores", words), lambda: compare_scores(query, key))


def measure_again() -> None:
    """Forget all that was measured here."""
    _measurements.clear()


@st.cache_resource(show_spinner=False)
def _measurements() -> Measurements:
    return Measurements()
