"""What a training that thirty visitors watch costs somebody who looks at a sentence meanwhile.

    python -m benchmarks.look_while_training

The p95 of translating and tracing a sentence, with a training under way in the same process and thirty
visitors asking for its frames twice a second, over the same without; taking turns. Streamlit is left out.
"""

import threading
import time

import numpy as np
import torch

from model import Translator, load
from model.training.toys.recipe import Recipe
from viz.state.trace_cache import TraceCache
from viz.state.trainings import Trainings

VISITORS, EVERY = 30, 0.5  # seconds
TURNS, LOOKS, MOST = 6, 40, 1.3
TEXT = "The boy didn't buy the shirt because it was too small."


class Class:
    """Thirty visitors on the page, for as long as the `with` lasts."""

    def __init__(self, seed: int) -> None:
        self.trainings, self.recipe, self.over = Trainings(), Recipe("dates", seed), threading.Event()

    def __enter__(self) -> "Class":
        self.thread = threading.Thread(target=self.ask)
        self.thread.start()
        while not (film := self.trainings.film_of(self.recipe)) or len(film.frames) < 2:
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.thread.join()
        for visitor in range(VISITORS):
            self.trainings.leave(str(visitor))
        while self.trainings.worker:
            time.sleep(0.01)

    def ask(self) -> None:
        while not self.over.is_set():
            for visitor in range(VISITORS):
                self.trainings.follow(str(visitor), [self.recipe])
                time.sleep(EVERY / VISITORS)


def looks(translator: Translator) -> list[float]:
    """Each as the app runs it, for somebody whose sentence nobody has asked for before."""
    times, kept = [], TraceCache()
    for number in range(LOOKS):
        began = time.perf_counter()
        kept.get(number, lambda: translator.trace(TEXT))
        times.append(time.perf_counter() - began)
        time.sleep(0.02)
    return times


def main() -> None:
    torch.set_num_threads(1)
    translator = load("en-fr")
    translator.trace(TEXT)
    alone: list[float] = []
    beside: list[float] = []
    for turn in range(TURNS):
        alone += looks(translator)
        with Class(turn):
            beside += looks(translator)
    for share in (50, 95):
        without, with_it = (float(np.percentile(times, share)) for times in (alone, beside))
        told = f"p{share}: alone {without * 1e3:.0f} ms, beside a training {with_it * 1e3:.0f} ms"
        print(f"{told}, {with_it / without:.2f} × {'✓' if with_it <= MOST * without else '✗'} (≤ {MOST})")


if __name__ == "__main__":
    main()
