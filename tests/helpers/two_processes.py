"""Run by torchrun in a test: the gradients of one batch, computed by all processes together."""

import sys
from pathlib import Path

from safetensors.torch import save_file

from model.checkpoint import untrained
from model.processes import Processes, processes
from model.training.data import encode_pairs, epoch_batches
from model.training.loss import compute_gradients
from tests.helpers.tiny import PAIRS, tiny_config, tiny_tokenizer

ROWS = 7  # odd, so that the shares differ


def gradients(group: Processes) -> dict:
    corpus = encode_pairs(PAIRS, tiny_tokenizer(), 512)
    batch = epoch_batches(corpus, 10_000, seed=1, epoch=0)[0][:ROWS]
    model = untrained(tiny_config(dropout=0.0)).train()
    loss, plain, pieces = compute_gradients(model, corpus, batch, 0.1, group)
    assert pieces == sum(len(corpus.targets[row]) for row in batch)
    assert plain > 0 and loss > 0
    return {name: parameter.grad.contiguous() for name, parameter in model.named_parameters()}


if __name__ == "__main__":
    with processes() as group:
        found = gradients(group)
        if group.first:
            save_file(found, Path(sys.argv[1]))
