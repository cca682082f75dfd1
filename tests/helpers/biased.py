"""One run of a tiny model in which no bias is zero, so that no term is there only by name."""

import torch

from model.inspect.trace import Trace
from tests.helpers.tiny import PAIRS, tiny_tokenizer, tiny_translator

TOKENIZER = tiny_tokenizer()
SOURCE, TARGET = PAIRS[0]


def run(double: bool = False, edits=(), **changes) -> tuple[Trace, torch.nn.Module]:
    translator = tiny_translator(TOKENIZER, **changes)
    with torch.no_grad():  # no term may be there only by name
        for name, weight in translator.model.named_parameters():
            if name.endswith("bias"):
                weight.add_(torch.randn(weight.shape, generator=torch.Generator().manual_seed(1)))
    model = translator.model.double() if double else translator.model
    return translator.trace(SOURCE, TARGET, edits), model
