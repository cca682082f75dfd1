"""Models in memory: each loaded once for all visitors, and gone again when others need the room."""

import os

from model import Translator
from viz.state.shared import Shared
from viz.state.trace_cache import forget_all_but

VARIABLE, MEGABYTES = "HEADLIGHT_MODELS_MB", 2048
PACKED = 1.5  # of what the weights take: half as much again for their products (model/decoding/products.py)


class Models(Shared[Translator]):
    """By folder, and whether it is the untrained twin."""

    def __init__(self, most_bytes: int | None = None) -> None:
        super().__init__(most() if most_bytes is None else most_bytes, size_of)

    def dropped(self) -> None:
        forget_all_but(self.keys())


def size_of(translator: Translator) -> int:
    """Bytes in memory, about."""
    return int(PACKED * sum(weight.nbytes for weight in translator.model.parameters()))


def most() -> int:
    """Bytes that all models together may take; a single one may take more."""
    said = os.environ.get(VARIABLE, str(MEGABYTES))
    if not (said.isascii() and said.isdigit()):
        raise ValueError(f"{VARIABLE} is a number of megabytes, not {said!r}")
    return int(said) * 2**20
