"""What to call the rows of the decoder: by the piece that each reads, or by the piece it predicts."""

from typing import NamedTuple

from model.inspect.target import Target

READINGS = ("read", "predicted")


class Reading(NamedTuple):
    pieces: tuple[str, ...]
    ids: tuple[int, ...]
    words: tuple[int, ...]


def reading(target: Target, which: str) -> Reading:
    """What to call decoder rows: row i reads piece i and predicts piece i + 1.

    The columns of decoder self-attention are always what was read.

    >>> target = Target(("<s>", "le"), ("le", "chat"), (1, 7), (7, 8), (-1, 0), (0, 1))
    >>> reading(target, "predicted")
    Reading(pieces=('le', 'chat'), ids=(7, 8), words=(0, 1))
    """
    if which not in READINGS:
        raise ValueError(f"a decoder row is named by {' or '.join(READINGS)}, not by {which!r}")
    return Reading(*(getattr(target, f"{which}{part}") for part in ("", "_ids", "_words")))
