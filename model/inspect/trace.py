"""All that one run shows: the finished translation, replayed once under capture, as plain arrays.

Shapes   L layers · H heads · S source positions · T target rows · Q queries · K keys · D width · E = D / H
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from model.decoding.search import Hypothesis
from model.inspect.checks import Check, check_all
from model.inspect.edits import Edit
from model.network.attention import Attention
from model.network.config import START, Config
from model.network.hooks import watch
from model.network.transformer import Transformer
from model.text.tokenizer import Tokenizer, Tokens

KINDS = {
    "encoder": "encoder.layers.{}.self_attention",
    "decoder": "decoder.layers.{}.self_attention",
    "cross": "decoder.layers.{}.cross_attention",
}
ATTENTION_POINTS = {  # the name on a Trace, and the hook point behind it
    "attention": "pattern", "scores": "scores", "mask": "mask",
    "query": "query", "key": "key", "value": "value", "mixed": "mixed",
}  # fmt: skip
STREAM_POINTS = (
    "embedding.[!i]*",  # all but `index`; one pattern, because rotary positions add nothing to see
    "layers.*.output",
    "layers.*.hidden",
    "layers.*.after_*",
)
FIELDS = {name: (f"*_attention.{point}",) for name, point in ATTENTION_POINTS.items()} | {
    "head_output": ("*_attention.mixed",),
    "top": ("decoder.layers.*.after_feed_forward",),
    "stream": tuple(f"{stack}.{point}" for stack in ("encoder", "decoder") for point in STREAM_POINTS),
}
WITHOUT_BATCH = ("embedding.positions", "embedding.index")  # the same for every sentence of a batch
LENS = 20  # pieces the logit lens keeps


class Target(NamedTuple):
    """The target side, one entry a decoder row: row i reads one piece and predicts the next."""

    read: tuple[str, ...]
    predicted: tuple[str, ...]
    read_ids: tuple[int, ...]
    predicted_ids: tuple[int, ...]
    read_words: tuple[int, ...]
    predicted_words: tuple[int, ...]


class Top(NamedTuple):
    """The likeliest pieces, best first, at each decoder layer and row: (L, T, 20) both."""

    ids: np.ndarray
    log_probs: np.ndarray


class Projections(NamedTuple):
    """What turns the stream into queries and keys."""

    query_weight: np.ndarray  # (L, H, E, D)
    query_bias: np.ndarray  # (L, H, E)
    key_weight: np.ndarray
    key_bias: np.ndarray


class LayerNorm(NamedTuple):
    """weight · (x - mean) / √(variance + epsilon) + bias, over the width of one position."""

    weight: np.ndarray  # (D)
    bias: np.ndarray  # (D)
    epsilon: float


class Kept(dict):
    """Arrays by name. Asking for one that was not kept says so."""

    def __missing__(self, name: str):
        has = ", ".join(self) or "nothing"
        raise LookupError(f"{name!r} was not kept in this trace; it has {has} here (see keep=)")


@dataclass(frozen=True, eq=False)
class Trace:
    """One run, frozen. Arrays are float32 (masks bool), read-only, without a batch axis.

    The by-kind arrays are indexed "encoder", "decoder" (masked self-attention) and "cross".
    """

    source: Tokens
    target: Target
    translation: Hypothesis | None  # None where the caller gave the target
    edits: tuple[Edit, ...]
    replay_only: tuple[Edit, ...]  # those that could not act while the translation was written
    log_probs: np.ndarray = field(repr=False)  # (T), of each predicted piece in this replay
    points: Mapping[str, np.ndarray] = field(repr=False)  # every hook path that was kept
    attention: Mapping[str, np.ndarray] = field(repr=False)  # (L, H, Q, K), rows sum to one
    scores: Mapping[str, np.ndarray] = field(repr=False)  # (L, H, Q, K), scaled, before the mask
    mask: Mapping[str, np.ndarray] = field(repr=False)  # (L, H, Q, K), True = may look
    query: Mapping[str, np.ndarray] = field(repr=False)  # (L, H, Q, E)
    key: Mapping[str, np.ndarray] = field(repr=False)  # (L, H, K, E)
    value: Mapping[str, np.ndarray] = field(repr=False)  # (L, H, K, E)
    mixed: Mapping[str, np.ndarray] = field(repr=False)  # (L, H, Q, E): the input of W_O
    stream: Mapping[str, Mapping[str, np.ndarray]] = field(repr=False)  # {stack: {path: (positions, D)}}
    training: bool = field(repr=False)  # whether any module was in training mode: must be False
    _model: Transformer = field(repr=False)

    @cached_property
    def head_output(self) -> Mapping[str, np.ndarray]:
        """What each head adds to the stream through its slice of W_O, (L, H, Q, D); computed when asked."""
        return _sealed({kind: self._through_output(kind, mixed) for kind, mixed in self.mixed.items()})

    @cached_property
    def transformed(self) -> Mapping[str, np.ndarray]:
        """Each position's value through W_O, (L, H, K, D): what a weight of one would add."""
        return _sealed({kind: self._through_output(kind, value) for kind, value in self.value.items()})

    @property
    def has_top(self) -> bool:
        """Whether what the logit lens needs was kept."""
        return all(path in self.points for path in self._lens_paths())

    def _lens_paths(self) -> list[str]:
        return [f"decoder.layers.{n}.after_feed_forward" for n in range(self._model.config.layers)]

    @cached_property
    def top(self) -> Top:
        """The logit lens: what the vocabulary would say after each decoder layer; computed when asked."""
        hidden = np.stack([self.points[path] for path in self._lens_paths()])  # (L, T, D)
        logits = torch.from_numpy(hidden) @ self._model.to_vocabulary.weight.detach().cpu().T
        values, ids = logits.log_softmax(-1).topk(min(LENS, logits.shape[-1]))
        return Top(_frozen(ids.numpy()), _frozen(values.numpy()))

    @cached_property
    def checks(self) -> tuple[Check, ...]:
        """Is this picture true? Computed from the arrays as they are."""
        return check_all(self)

    def output_bias(self, kind: str) -> np.ndarray:
        """What W_O's bias adds in each layer, whatever the heads do: (L, D)."""
        return np.stack(
            [attention.to_output.bias.detach().cpu().numpy() for attention in self._modules(kind)]
        )

    def norm(self, after: str) -> LayerNorm:
        """The layer norm whose result is the hook point `after`, as "encoder.layers.0.after_attention"."""
        module = self._model.get_submodule(after.replace(".after_", ".") + "_norm")
        weight, bias = (parameter.detach().cpu().numpy() for parameter in (module.weight, module.bias))
        return LayerNorm(weight, bias, module.eps)

    def projections(self, kind: str) -> Projections:
        """The weights that make this kind's queries and keys, head by head."""
        heads = self._model.config.heads
        arrays = (
            np.stack([parameter.detach().cpu().numpy() for parameter in parameters])
            for parameters in zip(
                *(
                    (a.to_query.weight, a.to_query.bias, a.to_key.weight, a.to_key.bias)
                    for a in self._modules(kind)
                ),
                strict=True,
            )
        )
        return Projections(*(array.reshape(len(array), heads, -1, *array.shape[2:]) for array in arrays))

    def _through_output(self, kind: str, heads: np.ndarray) -> np.ndarray:  # (L, H, T, E) -> (L, H, T, D)
        layers, count, _, width = heads.shape
        weight = np.stack(
            [attention.to_output.weight.detach().cpu().numpy() for attention in self._modules(kind)]
        )
        slices = weight.reshape(layers, -1, count, width).transpose(0, 2, 3, 1)  # (L, H, E, D)
        return _frozen(heads @ slices)

    def _modules(self, kind: str) -> list[Attention]:
        layers = range(self._model.config.layers)
        return [self._model.get_submodule(KINDS[kind].format(layer)) for layer in layers]

    def __getstate__(self) -> dict:
        raise TypeError("a Trace points at its model; share it (it is read-only) or save it as .npz")


@torch.inference_mode()
def replay(
    model: Transformer,
    tokenizer: Tokenizer,
    source: Tokens,
    target_ids: Sequence[int],
    translation: Hypothesis | None = None,
    edits: Sequence[Edit] = (),
    keep: Sequence[str] | None = None,
) -> Trace:
    """Run the model once over source and target, teacher-forced, and keep what passes.

    Takes ids, never text: other pieces could spell the same words. `keep` holds names of a Trace's
    fields ("attention", "stream") or hook paths and patterns of them; None keeps all fields.
    """
    read_ids, device = (START, *target_ids[:-1]), model.to_vocabulary.weight.device
    with watch(_asked(keep), edits) as seen:
        logits = model(torch.tensor([source.ids], device=device), torch.tensor([read_ids], device=device))
    points = {path: _array(path, tensors[0]) for path, tensors in seen.items()}
    log_probs = logits[0].log_softmax(-1).cpu().gather(-1, torch.tensor(target_ids)[:, None])[:, 0]
    read, predicted = tokenizer.tokens(read_ids), tokenizer.tokens(target_ids)
    rows = {"encoder": len(source.ids), "decoder": len(read_ids), "cross": len(read_ids)}
    by_kind = {name: _by_kind(points, point, model.config, rows) for name, point in ATTENTION_POINTS.items()}
    return Trace(
        source=source,
        target=Target(read.pieces, predicted.pieces, read.ids, predicted.ids, read.words, predicted.words),
        translation=translation,
        edits=tuple(edits),
        replay_only=tuple(edit for edit in edits if not edit.decodes),
        log_probs=_frozen(log_probs.numpy()),
        points=_sealed(points),
        stream=_sealed({stack: _stream(points, stack) for stack in ("encoder", "decoder")}),
        training=any(module.training for module in model.modules()),
        _model=model,
        **by_kind,
    )


def _asked(keep: Sequence[str] | None) -> tuple[str, ...]:
    keep = tuple(FIELDS) if keep is None else keep
    for name in keep:
        if "." not in name and "*" not in name and name not in (*FIELDS, "logits"):
            near = get_close_matches(name, FIELDS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(FIELDS)}, and hook paths"
            raise LookupError(f"a trace has no {name!r}; {hint}")
    return tuple(pattern for name in keep for pattern in FIELDS.get(name, (name,)))


def _array(path: str, tensor: Tensor) -> np.ndarray:
    return _frozen((tensor if path.endswith(WITHOUT_BATCH) else tensor[0]).cpu().numpy())


def _frozen(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


def _sealed(arrays: dict) -> Mapping:
    """Read-only, like the arrays: a Trace may be shared among threads."""
    return MappingProxyType(Kept(arrays))


def _by_kind(
    points: dict[str, np.ndarray], point: str, config: Config, rows: Mapping[str, int]
) -> Mapping[str, np.ndarray]:
    """Stack the layers of each kind that was kept whole; `points` then show the same memory."""
    stacked = {}
    for kind, where in KINDS.items():
        paths = [f"{where.format(layer)}.{point}" for layer in range(config.layers)]
        if not all(path in points for path in paths):
            continue
        arrays = np.stack([points[path] for path in paths])
        if point == "mask":  # stored once for all heads, and once for rows that see the same
            arrays = np.broadcast_to(arrays, (config.layers, config.heads, rows[kind], arrays.shape[-1]))
        stacked[kind] = _frozen(arrays)
        points.update(zip(paths, stacked[kind], strict=True))
    return _sealed(stacked)


def _stream(points: Mapping[str, np.ndarray], stack: str) -> Mapping[str, np.ndarray]:
    kept = {
        path: array for path, array in points.items()
        if any(fnmatchcase(path, f"{stack}.{pattern}") for pattern in STREAM_POINTS)
    }  # fmt: skip
    if f"{stack}.embedding.sum" in kept:  # rotary or no positions: nothing is added to the embedding
        kept.setdefault(f"{stack}.embedding.positions", None)
    return _sealed(kept)
