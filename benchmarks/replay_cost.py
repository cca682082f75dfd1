"""What looking costs, on the shipped checkpoint: budgets as ratios, taking turns.

python -m benchmarks.replay_cost [--tokens 32] [--rounds 50]
"""

import argparse

import torch
from torch import nn

from benchmarks.interleaved import best_times, report
from model import load
from model.checkpoint import untrained
from model.decoding.search import pad
from model.inspect.trace import replay
from model.network.hooks import HookPoint
from model.network.transformer import Transformer
from model.text.tokenizer import END, START, Tokens

KEPT = ["attention", "scores", "query", "key", "value", "stream"]


class Nothing:
    """What stands in for a hook point in a model that has none."""

    watched = False

    def __call__(self, x, *_, **__):
        return x


def without_hook_points(model: Transformer) -> Transformer:
    bare = untrained(model.config)
    bare.load_state_dict(model.state_dict())
    for module in list(bare.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, HookPoint):
                delattr(module, name)
                object.__setattr__(module, name, Nothing())
    return bare


@torch.inference_mode()
def forward(model: nn.Module, source: list[int], target: list[int]) -> None:
    model(pad([source]), pad([[START, *target[:-1]]]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoint", default="en-fr")
    parser.add_argument("--tokens", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=50)
    options = parser.parse_args()
    torch.set_num_threads(1)
    translator = load(options.checkpoint)
    generator = torch.Generator().manual_seed(0)
    ids = torch.randint(
        300, translator.config.vocabulary, (options.tokens - 1,), generator=generator
    ).tolist()
    ids.append(END)
    source = Tokens(*translator.tokenizer.tokens(ids))
    bare, model = without_hook_points(translator.model), translator.model

    def traced(keep: list[str]) -> None:
        replay(model, translator.tokenizer, source, ids, keep=keep)

    print(f"{options.tokens} source and target tokens, best of {options.rounds}, one thread")
    best = best_times(
        {
            "bare forward": lambda: forward(model, ids, ids),
            "no hook points at all": lambda: forward(bare, ids, ids),
            "replay, all kept": lambda: traced(KEPT),
            "replay, one layer's pattern": lambda: traced(["encoder.layers.0.self_attention.pattern"]),
        },
        options.rounds,
    )
    report(best, "bare forward")
    print(f"replay / bare forward: {best['replay, all kept'] / best['bare forward']:.2f} (budget 2)")
    print(
        f"idle hook points / none: {best['bare forward'] / best['no hook points at all']:.3f} (budget 1.05)"
    )


if __name__ == "__main__":
    main()
