"""A text as passages: what a model reads from an empty memory to a full one.

The order of its lines is what memory lives on, so lines are never shuffled, only whole passages are.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np

from model.text.spelling import has_something_to_see, normalise
from model.text.tokenizer import Tokenizer

SEGMENTS = 16  # of a passage; then the memory is emptied, so that a model also learns how texts begin


def read_lines(path: Path) -> list[str]:
    """The lines of a continuous text, one sentence each, in their order; blank ones left out."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not UTF-8") from None
    return [line for line in map(normalise, lines) if has_something_to_see(line)]


def passages(lines: Sequence[str], tokenizer: Tokenizer, segment: int) -> np.ndarray:
    """The text cut into rows (N, SEGMENTS · segment + 1); a row ends with the piece the next begins with."""
    ids = np.fromiter(chain.from_iterable(tokenizer.ids(lines)), np.int64)
    length = SEGMENTS * segment
    count = (len(ids) - 1) // length
    if count < 1:
        raise ValueError(f"the text has {len(ids):,} pieces; a passage takes {length + 1:,}")
    return np.stack([ids[row * length : (row + 1) * length + 1] for row in range(count)])


def segments(rows: np.ndarray, segment: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """What is read and what is to be predicted, both (N, segment), one segment after the other."""
    for start in range(0, rows.shape[1] - 1, segment):
        yield rows[:, start : start + segment], rows[:, start + 1 : start + segment + 1]


def chosen(count: int, streams: int, seed: int, chapter: int) -> np.ndarray:
    """The passages that are read side by side in this chapter: a function of seed and number alone.

    >>> sorted(np.concatenate([chosen(6, 2, seed=1, chapter=number) for number in range(3)]).tolist())
    [0, 1, 2, 3, 4, 5]
    """
    each = count // streams
    if not each:
        raise ValueError(f"the text has {count} passages; {streams} are read side by side")
    epoch, place = divmod(chapter, each)
    order = np.random.default_rng((seed, epoch)).permutation(count)
    return order[place * streams : (place + 1) * streams]
