"""What every network here has in common: it reads source ids, and writes target ids one after the other.

The Transformer and the networks it replaced differ in how words reach each other; to train, decode and
score them nobody needs to know which one it is.

Shapes   B batch · S source positions · T target positions · D width · V vocabulary
"""

from abc import ABC, abstractmethod

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.network.batches import padding_mask
from model.network.cache import Cache
from model.network.config import Config


class Seq2Seq(nn.Module, ABC):
    """An encoder, a decoder and the vocabulary. Nothing about a run is stored on it."""

    config: Config
    to_vocabulary: nn.Embedding

    @property
    def device(self) -> torch.device:
        return self.to_vocabulary.weight.device

    @abstractmethod
    def enter(self, source: Tensor) -> Tensor:
        """What the first encoder layer gets of source ids (B, S): (B, S, D)."""

    @abstractmethod
    def read(self, x: Tensor, mask: Tensor) -> list[Tensor]:
        """What each encoder layer makes of what enters the first, (B, S, D) each."""

    @abstractmethod
    def decode(
        self, target: Tensor, memory: Tensor, memory_mask: Tensor, cache: Cache | None = None
    ) -> Tensor:
        """Target ids (B, T), which follow what the cache holds, to hidden states (B, T, D)."""

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        """Source ids (B, S) to the encoder's output (B, S, D) and the mask of what may be looked at."""
        mask = padding_mask(source)
        return self.read(self.enter(source), mask)[-1], mask

    def predict(self, hidden: Tensor, start: int = 0) -> Tensor:
        """Hidden states (B, T, D) to logits (B, T, V); `start` is the position of the first."""
        return F.linear(hidden, self.to_vocabulary.weight)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Teacher forcing: logits (B, T, V); row i reads target token i and predicts token i + 1."""
        return self.predict(self.decode(target, *self.encode(source)))


def initialise(module: nn.Module) -> None:
    """The weights that training begins with."""
    if isinstance(module, nn.Linear):
        nn.init.xavier_uniform_(module.weight)
        if module.bias is not None:
            nn.init.zeros_(module.bias)
    elif isinstance(module, nn.Embedding):
        nn.init.normal_(module.weight, std=module.embedding_dim**-0.5)
