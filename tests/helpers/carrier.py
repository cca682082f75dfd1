"""A model in which chosen heads of the cross-attention alone tell anything of the source."""

import zlib
from dataclasses import replace

import numpy as np
import torch

from model.atlas.causal.decisions import Decision
from model.network.batches import pad
from model.network.config import END, START
from model.probe.contrasts import Contrast
from model.translator import Translator
from tests.helpers.tiny import tiny_tokenizer, tiny_translator

LAYER = 1
WORDS, LENGTH = 12, 6  # different pieces, and pieces of a source


def carrier(heads: tuple[int, ...]) -> Translator:
    """These heads of layer 1, all copies of the first, are all that the decoder hears of the encoder."""
    translator = tiny_translator(tiny_tokenizer())
    model, config = translator.model, translator.config
    width = config.head_width
    first = slice(heads[0] * width, (heads[0] + 1) * width)
    with torch.no_grad():
        for stack in (model.encoder, model.decoder):
            for layer in stack.layers:
                layer.feed_forward.narrow.weight.zero_()
                layer.self_attention.to_output.weight.zero_()
        for number, layer in enumerate(model.decoder.layers):
            attention = layer.cross_attention
            heard = attention.to_output.weight[:, first].clone()
            attention.to_output.weight.zero_()
            if number == LAYER:
                for head in heads:
                    copy = slice(head * width, (head + 1) * width)
                    # So much louder than all else that half of it says nearly the same after the layer norm.
                    attention.to_output.weight[:, copy] = 8 * heard
                    for part in (attention.to_query, attention.to_key, attention.to_value):
                        part.weight[copy] = part.weight[first].clone()
                for part in (attention.to_query, attention.to_key):
                    part.weight.mul_(3)  # it chooses where it looks
    return translator


def decisions_of(
    translator: Translator, count: int = 40, name: str = "order", seed: int = 0
) -> list[Decision]:
    """Pairs of sources with the same pieces in another order, and two pieces between which that decides."""
    rng = np.random.default_rng(seed)
    pieces = np.arange(300, 300 + WORDS)
    found: list[Decision] = []
    while len(found) < 2 * count:
        source = rng.choice(pieces, LENGTH, replace=False)
        one, other = ((*map(int, order), END) for order in (source, source[::-1]))
        with torch.inference_mode():
            logits = translator.model(pad([one, other]), torch.tensor([[START], [START]]))[:, -1]
        difference = logits[0] - logits[1]
        right, wrong = int(difference.argmax()), int(difference.argmin())
        gaps = (logits[:, right] - logits[:, wrong]).tolist()
        if gaps[0] > 0.5 and gaps[1] < -0.5:
            texts = [f"{name} {order}" for order in (one, other)]
            row, partner = (
                Decision(name, Contrast(*here, partner=there), ids, (START,), *choice)
                for here, there, ids, choice in (
                    ((texts[0], "right", "wrong"), texts[1], one, (right, wrong)),
                    ((texts[1], "wrong", "right"), texts[0], other, (wrong, right)),
                )
            )
            found += [replace(row, partner=partner), replace(partner, partner=row)]
    halves = {zlib.crc32(each.contrast.sentence.encode()) for each in found}
    assert len(halves) == len(found)
    return found
