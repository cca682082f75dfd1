"""All that one run shows: what it recorded, its self-check, the logit lens and the weights behind it.

Shapes   L layers · H heads · T target rows · D width · E = D / H
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, NoReturn

import numpy as np
import torch

from model.inspect.checks import Check, check_all
from model.inspect.displayed import Bundle, displayed
from model.inspect.recorded import Recorded, frozen
from model.inspect.target import Target
from model.network.kinds import KINDS

__all__ = ["KINDS", "LayerNorm", "Projections", "Target", "Top", "Trace"]

LENS = 20  # pieces the logit lens keeps


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


@dataclass(frozen=True, eq=False)
class Trace(Recorded):
    """A finished translation, replayed once under capture, as plain arrays; see Recorded for their names."""

    @cached_property
    def checks(self) -> tuple[Check, ...]:
        """Is this picture true? Computed from the arrays as they are."""
        return check_all(self)

    @property
    def has_top(self) -> bool:
        """Whether what the logit lens needs was kept."""
        return all(path in self.points for path in self._lens_paths())

    @cached_property
    def top(self) -> Top:
        """The logit lens: what the vocabulary would say after each decoder layer; computed when asked."""
        hidden = np.stack([self.points[path] for path in self._lens_paths()])  # (L, T, D)
        logits = torch.from_numpy(hidden) @ self._model.to_vocabulary.weight.detach().cpu().T
        if (bias := self._model.vocabulary_bias) is not None:
            logits = logits + bias.detach().cpu()
        values, ids = logits.log_softmax(-1).topk(min(LENS, logits.shape[-1]))
        return Top(frozen(ids.numpy()), frozen(values.numpy()))

    def _lens_paths(self) -> list[str]:
        return [f"decoder.layers.{n}.after_feed_forward" for n in range(self._model.config.depth("decoder"))]

    def norm(self, after: str) -> LayerNorm:
        """The layer norm whose result is the hook point `after`, as "encoder.layers.0.after_attention"."""
        module = self._model.get_submodule(after.replace(".after_", ".") + "_norm")
        if not isinstance(module, torch.nn.LayerNorm):
            raise LookupError(f"no layer norm makes {after!r}")
        weight, bias = (parameter.detach().cpu().numpy() for parameter in (module.weight, module.bias))
        return LayerNorm(weight, bias, module.eps)

    def projections(self, kind: str) -> Projections:
        """The weights that make this kind's queries and keys, head by head."""
        heads, modules = self._model.config.heads, self._modules(kind)

        def stacked(parameters: list[torch.Tensor]) -> np.ndarray:
            array = np.stack([parameter.detach().cpu().numpy() for parameter in parameters])
            return array.reshape(len(array), heads, -1, *array.shape[2:])

        return Projections(
            query_weight=stacked([module.to_query.weight for module in modules]),
            query_bias=stacked([module.to_query.bias for module in modules]),
            key_weight=stacked([module.to_key.weight for module in modules]),
            key_bias=stacked([module.to_key.bias for module in modules]),
        )

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        """What a notebook shows of this run."""
        return displayed(self)

    def __getstate__(self) -> NoReturn:
        raise TypeError("a Trace points at its model; share it (it is read-only) or save it as .npz")
