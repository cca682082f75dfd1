"""Thirty threads on the shipped checkpoint, each with its own sentences and edits.

    python -m benchmarks.thirty_at_once

Prints the largest difference from the same run done alone, and how far each edit moves its arrays.
"""

import threading
import time

import numpy as np
import torch

from model import Trace, load
from model.inspect import edits

THREADS, ROUNDS = 30, 5
WORDS = [
    "the",
    "old",
    "cat",
    "my",
    "sister",
    "a",
    "red",
    "house",
    "often",
    "sees",
    "likes",
    "the",
    "garden",
    "today",
    "and",
    "we",
    "never",
    "talk",
    "about",
    "it",
]


def sentence(user: int) -> str:
    return " ".join(WORDS[(user * 7 + place * 3) % len(WORDS)] for place in range(6 + user % 5)) + "."


def edit_of(user: int) -> edits.Edit:
    return edits.Scale(f"encoder.layers.{user % 4}.self_attention", user % 8, 3.0)


def distance(first: Trace, second: Trace) -> float:
    return max(
        float(np.abs(first.points[path] - second.points[path]).max())
        for path in first.points
        if not path.endswith(".mask")
    )


def main() -> None:
    torch.set_num_threads(1)
    translator = load("en-fr")
    targets = [translator.translate(sentence(user)).text or "." for user in range(THREADS)]

    def run(user: int, edited: bool) -> Trace:
        return translator.trace(sentence(user), targets[user], [edit_of(user)] if edited else [])

    alone = {(user, edited): run(user, edited) for user in range(THREADS) for edited in (True, False)}
    moved = min(distance(alone[user, True], alone[user, False]) for user in range(THREADS))
    start, far = threading.Barrier(THREADS + 1), []

    def visit(user: int) -> None:
        start.wait()
        for round in range(ROUNDS):
            edited = (user + round) % 2 == 0
            far.append(distance(run(user, edited), alone[user, edited]))

    threads = [threading.Thread(target=visit, args=(user,)) for user in range(THREADS)]
    for thread in threads:
        thread.start()
    start.wait()
    began = time.perf_counter()
    for thread in threads:
        thread.join()
    each = (time.perf_counter() - began) / len(far) * 1e3
    print(f"{len(far)} traces by {THREADS} threads, {each:.0f} ms each")
    print(f"largest difference from the same run alone: {max(far):.1e} (limit 1e-5)")
    print(f"smallest movement by an edit: {moved:.1e} (must exceed 1e-2)")


if __name__ == "__main__":
    main()
