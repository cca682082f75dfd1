"""What stands in the boxes of the architecture: a run's own numbers, small enough for a box.

Shapes   Q queries · K keys · N positions of a stack · D width · V vocabulary
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from model.inspect.sublayers import sublayers
from model.network.kinds import STACKS, sides
from viz.figures.labels import readable

if TYPE_CHECKING:
    from model import Trace
    from model.network.config import Config

FINEST = 48  # rows and columns of a small map: of more, each pixel shows the strongest under it
STRIPES = 12  # dimensions of a vector that are shown
CANDIDATES = 4  # likeliest tokens that are shown

Say = Callable[..., str]


class Look(NamedTuple):
    """One map of attention: of some heads of a layer, or of all of them."""

    weights: np.ndarray  # (Q, K), the mean over these heads
    seen: np.ndarray  # (Q, K), True = may look
    heads: tuple[int, ...]  # empty: all
    words: tuple[np.ndarray, np.ndarray]  # (Q), (K): False for special tokens and stops

    def strongest(self, row: int | None) -> tuple[int, int, float]:
        """Which word looks most at which word: in all of the map, or in one row.

        Special tokens and stops draw much weight and say little: they count where there is nothing else.
        """
        looking, seen = (side if side.any() else ~side for side in self.words)
        allowed = self.seen & seen & (looking[:, None] if row is None else True)
        if row is not None and not allowed[row].any():
            allowed = self.seen
        rows = np.where(allowed, self.weights, -1.0)
        at = rows if row is None else rows[row : row + 1]
        query, key = np.unravel_index(at.argmax(), at.shape)
        return int(query) + (row or 0), int(key), float(at.max())


class Added(NamedTuple):
    """What a sublayer did to one token: lengths of what came in, of what it added, of what left the norm."""

    before: float
    added: float
    after: float


@dataclass(frozen=True)
class Run:
    """One sentence in the model, while it writes one word."""

    config: Config
    tokens: Mapping[str, tuple[str, ...]]  # of both stacks, readable; the decoder's are those it reads
    row: int  # the decoder's row that writes
    writes: tuple[str, ...]  # what each row writes
    chances: np.ndarray  # (T), the probability of each written token
    candidates: tuple[tuple[str, float, bool], ...]  # token, probability, whether it was written
    layer: int
    looks: Mapping[str, Look]  # by kind
    vectors: Mapping[str, np.ndarray]  # "encoder.tokens", "decoder.positions": (N, D); empty if not kept
    added: Mapping[tuple[str, str], Added]  # by stack and part
    firing: Mapping[str, int]  # by stack: feed-forward units above zero

    @property
    def writing(self) -> str:
        return next(word for word, _, written in self.candidates if written)

    def at(self, stack: str) -> int:
        """The token whose numbers are told: the decoder's is chosen, the encoder's is looked at most."""
        return self.row if stack == "decoder" else self.looks["cross"].strongest(self.row)[1]


def row_of(trace: Trace, asked: int | None) -> int:
    """The row that was asked for; else the word that the model was least sure of: there is most to see."""
    if asked is not None and asked < len(trace.log_probs):
        return asked
    words = np.array(trace.target.predicted_words) >= 0
    return int(np.where(words, trace.log_probs, np.inf).argmin()) if words.any() else 0


def run(
    trace: Trace, config: Config, *, row: int, kind: str, layer: int, heads: tuple[int, ...],
    spell: Callable[[Sequence[int]], Sequence[str]], say: Say,
) -> Run:  # fmt: skip
    """The chosen heads of the chosen kind, and the mean over all heads of the two others."""
    target, source = trace.target, trace.source
    looks, words = {}, sides(_spoken(source.pieces), _spoken(target.predicted))
    words["decoder"] = words["decoder"][0], _spoken(target.read)
    for each, attention in trace.attention.items():
        chosen = heads if each == kind else ()
        at = min(layer, len(attention) - 1)  # a stack that is not as deep shows its top
        weights = attention[at][list(chosen)] if chosen else attention[at]
        looks[each] = Look(weights.mean(0), trace.mask[each][at, 0], chosen, words[each])
    made = Run(
        config,
        {
            "encoder": tuple(readable(piece, say) for piece in source.pieces),
            "decoder": tuple(readable(piece, say) for piece in target.read),
        },
        row,
        tuple(readable(piece, say) for piece in target.predicted),
        np.exp(trace.log_probs),
        _candidates(trace, row, spell, say),
        layer,
        looks,
        {
            f"{stack}.{part}": vectors
            for stack in STACKS
            for part in ("tokens", "positions")
            if (vectors := trace.stream[stack].get(f"{stack}.embedding.{part}")) is not None
        },
        {},
        {},
    )
    for stack in STACKS:
        _measure(made, trace.stream[stack], stack)
    return made


def _spoken(pieces: Sequence[str]) -> np.ndarray:
    """Which tokens are words, or parts of words.

    >>> _spoken(["<s>", "▁Elle", ".", "</s>"])
    array([False,  True, False, False])
    """
    return np.array([not piece.startswith("<") and any(map(str.isalnum, piece)) for piece in pieces])


def _candidates(
    trace: Trace, row: int, spell: Callable[[Sequence[int]], Sequence[str]], say: Say
) -> tuple[tuple[str, float, bool], ...]:
    """The likeliest tokens with what was written among them; it alone where no more was kept."""
    written, chance = trace.target.predicted_ids[row], float(np.exp(trace.log_probs[row]))
    found = {}
    if trace.has_top:
        ids, log_probs = trace.top.ids[-1, row, :CANDIDATES], trace.top.log_probs[-1, row, :CANDIDATES]
        found = dict(zip(ids.tolist(), np.exp(log_probs).tolist(), strict=True))
        if written not in found:
            found.popitem()
    found.setdefault(written, chance)
    labels = [readable(piece, say) for piece in spell(list(found))]
    return tuple(
        (label, chance, piece == written)
        for label, (piece, chance) in zip(labels, found.items(), strict=True)
    )


def _measure(made: Run, stream: Mapping[str, np.ndarray], stack: str) -> None:
    """What each sublayer of the shown layer did to the token that is told of."""
    depth = made.config.depth(stack)
    steps = [step for step in sublayers(stack, depth) if step.layer == min(made.layer, depth - 1)]
    for step in steps:
        if step.before not in stream:
            return
        lengths = (
            float(np.linalg.norm(stream[path][made.at(stack)]))
            for path in (step.before, step.output, step.after)
        )
        made.added[stack, step.part] = Added(*lengths)  # type: ignore[index]
        if step.part == "feed_forward":
            units = stream[f"{step.where}.hidden"][made.at(stack)]
            made.firing[stack] = int((units > 0).sum())  # type: ignore[index]


def condensed(look: Look) -> tuple[np.ndarray, np.ndarray]:
    """Weights and what may be seen, on at most so many pixels a side."""
    steps = [int(np.ceil(size / FINEST)) for size in look.weights.shape]
    weights = np.where(look.seen, look.weights, 0)
    for axis, step in enumerate(steps):
        starts = range(0, weights.shape[axis], step)
        weights = np.maximum.reduceat(weights, starts, axis)
    return weights, look.seen[:: steps[0], :: steps[1]]


def stripes(vectors: np.ndarray, share: float = 1) -> np.ndarray:  # (N, D) -> (12, N)
    """Some dimensions of each position's vector, of the first `share` of them: one column a position."""
    positions, width = vectors.shape[0], max(1, round(vectors.shape[1] * share))
    dimensions = np.linspace(0, width - 1, min(STRIPES, width)).round().astype(int)
    return vectors[:: int(np.ceil(positions / FINEST)), dimensions].T


def queries(run: Run, kind: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who looks and who is looked at, in words; rows of the decoder are called by what they write."""
    written, read = run.writes, run.tokens["decoder"]
    looking, seen = sides(run.tokens["encoder"], written)[kind]
    return looking, read if kind == "decoder" else seen


def shapes(run: Run) -> dict[str, int]:
    """The sizes that the boxes write."""
    config = run.config
    return {
        "source": len(run.tokens["encoder"]), "target": len(run.tokens["decoder"]), "width": config.width,
        "heads": config.heads, "head_width": config.head_width, "hidden": config.hidden,
        "layers": config.layers, "vocabulary": config.vocabulary,
    }  # fmt: skip
