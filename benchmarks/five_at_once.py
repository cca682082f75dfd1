"""One sentence by all five small networks, beside the same sentence by the model on screen; warm, one thread.

    python -m benchmarks.five_at_once

Each of twenty sentences is written by each of the five, then read by all of them as the page does it to show
where they look. Sentences are new in every round: nothing is kept.
"""

import statistics
import time

from benchmarks.enter_to_heatmap import SENTENCES
from benchmarks.options import ask
from model.rivals import RIVALS
from model.rivals.rival import load_rival

BUDGET = 1_000  # milliseconds


def main() -> None:
    _, translator = ask(__doc__)
    rivals = [load_rival(name) for name in RIVALS]
    for each in (translator, *rivals):
        each.translate(SENTENCES[0])
    ours, theirs, looking = [], [], []
    for text in SENTENCES:
        begin = time.perf_counter()
        translator.translate(text)
        ours.append(time.perf_counter() - begin)
        begin = time.perf_counter()
        written = [rival.translate(text) for rival in rivals]
        theirs.append(time.perf_counter() - begin)
        begin = time.perf_counter()
        for rival in rivals:
            rival.trace(text, written[-1].ids)
        looking.append(time.perf_counter() - begin)
    middle, mine = (1e3 * statistics.median(each) for each in (theirs, ours))
    longest = 1e3 * max(theirs)
    print(f"all five write      {middle:6.0f} ms, longest {longest:.0f} (budget {BUDGET})")
    print(f"all five look       {1e3 * statistics.median(looking):6.0f} ms")
    print(f"the model on screen {mine:6.0f} ms: {middle / mine:.1f} times")


if __name__ == "__main__":
    main()
