"""Sentences side by side in one batch, padded to the longest: what the padding mask is for."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from model.decoding.search import pad
from model.network.attention import padding_mask
from model.network.hooks import watch
from model.text.tokenizer import Tokens
from model.translator import Translator


class Padded(NamedTuple):
    """B sentences of one batch in the encoder, all S positions long."""

    tokens: tuple[Tokens, ...]  # padding included
    attention: np.ndarray  # (B, L, H, S, S)
    mask: np.ndarray  # (B, S): False at padding, where nobody may look


@torch.inference_mode()
def padded(translator: Translator, texts: Sequence[str]) -> Padded:
    """Run the encoder once on all sentences together, and keep every position's attention."""
    source = pad([translator.read(text).ids for text in texts])
    patterns = "encoder.layers.*.self_attention.pattern"
    with watch(keep=[patterns]) as seen:
        translator.model.encode(source)
    attention = torch.stack([tensors[0] for tensors in seen.values()], dim=1)  # (B, L, H, S, S)
    tokens = tuple(translator.tokenizer.tokens(ids) for ids in source.tolist())
    return Padded(tokens, attention.numpy(), padding_mask(source)[:, 0, 0].numpy())
