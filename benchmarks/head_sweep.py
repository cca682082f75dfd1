"""Silencing every head of a sentence in turn, beside bare forwards of as many rows.

    python -m benchmarks.head_sweep [--rounds 5]

The sweep gives each row of a batch edits of its own. The bare forwards run the same model over batches of
the same size that nobody watches: as fast as these rows can be computed at all. One by one is the plain way.
"""

import torch

from benchmarks.interleaved import best_times, report
from benchmarks.options import ask
from model.inspect.variants import BATCH, all_heads, each_variant, log_probs_of
from model.network.batches import read_ids

SENTENCE = "My sister bought three apples, two oranges and a large bottle of milk yesterday."


def main() -> None:
    options, translator = ask(__doc__, rounds=5)
    model, trace = translator.model, translator.trace(SENTENCE)
    source, target = trace.source.ids, trace.target.predicted_ids
    variants = [(head.silenced,) for head in all_heads(translator.config)]
    reads = torch.tensor([read_ids(target)])

    def sweep() -> None:
        for _ in each_variant(model, source, target, variants, log_probs_of(target)):
            pass

    @torch.inference_mode()
    def bare() -> None:
        for start in range(0, len(variants), BATCH):
            count = len(variants[start : start + BATCH])
            model(torch.tensor([source]).expand(count, -1), reads.expand(count, -1))

    def one_by_one() -> None:
        for edits in variants:
            translator.trace(SENTENCE, target=target, edits=edits, keep=["logits"])

    print(f"{len(variants)} heads, {len(source)} source and {len(target)} target pieces, batches of {BATCH}")
    report(
        best_times({"bare forwards": bare, "sweep": sweep, "one by one": one_by_one}, options.rounds),
        "bare forwards",
    )
    print("budget: the sweep ≤ 5 × bare forwards")


if __name__ == "__main__":
    main()
