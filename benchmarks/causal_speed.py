"""Every head silenced on contrasts: many at once, beside one head and one sentence at a time.

    python -m benchmarks.causal_speed [--rows 32] [--rounds 3]

Both give the same numbers. The plain way is what a notebook would do: a forward pass with one head switched
off, for each head and each sentence; it is timed on one sentence in eight and reckoned up.
"""

import torch

from benchmarks.interleaved import best_times, report
from benchmarks.options import ask
from model.atlas.causal import ablations
from model.atlas.causal.decisions import Decision, decide
from model.atlas.causal.sweep import choices, in_batches
from model.network.hooks import watch
from model.probe.contrasts import shipped

SAMPLE = 8


def main() -> None:
    options, translator = ask(__doc__, rows=32, rounds=3)
    model, config = translator.model, translator.config
    phenomena = shipped(config.source, config.target)
    rows = [(each.name, row) for each in phenomena for row in each.contrasts]
    rows = rows[:: max(1, len(rows) // options.rows)][: options.rows]
    decisions = [decide(translator, name, row) for name, row in rows]
    variants = ablations.silenced(config)

    def together() -> None:
        for batch in in_batches(decisions):
            choices(model, batch, variants)

    @torch.inference_mode()
    def one(decision: Decision) -> None:
        source, read = torch.tensor([decision.source]), torch.tensor([decision.read])
        for edits in variants:
            with watch(edits=edits):
                model(source, read)

    def one_by_one() -> None:
        for decision in decisions[::SAMPLE]:
            one(decision)

    times = best_times({"together": together, "one by one": one_by_one}, options.rounds)
    times["one by one"] *= len(decisions) / len(decisions[::SAMPLE])
    print(f"{len(variants)} heads × {len(decisions)} contrasts, one thread")
    report(times, "one by one")
    total = sum(len(each.contrasts) for each in phenomena)
    print(
        f"all {total:,} contrasts, silencing alone: about {times['together'] * total / len(decisions):.0f} s"
    )
    print("budget: all ways to take a head away, all phenomena, two processes: 300 s")


if __name__ == "__main__":
    main()
