"""A tiny language model with a memory, and a text of our own for it to read."""

import torch

from model.language.store import untrained
from model.network.language import LanguageConfig, LanguageModel
from tests.helpers.tiny import PAIRS, VOCABULARY

LINES = [target for _, target in PAIRS] * 4
BIASES = ("content_bias", "distance_bias")


def tiny_language_config(**changes) -> LanguageConfig:
    shape = {"width": 32, "heads": 4, "layers": 2, "hidden": 64, "segment": 8, "memory": 16}
    return LanguageConfig(**{"vocabulary": VOCABULARY, **shape, **changes})


def tiny_language_model(seed: int = 0, **changes) -> LanguageModel:
    """Untrained, with u and v that are not zero and queries and keys wide enough that heads choose."""
    model = untrained(tiny_language_config(**changes), seed)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if name.endswith(BIASES):
                weight.copy_(torch.randn(weight.shape, generator=generator))
            elif "to_query" in name or "to_key" in name:
                weight.mul_(1.5)
    return model
