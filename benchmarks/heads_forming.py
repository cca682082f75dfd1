"""How long heads take to form with the usual settings: the toy grammar and copy, solved and readable.

    python -m benchmarks.heads_forming [--seeds N]

On one thread, as the app trains. "first" is the time to the second frame, when pictures move; on a busy
machine the processor's own seconds, in brackets, say more about the work.
"""

import argparse
import time

import torch

from model.training.toys.film import READABLE, SOLVED
from model.training.toys.lesson import Lesson
from model.training.toys.recipe import Recipe

BUDGET, FIRST = 10.0, 1.0  # seconds


Times = tuple[float, float]  # by the clock, and of the processor


def seconds(recipe: Recipe) -> dict[str, Times | None]:
    """From the start to the second frame, to the first that is solved, and to the first that is readable."""
    began, busy = time.perf_counter(), time.process_time()
    found: dict[str, Times | None] = {"first": None, "solved": None, "readable": None}
    for frame in Lesson(recipe).frames():
        now = time.perf_counter() - began, time.process_time() - busy
        reached = {
            "first": frame.step > 0,
            "solved": frame.accuracy >= SOLVED,
            "readable": frame.readable >= READABLE,
        }
        for name, there in reached.items():
            if there and found[name] is None:
                found[name] = now
        if None not in found.values():
            break
    return found


def written(times: Times | None) -> str:
    return "never" if times is None else f"{times[0]:.1f} s ({times[1]:.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    torch.set_num_threads(1)
    assert [*Lesson(Recipe(), 5).frames()]  # what is done once for the whole process
    for task in ("grammar", "copy"):
        for seed in range(options.seeds):
            found = seconds(Recipe(task, seed))
            fine = all(each and each[0] <= BUDGET for each in found.values())
            fine = fine and bool(found["first"] and found["first"][0] <= FIRST)
            told = ", ".join(f"{name} {written(each)}" for name, each in found.items())
            print(f"{task}, seed {seed}: {told}  {'✓' if fine else '✗'} (≤ {BUDGET:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
