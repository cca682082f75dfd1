"""Runs that visitors share: bounded by memory, and made once however many ask at the same time.

A Trace is frozen and its arrays are read-only, so nobody needs a copy.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

from model import Trace
from viz.state.turns import TURNS

MOST_BYTES = 256 * 2**20


class TraceCache:
    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self._kept: OrderedDict[Hashable, tuple[Trace, int]] = OrderedDict()
        self._lock = threading.Lock()
        self._makers: dict[Hashable, threading.Lock] = {}

    def get(self, key: Hashable, make: Callable[[], Trace]) -> Trace:
        """The run kept under `key`, or a new one; the longest unused go when memory is short."""
        with self._lock:
            maker = self._makers.setdefault(key, threading.Lock())
        with maker:  # thirty visitors with one link wait for one run
            with self._lock:
                if key in self._kept:
                    self._kept.move_to_end(key)
                    self._makers.pop(key, None)
                    return self._kept[key][0]
            with TURNS.first():
                trace = make()
            size = sum(array.nbytes for array in trace.points.values())
            with self._lock:
                self._kept[key] = trace, size
                self._makers.pop(key, None)
                while self.bytes > self.most_bytes and len(self._kept) > 1:
                    self._kept.popitem(last=False)
            return trace

    @property
    def bytes(self) -> int:
        return sum(size for _, size in self._kept.values())

    def __len__(self) -> int:
        return len(self._kept)
