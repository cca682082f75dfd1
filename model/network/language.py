"""A small language model that reads a text in segments and remembers the ones before (Transformer-XL).

What it remembers are the vectors that entered each layer: a memory is handed in and a longer one handed out,
so that nothing about a text is ever stored on the model.

Shapes   B batch · M positions of the memory · Q of the segment · D width · V vocabulary
"""

import json
import math
from dataclasses import asdict, dataclass, fields

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.network.attention import causal_mask
from model.network.hooks import name_hook_points
from model.network.positions import sinusoids
from model.network.relative import RelativeAttention, SegmentAttention

Memory = tuple[Tensor, ...]  # for each layer the vectors (B, M, D) that entered it, the newest last
POSITIONS = ("relative", "absolute")


@dataclass(frozen=True)
class LanguageConfig:
    """Every choice that decides what the weights mean."""

    vocabulary: int  # pieces, special tokens included
    width: int = 128
    heads: int = 4
    layers: int = 4
    hidden: int = 512
    segment: int = 32  # pieces read at once
    memory: int = 64  # positions before the segment that each layer remembers; 0: none
    positions: str = "relative"  # or absolute: sine waves that begin anew in every segment
    language: str = "fr"

    def __post_init__(self) -> None:
        for name in ("vocabulary", "width", "heads", "layers", "hidden", "segment", "memory"):
            value, least = getattr(self, name), int(name != "memory")
            if type(value) is not int or value < least:
                raise ValueError(f"{name} must be a whole number of at least {least}, not {value!r}")
        if self.width % self.heads or self.width % 2:
            raise ValueError(f"width {self.width} must be even and split into {self.heads} heads")
        if self.positions not in POSITIONS:
            raise ValueError(f"positions is one of {', '.join(POSITIONS)}, not {self.positions!r}")

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "LanguageConfig":
        """Read what `to_json` wrote; an unknown or missing field is refused by name."""
        values = json.loads(text)
        known = {field.name for field in fields(cls)}
        if not isinstance(values, dict):
            raise ValueError("not a JSON object")
        if odd := sorted(values.keys() ^ known):
            raise ValueError(f"unknown or missing: {', '.join(odd)}")
        return cls(**values)


class Layer(nn.Module):
    """Attention over memory and segment, then feed-forward; each is LayerNorm(x + Sublayer(x))."""

    def __init__(self, config: LanguageConfig) -> None:
        super().__init__()
        kind = RelativeAttention if config.positions == "relative" else SegmentAttention
        self.attention = kind(config.width, config.heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(config.width, config.hidden), nn.ReLU(), nn.Linear(config.hidden, config.width)
        )
        self.attention_norm, self.feed_forward_norm = (nn.LayerNorm(config.width) for _ in range(2))

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor, waves: Tensor) -> Tensor:
        x = self.attention_norm(x + self.attention(x, memory, mask, waves))
        return self.feed_forward_norm(x + self.feed_forward(x))


class LanguageModel(nn.Module):
    """Reads the pieces of a text and says of each which piece comes next."""

    def __init__(self, config: LanguageConfig) -> None:
        super().__init__()
        self.config = config
        self.table = nn.Embedding(config.vocabulary, config.width)  # reads pieces, and chooses them
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))
        self.apply(_initialise)
        name_hook_points(self)

    def begin(self, batch: int = 1) -> Memory:
        """The memory of somebody who has read nothing yet."""
        weight = self.table.weight
        return tuple(weight.new_zeros(batch, 0, self.config.width) for _ in self.layers)

    def forward(self, ids: Tensor, memory: Memory, keep: int | None = None) -> tuple[Tensor, Memory]:
        """Read a segment (B, Q) after what is remembered: hidden states (B, Q, D), and the memory after it.

        `keep` is how many positions are remembered from here on, where it is not what the config says.
        """
        keep = self.config.memory if keep is None else keep
        queries, keys = ids.shape[1], memory[0].shape[1] + ids.shape[1]
        mask = causal_mask(queries, keys, ids.device)
        x = self.table(ids) * math.sqrt(self.config.width)
        if self.config.positions == "absolute":
            x = x + sinusoids(torch.arange(queries), self.config.width).to(x)
        waves = sinusoids(torch.arange(keys - 1, -1, -1), self.config.width).to(x)
        after = []
        for layer, remembered in zip(self.layers, memory, strict=True):
            after.append(_remember(remembered, x, keep))
            x = layer(x, remembered, mask, waves)
        return x, tuple(after)

    def predict(self, hidden: Tensor) -> Tensor:  # (B, Q, D) -> (B, Q, V)
        """Logits: row i has read piece i and chooses piece i + 1."""
        return F.linear(hidden, self.table.weight)


def _remember(memory: Tensor, x: Tensor, keep: int) -> Tensor:
    """The newest `keep` positions. They are taken as they are: no gradient goes back into them."""
    both = torch.cat((memory, x), 1).detach()
    return both[:, max(0, both.shape[1] - keep) :]


def _initialise(module: nn.Module) -> None:
    if isinstance(module, nn.Linear):
        nn.init.xavier_uniform_(module.weight)
        if module.bias is not None:
            nn.init.zeros_(module.bias)
    elif isinstance(module, nn.Embedding):
        nn.init.normal_(module.weight, std=module.embedding_dim**-0.5)
