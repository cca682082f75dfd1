"""One training step: ours against the same step on torch.nn.Transformer of the same shape.

    python -m benchmarks.training_step [--threads N]

Same preset, batch, loss, dropout rate and Adam; forward, backward and update, taking turns. Ours in bfloat16
as well: how much faster that is depends on the processor.
"""

import argparse

import torch
import torch.nn.functional as F
from torch import nn

from benchmarks.interleaved import best_times, report
from model.network.attention import causal_mask
from model.network.config import START, Config, preset
from model.network.positions import Sinusoidal
from model.network.transformer import Embedding, Transformer
from model.processes import Processes
from model.training.data import Corpus
from model.training.loss import compute_gradients
from model.training.memory import reuse_memory

ROWS, LENGTH, SMOOTHING = 96, 11, 0.1  # a batch of about 1,000 pieces of everyday sentences


class Theirs(nn.Module):
    """torch.nn.Transformer between the same embedding and the same output matrix."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.table = nn.Embedding(config.vocabulary, config.width)
        self.embedding = Embedding(config, self.table, Sinusoidal(config))
        self.stack = nn.Transformer(
            config.width, config.heads, config.layers, config.layers, config.hidden,
            config.dropout, config.activation, batch_first=True,
        )  # fmt: skip

    def forward(self, source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        length = target.shape[1]
        hidden = self.stack(
            self.embedding(source)[0],
            self.embedding(target)[0],
            tgt_mask=~causal_mask(length, length),
        )
        return hidden @ self.table.weight.T


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    reuse_memory()  # a gain of ours, given to both so that the ratio is about the model alone

    config = preset("small")
    ids = torch.randint(4, config.vocabulary, (2, ROWS, LENGTH)).tolist()
    corpus = Corpus([], ids[0], ids[1])
    source, right = torch.tensor(ids[0]), torch.tensor(ids[1])
    read = torch.cat((torch.full((ROWS, 1), START), right[:, :-1]), 1)
    ours, theirs = Transformer(config).train(), Theirs(config).train()
    updates = {
        model: torch.optim.Adam(model.parameters(), lr=1e-4, betas=(0.9, 0.98), eps=1e-9, fused=True)
        for model in (ours, theirs)
    }

    def our_step(half: bool = False) -> None:
        compute_gradients(ours, corpus, range(ROWS), SMOOTHING, Processes(), half=half)
        updates[ours].step()

    def their_step() -> None:
        updates[theirs].zero_grad(set_to_none=True)
        logits = theirs(source, read)
        F.cross_entropy(logits.flatten(0, 1), right.flatten(), label_smoothing=SMOOTHING).backward()
        updates[theirs].step()

    contestants = {
        "headlight": our_step,
        "headlight, bfloat16": lambda: our_step(half=True),
        "torch.nn.Transformer": their_step,
    }
    best = best_times(contestants, options.rounds)
    report(best, "torch.nn.Transformer")
    print(f"headlight: {ROWS * LENGTH / best['headlight']:,.0f} target tokens/s, {options.threads} thread(s)")


if __name__ == "__main__":
    main()
