"""Findings that took a while, shared by all visitors: the same question about the same sentence once."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

MOST = 256  # findings are small arrays


class Kept:
    """The latest findings by what was asked; the longest unused go first."""

    def __init__(self, most: int = MOST) -> None:
        self.most, self._lock = most, threading.Lock()
        self._found: OrderedDict[Hashable, Any] = OrderedDict()

    def get(self, question: Hashable) -> Any | None:
        with self._lock:
            if question in self._found:
                self._found.move_to_end(question)
            return self._found.get(question)

    def put(self, question: Hashable, finding: Any) -> Any:
        with self._lock:
            self._found[question] = finding
            while len(self._found) > self.most:
                self._found.popitem(last=False)
        return finding
