"""A language model reads a text after another one: what it expects next, and where its heads look.

The first text fills the memory, the second is one segment. The same segment is read once more with an empty
memory, so that what memory brings can be told piece by piece.

Shapes   M positions remembered · Q pieces of the segment · K = M + Q · H heads · L layers · V vocabulary
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model.language.store import SHIPPED, load
from model.network.hooks import watch
from model.network.language import LanguageModel, Memory
from model.text.tokenizer import Tokenizer

TERMS_AT, PATTERN_AT = "layers.{}.attention.terms", "layers.{}.attention.pattern"


@dataclass(frozen=True)
class Reading:
    """One segment after what is remembered."""

    remembered: tuple[int, ...]  # ids of the positions in the memory, M of them
    segment: tuple[int, ...]  # ids
    expected: np.ndarray  # (Q, V): log p of every next piece, with memory
    alone: np.ndarray  # (Q, V): the same with an empty memory
    pattern: np.ndarray  # (L, H, Q, K)
    terms: np.ndarray  # (L, 4, H, Q, K), scaled: they sum to the score

    @property
    def mask(self) -> np.ndarray:  # (Q, K)
        """Where a position may look: at the memory, and at the segment up to itself."""
        queries, keys = self.pattern.shape[-2:]
        return np.tri(queries, keys, keys - queries, dtype=bool)

    @property
    def losses(self) -> tuple[np.ndarray, np.ndarray]:
        """-log p of each piece but the first, with memory and without; (Q - 1) each."""
        rows, right = np.arange(len(self.segment) - 1), np.array(self.segment[1:], int)
        return -self.expected[rows, right], -self.alone[rows, right]


class Reader:
    """A loaded model with its vocabulary; it holds nothing of what it reads."""

    def __init__(self, model: LanguageModel, tokenizer: Tokenizer) -> None:
        self.model, self.tokenizer, self.config = model, tokenizer, model.config

    def ids(self, text: str) -> tuple[int, ...]:
        return tuple(self.tokenizer.ids([text])[0]) if text else ()

    @torch.inference_mode()
    def read(self, before: Sequence[int], segment: Sequence[int]) -> Reading:
        """Read `segment` after `before`, of which the newest positions are remembered."""
        if not 1 <= len(segment) <= self.config.segment:
            raise ValueError(f"a segment has 1 to {self.config.segment} pieces, not {len(segment)}")
        ids, layers = torch.tensor([list(segment)]), range(self.config.layers)
        wanted = [path.format(layer) for path in (TERMS_AT, PATTERN_AT) for layer in layers]
        memory = self._remember(before)
        with watch(keep=wanted) as seen:
            expected = self._expected(ids, memory)
        terms, pattern = (
            np.stack([seen[path.format(layer)][0].numpy() for layer in layers])
            for path in (TERMS_AT, PATTERN_AT)
        )
        kept = memory[0].shape[1]
        alone = self._expected(ids, self.model.begin())
        return Reading(
            tuple(before)[len(before) - kept :],
            tuple(segment),
            expected,
            alone,
            pattern[:, 0],
            terms[:, :, 0],
        )

    def _remember(self, before: Sequence[int]) -> Memory:
        memory = self.model.begin()
        for start in range(0, len(before), self.config.segment):
            part = torch.tensor([list(before[start : start + self.config.segment])])
            _, memory = self.model(part, memory)
        return memory

    def _expected(self, ids: Tensor, memory: Memory) -> np.ndarray:  # (Q, V)
        hidden, _ = self.model(ids, memory)
        return self.model.predict(hidden)[0].log_softmax(-1).numpy()


def load_reader(name: str = SHIPPED) -> Reader:
    return Reader(*load(name))
