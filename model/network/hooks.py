"""Named points inside the model where a caller may watch a tensor, or change it.

What is being watched lives in the caller's context and never on the model: one model serves every
browser session at once, and nothing is left behind when a run fails. A worker thread does not
inherit a watch, which then raises because it saw nothing; do not open one inside a generator that
yields to another context.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import NamedTuple, Protocol, TypedDict, Unpack

import torch
from torch import Tensor, nn


class Known(TypedDict, total=False):
    """What a hook point tells beside its tensor: those fields of Place that it knows."""

    mask: Tensor
    length: int
    width: int
    before: Tensor


class Place(NamedTuple):
    """Where an edit acts: beside the tensor, all that it may need to know."""

    name: str  # the hook point's path
    start: int  # the position of the tensor's first row in the whole sequence; not 0 after a cache
    mask: Tensor | None = None  # at `pattern`: which cells may be looked at
    length: int | None = None  # at `index`: how many positions the model has
    width: int | None = None  # at `scores`: d_k, whose root they were divided by
    before: Tensor | None = None  # at `after_*`: the sum before its layer norm


class Change(Protocol):
    """An edit of what passes some hook points; it returns its input where it has nothing to do."""

    @property
    def points(self) -> tuple[str, ...]:
        """The hook points it acts on, as paths or patterns of paths."""

    def __call__(self, x: Tensor, place: Place) -> Tensor: ...


class Match(NamedTuple):
    """What one probe wants of one hook point."""

    keep: tuple[str, ...]
    edits: tuple[int, ...]


@lru_cache(maxsize=1 << 16)
def fits(name: str, pattern: str) -> bool:
    """Whether a pattern names this hook point. Every run asks the same thousands of questions."""
    return fnmatchcase(name, pattern)


@dataclass
class Probe:
    """What one `watch` asked for, and what it has got so far."""

    keep: tuple[str, ...]
    edits: tuple[Change, ...]
    seen: dict[str, list[Tensor]] = field(default_factory=dict)
    kept: set[str] = field(default_factory=set)  # members of `keep` that matched something
    acted: set[int] = field(default_factory=set)  # edits that changed something
    matches: dict[str, Match] = field(default_factory=dict)  # of every hook point that was passed

    def match(self, name: str) -> Match:
        if name not in self.matches:
            keep = tuple(pattern for pattern in self.keep if fits(name, pattern))
            edits = tuple(
                number
                for number, edit in enumerate(self.edits)
                if any(fits(name, pattern) for pattern in edit.points)
            )
            self.matches[name] = Match(keep, edits)
        return self.matches[name]

    def change(self, x: Tensor, place: Place) -> Tensor:
        for number in self.match(place.name).edits:
            changed = self.edits[number](x, place)
            if changed is not x:
                self.acted.add(number)
            x = changed
        return x

    def record(self, name: str, x: Tensor) -> None:
        if hits := self.match(name).keep:
            self.kept.update(hits)
            self.seen.setdefault(name, []).append(x if torch.is_grad_enabled() else x.detach())

    def check_that_all_acted(self) -> None:
        """Raise if a pattern or an edit met nothing: a typo must not give an empty or unchanged picture."""
        for pattern in self.keep:
            if pattern not in self.kept:
                raise LookupError(f"no hook point fired for {pattern!r}{self._hint(pattern)}")
        for number, edit in enumerate(self.edits):
            if number not in self.acted:
                hint = self._hint(edit.points[0]) if hasattr(edit, "where") else ""  # a path can be misspelt
                reason = hint or getattr(edit, "why_idle", "")
                raise LookupError(f"the edit {edit} never acted{reason}")

    def _hint(self, pattern: str) -> str:
        if any(fnmatchcase(name, pattern) for name in self.matches):
            return ""  # the name is right; something else kept the edit from acting
        near = get_close_matches(pattern, sorted(self.matches), n=3, cutoff=0.5)
        return f"; did you mean {' or '.join(near)}?" if near else ""


_probes: ContextVar[tuple[Probe, ...]] = ContextVar("probes", default=())


@contextmanager
def watch(keep: Sequence[str] = (), edits: Sequence[Change] = ()) -> Iterator[dict[str, list[Tensor]]]:
    """Record what passes the hook points matching `keep`, after `edits` have changed it.

    Yields a dict from hook path to the tensors seen there, one for each time it was passed. Watches
    nest: edits act from the outermost in, and every watch records what came of all of them.
    """
    if odd := [edit for edit in edits if not edit.points]:
        raise ValueError(f"the edit {odd[0]} acts on the source, not at a hook point; use translator.trace")
    if not keep and not edits:  # nobody to answer to: hook points stay as idle as they were
        yield {}
        return
    probe = Probe(tuple(keep), tuple(edits))
    token = _probes.set((*_probes.get(), probe))
    try:
        yield probe.seen
    finally:
        _probes.reset(token)
    probe.check_that_all_acted()


class HookPoint(nn.Module):
    """The identity, with a name that others can watch."""

    def __init__(self, shape: str) -> None:
        super().__init__()
        self.shape = shape  # in the letters of the file that owns it, for people to read
        self.name = ""  # its dotted path, given once by name_hook_points

    @property
    def watched(self) -> bool:
        if not (probes := _probes.get()):
            return bool(self._forward_hooks)
        asked = [probe.match(self.name) for probe in probes]
        return any(match.keep or match.edits for match in asked) or bool(self._forward_hooks)

    def __call__(self, x: Tensor, start: int = 0, **known: Unpack[Known]) -> Tensor:
        # Nearly always nobody is watching, and a module's own call costs more than all the rest.
        if not _probes.get() and not self._forward_hooks:
            return x
        return super().__call__(x, start, **known)

    def forward(self, x: Tensor, start: int = 0, **known: Unpack[Known]) -> Tensor:
        """Pass x on; `known` are the fields of Place that edits may need here."""
        probes = _probes.get()
        if probes:
            place = Place(self.name, start, **known)
            for probe in probes:
                x = probe.change(x, place)
            for probe in probes:  # after every edit: what is seen is what was used
                probe.record(self.name, x)
        return x


def name_hook_points(model: nn.Module) -> None:
    for path, module in model.named_modules():
        for name, child in module.named_children():
            if isinstance(child, HookPoint):
                child.name = f"{path}.{name}".removeprefix(".")
                # A plain attribute: torch's own lookup was most of what an idle point cost.
                module.__dict__[name] = child


def hook_points(model: nn.Module) -> dict[str, str]:
    """Every hook point's path with the shape of what passes it."""
    return {point.name: point.shape for point in _points(model)}


def _points(model: nn.Module) -> Iterator["HookPoint"]:
    return (module for module in model.modules() if isinstance(module, HookPoint))


def idle(model: nn.Module) -> bool:
    """Whether nobody watches or changes any point of this model, from here."""
    return not _probes.get() and not any(point._forward_hooks for point in _points(model))
