"""Named points inside the model where a caller may watch a tensor, or change it.

What is being watched lives in the caller's context and never on the model: one model serves every
browser session at once, and nothing is left behind when a run fails. A worker thread does not
inherit a watch (the watch then raises rather than lie); do not open one inside a generator that
yields to another context.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Protocol

import torch
from torch import Tensor, nn


class Edit(Protocol):
    where: str  # which hook points, e.g. "decoder.layers.*.cross_attention.mixed"
    __call__: Callable[[Tensor, int], Tensor]  # the tensor, and the absolute position of its first row


@dataclass
class Probe:
    """What one `watch` asked for, and what it has got so far."""

    keep: tuple[str, ...]
    edits: tuple[Edit, ...]
    seen: dict[str, list[Tensor]] = field(default_factory=dict)
    fired: set[str] = field(default_factory=set)
    passed: set[str] = field(default_factory=set)  # every name that came by, to suggest from

    def asked(self) -> set[str]:
        return {*self.keep, *(edit.where for edit in self.edits)}

    def change(self, name: str, x: Tensor, start: int) -> Tensor:
        self.passed.add(name)
        for edit in self.edits:
            if fnmatchcase(name, edit.where):
                self.fired.add(edit.where)
                x = edit(x, start)
        return x

    def record(self, name: str, x: Tensor) -> None:
        if hits := [pattern for pattern in self.keep if fnmatchcase(name, pattern)]:
            self.fired.update(hits)
            self.seen.setdefault(name, []).append(x if torch.is_grad_enabled() else x.detach())

    def complain_of_silence(self) -> None:
        if idle := sorted(self.asked() - self.fired):
            near = get_close_matches(idle[0], sorted(self.passed), n=3, cutoff=0.5)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            raise LookupError(f"no hook point fired for {', '.join(idle)}{hint}")


_probes: ContextVar[tuple[Probe, ...]] = ContextVar("probes", default=())


@contextmanager
def watch(
    keep: Sequence[str] = (), edits: Sequence[Edit] = ()
) -> Iterator[dict[str, list[Tensor]]]:
    """Record what passes the hook points matching `keep`, after `edits` have had their say.

    Yields a dict from hook path to the tensors seen there, one for each time it was passed.
    """
    probe = Probe(tuple(keep), tuple(edits))
    token = _probes.set((*_probes.get(), probe))
    try:
        yield probe.seen
    finally:
        _probes.reset(token)
    probe.complain_of_silence()


class HookPoint(nn.Module):
    """The identity, with a name that others can watch."""

    def __init__(self, shape: str) -> None:
        super().__init__()
        self.shape = shape  # in the letters of the file that owns it, for people to read
        self.name = ""  # its dotted path, given once by name_hook_points

    @property
    def watched(self) -> bool:
        probes = _probes.get()
        for probe in probes:
            probe.passed.add(self.name)  # a point on the path not taken is still one to suggest
        asked = (pattern for probe in probes for pattern in probe.asked())
        return bool(self._forward_hooks) or any(fnmatchcase(self.name, p) for p in asked)

    def forward(self, x: Tensor, start: int = 0) -> Tensor:
        probes = _probes.get()
        for probe in probes:
            x = probe.change(self.name, x, start)
        for probe in probes:  # after every edit: what is seen is what was used
            probe.record(self.name, x)
        return x


def name_hook_points(model: nn.Module) -> None:
    for name, module in model.named_modules():
        if isinstance(module, HookPoint):
            module.name = name


def hook_points(model: nn.Module) -> dict[str, str]:
    """Every hook point's path with the shape of what passes it."""
    points = (module for module in model.modules() if isinstance(module, HookPoint))
    return {point.name: point.shape for point in points}
