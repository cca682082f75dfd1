"""What one run left behind: its arrays by name, read-only, and what its heads wrote.

Shapes   L layers · H heads · Q queries · K keys · T target rows · D width · E = D / H
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, NoReturn

import numpy as np

from model.decoding.search import Hypothesis
from model.inspect.edits import Edit
from model.inspect.target import Target
from model.network.attention import Attention
from model.network.kinds import KINDS
from model.network.transformer import Transformer
from model.text.tokenizer import Tokens

ATTENTION_POINTS = {  # the name on a Trace, and the hook point behind it
    "attention": "pattern", "scores": "scores", "mask": "mask",
    "query": "query", "key": "key", "value": "value", "mixed": "mixed",
}  # fmt: skip
Arrays = Mapping[str, np.ndarray]


class Kept(dict[str, Any]):
    """Arrays by name. Asking for one that was not kept says so."""

    def __missing__(self, name: str) -> NoReturn:
        has = ", ".join(self) or "nothing"
        raise LookupError(f"{name!r} was not kept in this trace; it has {has} here (see keep=)")


@dataclass(frozen=True, eq=False)
class Recorded:
    """One run, frozen. Arrays are float32 (masks bool), read-only, without a batch axis.

    The by-kind arrays are indexed "encoder", "decoder" (masked self-attention) and "cross".
    """

    source: Tokens
    target: Target
    translation: Hypothesis | None  # None where the caller gave the target
    edits: tuple[Edit, ...]
    replay_only: tuple[Edit, ...]  # those that could not act while the translation was written
    log_probs: np.ndarray = field(repr=False)  # (T), of each predicted piece in this replay
    points: Arrays = field(repr=False)  # every hook path that was kept
    attention: Arrays = field(repr=False)  # (L, H, Q, K), rows sum to one
    scores: Arrays = field(repr=False)  # (L, H, Q, K), scaled, before the mask
    mask: Arrays = field(repr=False)  # (L, H, Q, K), True = may look
    query: Arrays = field(repr=False)  # (L, H, Q, E)
    key: Arrays = field(repr=False)  # (L, H, K, E)
    value: Arrays = field(repr=False)  # (L, H, K, E)
    mixed: Arrays = field(repr=False)  # (L, H, Q, E): the input of W_O
    # {stack: {path: (positions, D)}}; None for positions where nothing is added to the embedding
    stream: Mapping[str, Mapping[str, np.ndarray]] = field(repr=False)
    training: bool = field(repr=False)  # whether any module was in training mode: must be False
    _model: Transformer = field(repr=False)

    @cached_property
    def head_output(self) -> Arrays:
        """What each head adds to the stream through its slice of W_O, (L, H, Q, D); computed when asked."""
        return sealed({kind: self._through_output(kind, mixed) for kind, mixed in self.mixed.items()})

    @cached_property
    def transformed(self) -> Arrays:
        """Each position's value through W_O, (L, H, K, D): what a weight of one would add."""
        return sealed({kind: self._through_output(kind, value) for kind, value in self.value.items()})

    def output_bias(self, kind: str) -> np.ndarray:
        """What W_O's bias adds in each layer, whatever the heads do: (L, D)."""
        return np.stack(
            [attention.to_output.bias.detach().cpu().numpy() for attention in self._modules(kind)]
        )

    def _through_output(self, kind: str, heads: np.ndarray) -> np.ndarray:  # (L, H, T, E) -> (L, H, T, D)
        layers, count, _, width = heads.shape
        weight = np.stack(
            [attention.to_output.weight.detach().cpu().numpy() for attention in self._modules(kind)]
        )
        slices = weight.reshape(layers, -1, count, width).transpose(0, 2, 3, 1)  # (L, H, E, D)
        return frozen(heads @ slices)

    def _modules(self, kind: str) -> list[Attention]:
        layers = range(self._model.config.depth(kind))
        return [self._model.attention(KINDS[kind].format(layer)) for layer in layers]


def frozen(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


def sealed(arrays: dict[str, Any]) -> Mapping[str, Any]:
    """Read-only, like the arrays: a Trace may be shared among threads."""
    return MappingProxyType(Kept(arrays))
