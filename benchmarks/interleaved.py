"""Timing on a noisy machine: the contestants take turns, and each keeps its best round."""

import time
from collections.abc import Callable, Mapping


def best_times(contestants: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Seconds of each contestant's fastest round, after one round that does not count."""
    best = dict.fromkeys(contestants, float("inf"))
    for round in range(rounds + 1):
        for name, work in contestants.items():
            began = time.perf_counter()
            work()
            if round:
                best[name] = min(best[name], time.perf_counter() - began)
    return best


def report(best: Mapping[str, float], reference: str) -> None:
    """One line a contestant: its time, and its time over the reference's."""
    for name, seconds in best.items():
        print(f"{name:28} {seconds * 1e3:9.1f} ms   {seconds / best[reference]:5.2f} × {reference}")
