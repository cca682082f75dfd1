"""What visitors share: bounded by memory, and made once however many ask at the same time."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

from viz.state.turns import TURNS

Kept = TypeVar("Kept")


class Shared(Generic[Kept]):
    """The latest by what was asked; the longest unused go when memory is short, but never the last one."""

    def __init__(self, most_bytes: int, size_of: Callable[[Kept], int]) -> None:
        self.most_bytes, self.size_of = most_bytes, size_of
        self._kept: OrderedDict[Hashable, tuple[Kept, int]] = OrderedDict()
        self._lock = threading.Lock()
        self._makers: dict[Hashable, threading.Lock] = {}

    def get(self, key: Hashable, make: Callable[[], Kept]) -> Kept:
        """What is kept under `key`, or a new one."""
        with self._lock:
            maker = self._makers.setdefault(key, threading.Lock())
        with maker:  # thirty visitors with one link wait for one run
            with self._lock:
                if key in self._kept:
                    self._kept.move_to_end(key)
                    self._makers.pop(key, None)
                    return self._kept[key][0]
            with TURNS.first():
                made = make()
            size = self.size_of(made)
            with self._lock:
                self._kept[key] = made, size
                self._makers.pop(key, None)
                gone = [*self._too_many()]
            if gone:
                self.dropped()
            return made

    def dropped(self) -> None:
        """Something had to go."""

    def forget(self, unwanted: Callable[[Any], bool]) -> None:
        """What is kept under such keys goes."""
        with self._lock:
            for key in filter(unwanted, [*self._kept]):
                del self._kept[key]

    def keys(self) -> set[Hashable]:
        with self._lock:
            return {*self._kept}

    @property
    def bytes(self) -> int:
        return sum(size for _, size in self._kept.values())

    def __len__(self) -> int:
        return len(self._kept)

    def _too_many(self) -> list[Hashable]:
        gone = []
        while self.bytes > self.most_bytes and len(self._kept) > 1:
            gone.append(self._kept.popitem(last=False)[0])
        return gone
