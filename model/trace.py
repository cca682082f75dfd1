"""All that one run shows: the finished translation, replayed once under capture, as plain arrays.

Shapes   L layers · H heads · S source positions · T target rows · Q queries · K keys · D width · E = D / H
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import torch

from model.decoding import Hypothesis
from model.hooks import Edit, hook_points, watch
from model.tokenizer import START, Tokenizer, Tokens
from model.transformer import Transformer

KINDS = {
    "encoder": "encoder.layers.{}.self_attention",
    "decoder": "decoder.layers.{}.self_attention",
    "cross": "decoder.layers.{}.cross_attention",
}
ATTENTION_POINTS = {  # the name on a Trace, and the hook point behind it
    "attention": "pattern", "scores": "scores", "mask": "mask",
    "query": "query", "key": "key", "value": "value", "mixed": "mixed",
}  # fmt: skip
STREAM_POINTS = ("embedding.*", "layers.*.after_*", "layers.*.output", "layers.*.hidden")
ByKind = Mapping[str, np.ndarray]


class Target(NamedTuple):
    """The target side, one entry a decoder row: row i reads one piece and predicts the next."""

    read: tuple[str, ...]
    predicted: tuple[str, ...]
    read_ids: tuple[int, ...]
    predicted_ids: tuple[int, ...]
    read_words: tuple[int, ...]
    predicted_words: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Trace:
    """One run, frozen. Arrays are float32 (masks bool), read-only, without a batch axis."""

    source: Tokens
    target: Target
    translation: Hypothesis | None  # None where the caller gave the target
    points: Mapping[str, np.ndarray]  # every hook path that was kept
    attention: ByKind = field(repr=False)  # (L, H, Q, K), rows sum to one
    scores: ByKind = field(repr=False)  # (L, H, Q, K), scaled, before the mask
    mask: ByKind = field(repr=False)  # (Q, K), True = may look
    query: ByKind = field(repr=False)  # (L, H, Q, E)
    key: ByKind = field(repr=False)  # (L, H, K, E)
    value: ByKind = field(repr=False)  # (L, H, K, E)
    mixed: ByKind = field(repr=False)  # (L, H, Q, E): the input of W_O, head by head
    stream: Mapping[str, Mapping[str, np.ndarray]] = field(repr=False)  # {stack: {path: (positions, D)}}
    log_probs: np.ndarray | None = field(repr=False)  # (T), of each predicted piece


@torch.inference_mode()
def replay(
    model: Transformer,
    tokenizer: Tokenizer,
    source: Tokens,
    target_ids: Sequence[int],
    translation: Hypothesis | None,
    edits: Sequence[Edit] = (),
    keep: Sequence[str] | None = None,
) -> Trace:
    """Run the model once over source and target, teacher-forced, and keep what passes.

    Takes ids, never text: other pieces could spell the same words.
    """
    read_ids = (START, *target_ids[:-1])
    asked = tuple(keep) if keep is not None else tuple(hook_points(model))
    with watch(asked, edits) as seen:
        logits = model(torch.tensor([source.ids]), torch.tensor([read_ids]))
    points = {path: _frozen(path, tensors[0]) for path, tensors in seen.items()}
    fields = {name: _by_kind(points, point, model.config.layers) for name, point in ATTENTION_POINTS.items()}
    log_probs = logits[0].log_softmax(-1).gather(-1, torch.tensor(target_ids)[:, None])[:, 0]
    return Trace(
        source=source,
        target=_target(tokenizer, read_ids, target_ids),
        translation=translation,
        points=MappingProxyType(points),
        stream={stack: _stream(points, stack) for stack in ("encoder", "decoder")},
        log_probs=log_probs.numpy(),
        **fields,
    )


def _frozen(path: str, tensor: torch.Tensor) -> np.ndarray:
    array = tensor.numpy() if path.endswith("embedding.positions") else tensor[0].numpy()
    if path.endswith(".mask"):
        array = array[0]  # one mask for all heads
    array.flags.writeable = False
    return array


def _by_kind(points: dict[str, np.ndarray], point: str, layers: int) -> ByKind:
    """Stack the layers of each kind that was kept whole; `points` then share the same memory."""
    stacked = {}
    for kind, where in KINDS.items():
        paths = [f"{where.format(layer)}.{point}" for layer in range(layers)]
        if not all(path in points for path in paths):
            continue
        if point == "mask":
            stacked[kind] = points[paths[0]]
            continue
        stacked[kind] = np.stack([points[path] for path in paths])
        stacked[kind].flags.writeable = False
        points.update(zip(paths, stacked[kind], strict=True))
    return MappingProxyType(stacked)


def _stream(points: Mapping[str, np.ndarray], stack: str) -> Mapping[str, np.ndarray]:
    return MappingProxyType({
        path: array for path, array in points.items()
        if any(fnmatchcase(path, f"{stack}.{pattern}") for pattern in STREAM_POINTS)
    })  # fmt: skip


def _target(tokenizer: Tokenizer, read_ids: Sequence[int], predicted_ids: Sequence[int]) -> Target:
    read, predicted = tokenizer.tokens(read_ids), tokenizer.tokens(predicted_ids)
    return Target(
        read.pieces, predicted.pieces, read.ids, predicted.ids, read.words, predicted.words
    )
