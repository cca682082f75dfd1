"""What a row has read and what it predicts: its x and its q are of the token that it read.

A decoder row may be labelled by the next word, and still everything that is computed from it comes from
the word just read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from viz.figures.labels import readable

if TYPE_CHECKING:
    from model import Trace

Say = Callable[..., str]


@dataclass(frozen=True)
class Rows:
    """The rows of one kind of attention, each by the token whose vector it is."""

    read: tuple[str, ...]
    predicted: tuple[str, ...] | None  # None: the encoder predicts nothing

    def options(self) -> tuple[str, ...]:
        """Each row in a list: what it has read, and what it predicts from that."""
        if self.predicted is None:
            return self.read
        return tuple(
            f"{read} → {predicted}" for read, predicted in zip(self.read, self.predicted, strict=True)
        )

    def said(self, row: int, say: Say) -> str:
        """Whose vector x is; nothing in the encoder, where there is no doubt."""
        if self.predicted is None:
            return ""
        return say("inside.shifted", read=self.read[row], predicted=self.predicted[row])


def rows(trace: Trace, kind: str, say: Say) -> Rows:
    if kind == "encoder":
        return Rows(tuple(readable(piece, say) for piece in trace.source.pieces), None)
    read, predicted = (
        tuple(readable(piece, say) for piece in pieces)
        for pieces in (trace.target.read, trace.target.predicted)
    )
    return Rows(read, predicted)
