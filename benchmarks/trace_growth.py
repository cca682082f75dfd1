"""Time and memory of a trace from 8 to 512 tokens, with fitted exponents; and 2,000 traces in a row.

python -m benchmarks.trace_growth [--traces 2000]
"""

import numpy as np

from benchmarks.interleaved import best_times
from benchmarks.options import ask
from model import Trace
from model.inspect.replay import replay
from model.network.config import END

LENGTHS = (8, 16, 32, 64, 128, 256, 512)
ONE_LAYER = ["encoder.layers.0.self_attention.pattern"]


def resident() -> float:
    """Megabytes of memory this process holds now (Linux)."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6


def size(trace: Trace) -> float:
    return sum(array.nbytes for array in trace.points.values()) / 1e6


def main() -> None:
    options, translator = ask(__doc__, traces=2_000)
    rng = np.random.default_rng(0)

    def trace(length: int, keep: list[str] | None = None) -> Trace:
        ids = (*rng.integers(300, translator.config.vocabulary, length - 1).tolist(), END)
        tokens = translator.tokenizer.tokens(ids)
        return replay(translator.model, translator.tokenizer, tokens, ids, keep=keep)

    print("tokens      all kept        one layer's pattern")
    seconds, sizes = [], []
    for length in LENGTHS:
        best = best_times({"all": lambda n=length: trace(n), "one": lambda n=length: trace(n, ONE_LAYER)}, 5)
        seconds.append(best["all"])
        sizes.append(size(trace(length)))
        one = size(trace(length, ONE_LAYER))
        whole = f"{best['all'] * 1e3:8.1f} ms {sizes[-1]:7.1f} MB"
        print(f"{length:6} {whole} {best['one'] * 1e3:8.1f} ms {one:6.2f} MB")
    for name, values in (("time", seconds), ("memory", sizes)):
        slope = np.polyfit(np.log(LENGTHS[2:]), np.log(values[2:]), 1)[0]
        print(f"{name} grows with length to the power {slope:.2f} (from {LENGTHS[2]} tokens on)")

    for number in range(options.traces):
        trace(20)
        if number == 100:
            before = resident()
    print(f"resident memory after {options.traces:,} traces: {resident() - before:+.1f} MB (budget 20)")


if __name__ == "__main__":
    main()
