"""Who goes first where Python runs one thread at a time: a visitor's sentence, before a training.

Whoever computes for somebody who waits says so with `first`; whoever trains gives way between its steps.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

NAP = 0.001  # seconds between steps in any case: all else that the page does needs a turn as well
LONGEST = 0.1  # seconds that one step waits at most: where somebody always looks, training goes on slowly


class Turns:
    """How many run first just now."""

    def __init__(self) -> None:
        self.running, self.lock = 0, threading.Lock()

    @contextmanager
    def first(self) -> Iterator[None]:
        with self.lock:
            self.running += 1
        try:
            yield
        finally:
            with self.lock:
                self.running -= 1

    def give_way(self) -> None:
        end = time.monotonic() + LONGEST
        time.sleep(NAP)
        while self.running and time.monotonic() < end:
            time.sleep(NAP)


TURNS = Turns()
