"""What somebody asks to see of a run: a head, perhaps a cell, in which words; checked before it is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from model.network.kinds import KINDS
from viz.figures.labels import SPACE, readable
from viz.state import telling
from viz.state.picture import Picture, picture
from viz.state.rows import Rows, rows
from viz.state.selection import Selection
from viz.text import Say, translate

if TYPE_CHECKING:
    from model import Trace, Translator

SURE = 0.9  # a softmax that has given everything to one position has nothing left to show

_language = ["en"]


def speak(language: str) -> None:
    """From now on notebooks speak this language, "en" or "ko", where nothing else is asked for."""
    translate(language)  # refuses one that we do not have
    _language[0] = language


@dataclass(frozen=True)
class Asked:
    """A run and the part of it that is looked at. Layers, heads and places are numbered from 0."""

    trace: Trace
    here: Selection
    say: Say
    translator: Translator | None = None

    @cached_property
    def shown(self) -> Picture:
        return picture(self.trace, self.here, self.say)

    @property
    def head(self) -> int:
        return self.here.head[0]

    @property
    def named(self) -> str:
        """Which heads these are, in words."""
        heads = ", ".join(str(head + 1) for head in self.here.head)
        several = "one" if len(self.here.head) == 1 else self.here.combine
        kind = self.say(f"kind.{self.here.kind}")
        return self.say(f"name.{several}", kind=kind, layer=self.here.layer + 1, heads=heads)

    @property
    def sentence(self) -> str:
        return _spelled(self.trace.source.pieces, self.trace.source.words)

    @property
    def translation(self) -> str:
        """What was written, or what was given instead."""
        target, written = self.trace.target, self.trace.translation
        return _spelled(target.predicted, target.predicted_words) if written is None else written.text

    @cached_property
    def looking(self) -> Rows:
        return rows(self.trace, self.here.kind, self.say)

    @cached_property
    def cell(self) -> tuple[int, int]:
        """The cell that was asked for; else a clear look of a word at a word that is not all."""
        row, column = self.here.row, self.here.column
        if row is not None and column is not None:
            return row, column
        pair = telling.clearest(self.shown, SURE)
        return pair if row is None and column is None and pair else self.shown.strongest(row, column)

    def labels(self, pieces: Sequence[str]) -> list[str]:
        return [readable(piece, self.say) for piece in pieces]

    def needed(self, name: str) -> Translator:
        """The translator, for what a run alone does not know."""
        if self.translator is None:
            raise ValueError(f"{name!r} needs more than the run: give translator=")
        return self.translator


def asked(
    trace: Trace, *, kind: str = "cross", layer: int | None = None, head: int | Sequence[int] | None = None,
    row: int | None = None, column: int | None = None, reading: str = "predicted", units: str = "pieces",
    special: str = "shown", weighting: str = "weight", colour: str = "linear", combine: str = "mean",
    language: str | None = None, translator: Translator | None = None,
) -> Asked:  # fmt: skip
    """Refuses what a run does not have. Without a head: the one of its kind that is surest where to look."""
    if kind not in KINDS:
        raise ValueError(f"kind is one of {', '.join(KINDS)}, not {kind!r}")
    more = {"reading": reading, "units": units, "special": special, "weighting": weighting}
    for name, value in (more | {"colour": colour, "combine": combine}).items():
        if value not in Selection.options(name):
            raise ValueError(f"{name} is one of {', '.join(Selection.options(name))}, not {value!r}")
    attention = trace.attention[kind]
    if layer is None or head is None:
        surest = _surest(trace, kind, layer)
        layer = surest[0] if layer is None else layer
        head = surest[1] if head is None else head
    heads = (head,) if isinstance(head, int | np.integer) else tuple(head)
    within = [("layer", (layer,)), ("head", heads)]
    within += [(name, (at,)) for name, at in (("row", row), ("column", column)) if at is not None]
    for (name, places), count in zip(within, _counts(attention.shape, row, column), strict=True):
        for place in places:
            if not 0 <= place < count:
                raise ValueError(f"{name} {place} is not there: {name}s are numbered from 0 to {count - 1}")
    here = Selection(
        kind=kind, layer=int(layer), head=tuple(int(each) for each in heads), row=row, column=column,
        colour=colour, combine=combine, **more,
    )  # fmt: skip
    return Asked(trace, here, translate(language or _language[0]), translator)


def _counts(shape: Sequence[int], row: int | None, column: int | None) -> list[int]:
    layers, heads, queries, keys = shape
    return [layers, heads, *([] if row is None else [queries]), *([] if column is None else [keys])]


def _surest(trace: Trace, kind: str, layer: int | None) -> tuple[int, int]:
    """The head whose rows give most weight to one other word: marks draw much weight and say little.

    Of cross attention in the last layer: what is read there becomes the next word.
    """
    words = np.array(trace.source.words if kind != "decoder" else trace.target.read_words) >= 0
    weights = trace.attention[kind] * words  # (L, H, Q, K)
    if kind != "cross":
        weights = weights * (1 - np.eye(*weights.shape[-2:], dtype=weights.dtype))
    sure = weights.max(-1).mean(-1)  # (L, H)
    layer = len(sure) - 1 if kind == "cross" and layer is None else layer
    if layer is not None:
        return layer, int(sure[layer].argmax()) if 0 <= layer < len(sure) else 0
    place = np.unravel_index(sure.argmax(), sure.shape)
    return int(place[0]), int(place[1])


def _spelled(pieces: Sequence[str], words: Sequence[int]) -> str:
    """Pieces as text, without special tokens."""
    text = "".join(piece for piece, word in zip(pieces, words, strict=True) if word >= 0)
    return text.replace(SPACE, " ").strip()
