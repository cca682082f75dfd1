"""How long the atlas takes: seconds for 1,000 sentences, what is only observed and what silences every head.

    python -m benchmarks.atlas_speed [--conllu FILE] [--sentences 96] [--rounds 2]

One process on one thread; two processes on two cores halve it. "Observed" is everything but silencing: the
translation, the replays of the model and of its untrained twin, the gradient and all measures with their
intervals. "One at a time" is the same replays without batches, a trace a sentence, measures not included. A
comparison with `transformers` is left out here. Seconds of the processor stand beside those of the clock: on
a machine that does other work too, only they compare.
"""

import argparse
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import torch

from model import load
from model.atlas import make_atlas
from model.checkpoint import untrained
from model.importance import silenced
from model.translator import Translator
from model.treebank import read

PROBE = Path(__file__).parent.parent / "model" / "probe" / "hand.conllu"
BUDGETS = {
    "observed": "≤ 180 s for 2,000 sentences on 2 cores",
    "silenced": "≤ 180 s more for the probe corpus",
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--checkpoint", default="en-fr")
    parser.add_argument("--conllu", type=Path, default=PROBE)
    parser.add_argument("--sentences", type=int, default=96)
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(1)
    translator = load(options.checkpoint)
    sentences = list(islice(read(options.conllu), options.sentences))
    texts = [sentence.text for sentence in sentences]
    sources = [translator.read(text).ids for text in texts]
    targets = [found.ids for found in translator.translate_many(texts)]
    twin = Translator("untrained", untrained(translator.config), translator.tokenizer)

    def observed() -> None:
        make_atlas(translator, sentences, "benchmark", silencing=False)

    def silence() -> None:
        for source, target in zip(sources, targets, strict=True):
            silenced(translator.model, source, target)

    def one_at_a_time() -> None:
        for text in texts:
            target = translator.translate(text).ids
            for each in (translator, twin):
                each.trace(text, target, keep=["attention", "mask", "mixed"])

    pieces = sum(map(len, sources)) / len(sources)
    print(f"{len(sentences)} sentences of {pieces:.1f} pieces, {3 * translator.config.layers} × "
          f"{translator.config.heads} heads, one thread")  # fmt: skip
    contestants = {"observed": observed, "silenced": silence, "one at a time": one_at_a_time}
    for name, work in contestants.items():
        clock, processor = (1_000 * seconds / len(sentences) for seconds in best_of(work, options.rounds))
        budget = f"   budget {BUDGETS[name]}" if name in BUDGETS else ""
        print(f"{name:14} {clock:7.1f} s, processor {processor:7.1f} s for 1,000 sentences{budget}")


def best_of(work: Callable[[], None], rounds: int) -> tuple[float, float]:
    """Seconds of the clock and of the processor, each from its best round."""
    clocks, processors = [], []
    for _ in range(rounds):
        began = time.perf_counter(), time.process_time()
        work()
        clocks.append(time.perf_counter() - began[0])
        processors.append(time.process_time() - began[1])
    return min(clocks), min(processors)


if __name__ == "__main__":
    main()
