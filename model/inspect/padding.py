"""Sentences side by side in one batch, padded to the longest: what the padding mask is for."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from model.network.batches import pad, padding_mask
from model.network.hooks import watch
from model.network.kinds import KINDS
from model.network.transformer import Transformer
from model.text.tokenizer import Tokenizer, Tokens


class Padded(NamedTuple):
    """B sentences of one batch in the encoder, all S positions long."""

    tokens: tuple[Tokens, ...]  # padding included
    attention: np.ndarray  # (B, L, H, S, S)
    mask: np.ndarray  # (B, S): False at padding, where nobody may look


@torch.inference_mode()
def padded(model: Transformer, tokenizer: Tokenizer, texts: Sequence[str]) -> Padded:
    """Run the encoder once on all sentences together, and keep every position's attention."""
    source = pad([tokenizer.encode(text, model.config.length).ids for text in texts])
    with watch(keep=[f"{KINDS['encoder'].format('*')}.pattern"]) as seen:
        model.encode(source)
    attention = torch.stack([tensors[0] for tensors in seen.values()], dim=1)  # (B, L, H, S, S)
    tokens = tuple(tokenizer.tokens(ids) for ids in source.tolist())
    return Padded(tokens, attention.numpy(), padding_mask(source)[:, 0, 0].numpy())
