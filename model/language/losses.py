"""What a memory is worth, measured on a text that no model has read: losses.json.

    passages, pieces  how much text, read from an empty memory; counted are the segments whose memory is full
    trained           of each model: parameters, steps, pieces read, seconds, its loss over the last chapters
    position          loss by place in the segment, nats a piece, for every way of reading
    overall, dearer   the mean over all places, and by how much it lies above that with memory, pair by pair
    length            loss of the main model by how many positions it may remember
    distance          how much weight a row gives to keys so far back, by layer, mean over heads

The ways of reading are WAYS. Every figure has a mean and an interval of 95 %: 1.96 standard errors over
passages, since pieces of one passage are no independent draws.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from model.language.passages import SEGMENTS, segments
from model.network.hooks import watch
from model.network.language import LanguageModel

# A name: the model that reads, and how many positions it remembers (None: as many as it learned with).
WAYS: dict[str, tuple[str, int | None]] = {
    "memory": ("memory", None),
    "emptied": ("memory", 0),  # the same model, its memory emptied before every segment
    "none": ("none", None),  # a model that never had one
    "absolute": ("absolute", None),
}
KEPT = (0, 8, 16, 32, 64, 128, 256)
WATCHED = 64  # passages whose attention is summed up by distance
BATCH = 64
Figures = dict[str, list[float]]


class Measured(NamedTuple):
    """Means with the ends of their intervals, each an array of one shape."""

    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def figures(self) -> Figures:
        return {name: np.round(each.astype(float), 4).tolist() for name, each in self._asdict().items()}


def measured(values: np.ndarray) -> Measured:
    """Over passages, which are the first axis.

    >>> [round(float(each), 2) for each in measured(np.array([1.0, 2.0, 3.0]))]
    [2.0, 0.87, 3.13]
    """
    mean, error = values.mean(0), values.std(0, ddof=1) / np.sqrt(len(values))
    return Measured(mean, mean - 1.96 * error, mean + 1.96 * error)


@torch.inference_mode()
def losses(model: LanguageModel, rows: np.ndarray, keep: int | None = None) -> np.ndarray:
    """-log p of every piece that a passage asks for; (N, segments, places of a segment)."""
    found = []
    for batch in np.array_split(rows, -(-len(rows) // BATCH)):
        each = [
            -model.predict(hidden).log_softmax(-1).gather(-1, torch.from_numpy(right)[..., None])[..., 0]
            for hidden, right in _read(model, batch, keep)
        ]
        found.append(torch.stack(each, 1).numpy())
    return np.concatenate(found)


@torch.inference_mode()
def weight_by_distance(model: LanguageModel, rows: np.ndarray) -> np.ndarray:
    """Mean weight on the key that lies d back, over heads and the rows that see that far; (layers, K)."""
    segment, memory, layers = model.config.segment, model.config.memory, model.config.layers
    sums, counts = np.zeros((layers, memory + segment)), np.zeros(memory + segment)
    back = memory + np.arange(segment)[:, None] - np.arange(memory + segment)  # (Q, K), < 0: the future
    with watch(keep=["layers.*.attention.pattern"]) as seen:
        for _ in _read(model, rows, None):
            pass
    counted = range(-(-memory // segment), SEGMENTS)
    np.add.at(counts, back[back >= 0], len(counted))
    for layer in range(layers):
        patterns = seen[f"layers.{layer}.attention.pattern"]
        mean = np.stack([patterns[number].mean((0, 1)).numpy() for number in counted]).sum(0)  # (Q, K)
        np.add.at(sums[layer], back[back >= 0], mean[back >= 0])
    return sums / counts


def report(
    models: Mapping[str, LanguageModel], rows: np.ndarray, say: Callable[[str], None] = lambda _: None
) -> dict[str, Any]:
    """All that is measured, for models by the names that WAYS uses."""
    main = models["memory"]
    full = -(-main.config.memory // main.config.segment)  # segments until the memory is full
    found = {}
    for way, (name, keep) in WAYS.items():
        found[way] = losses(models[name], rows, keep)[:, full:]
        say(f"{way}: {found[way].mean():.3f} nats a piece")
    by_length = [losses(main, rows, keep)[:, SEGMENTS // 2 :].mean((1, 2)) for keep in KEPT]
    overall = {way: each.mean((1, 2)) for way, each in found.items()}
    return {
        "passages": len(rows),
        "pieces": rows.shape[0] * (rows.shape[1] - 1),
        "counted": int(found["memory"][:, :, 0].size),  # pieces at every place of a segment
        "position": {way: measured(each.mean(1)).figures() for way, each in found.items()},
        "overall": {way: measured(each).figures() for way, each in overall.items()},
        "dearer": {
            way: measured(each - overall["memory"]).figures()
            for way, each in overall.items()
            if way != "memory"
        },
        "length": {"kept": list(KEPT), **measured(np.stack(by_length, 1)).figures()},
        "distance": {
            name: np.round(weight_by_distance(models[name], rows[:WATCHED]), 5).tolist()
            for name in ("memory", "absolute")
        },
    }


def _read(model: LanguageModel, rows: np.ndarray, keep: int | None) -> Iterator[tuple[Tensor, np.ndarray]]:
    """Segment after segment: hidden states, and the pieces to be predicted from them."""
    memory = model.begin(len(rows))
    for read, right in segments(rows, model.config.segment):
        hidden, memory = model(torch.from_numpy(read), memory, keep)
        yield hidden, right
