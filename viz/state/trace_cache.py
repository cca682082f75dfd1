"""Runs that visitors share.

A Trace is frozen and its arrays are read-only, so nobody needs a copy. It points at its model: once that has
gone its runs go with it, or memory would hold both. So each key begins with the two parts of the model's:
its folder, and whether it is the untrained twin.
"""

from collections.abc import Collection, Hashable
from weakref import WeakSet

from model import Trace
from viz.state.shared import Shared

MOST_BYTES = 256 * 2**20


class TraceCache(Shared[Trace]):
    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        super().__init__(most_bytes, lambda trace: sum(array.nbytes for array in trace.points.values()))
        _every.add(self)


def forget_all_but(models: Collection[Hashable]) -> None:
    """Forget the runs of models that have gone."""
    for cache in list(_every):
        cache.forget(lambda key: key[:2] not in models)


_every: WeakSet[TraceCache] = WeakSet()
