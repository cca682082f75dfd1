"""How far a long job is, on stderr: a bar on a terminal, one line per minute elsewhere."""

import sys
from typing import NoReturn

from tqdm import tqdm

LINE_EVERY = 60.0  # seconds, where nobody watches a bar move


def progress(total: int, done: int = 0, name: str | None = None, shown: bool = True) -> "tqdm[NoReturn]":
    """A bar of `total` steps, of which some may be done already; `shown` is False for all but one process."""
    every = 0.1 if sys.stderr.isatty() else LINE_EVERY
    return tqdm(
        total=total, initial=done, desc=name, disable=not shown, dynamic_ncols=True,
        mininterval=every, maxinterval=max(10.0, every),
    )  # fmt: skip
