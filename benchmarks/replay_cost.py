"""What looking costs, on the shipped checkpoint: budgets as ratios, taking turns.

python -m benchmarks.replay_cost [--tokens 32] [--rounds 50]
"""

import torch
from torch import nn

from benchmarks.interleaved import best_times, report
from benchmarks.options import ask
from model.checkpoint import untrained
from model.inspect.replay import replay
from model.network.batches import pad, read_ids
from model.network.config import END
from model.network.hooks import HookPoint
from model.network.transformer import Transformer
from model.text.tokenizer import Tokens

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
    model(pad([source]), pad([read_ids(target)]))


def main() -> None:
    options, translator = ask(__doc__, tokens=32, rounds=50)
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
