"""One row's way through the tiles of its block, and how many scores exist at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from model.inspect.tiles import Block, Tile

TELLING = 0.5  # how much a tile leaves of what was summed before it, where one opens
MOST = 32  # tiles along either side: more of them nobody could point at
SIZES = (2, 4, 8, 16, 32, 64)


class Line(NamedTuple):
    """What one tile does to the chosen row."""

    columns: range
    largest: float  # score of this row in this tile; −∞ where it may not look
    before: float  # m
    most: float  # m
    rescale: float
    had: float  # ℓ
    added: float  # Σ e^(score − m) of this tile
    total: float  # ℓ
    mixed: np.ndarray  # (E) O


class Held(NamedTuple):
    """How many scores there are, how many of them exist at once, and how many tiles that takes."""

    plain: int
    tile: int
    computed: int
    skipped: int


@dataclass(frozen=True)
class Walk:
    """The blocks of a head, the row that is looked at, and how many of its tiles it has gone through."""

    blocks: tuple[Block, ...]
    columns: int  # K
    row: int
    at: int  # the tile; one more than there are: the division at the end

    @property
    def number(self) -> int:
        """Of the block that the row belongs to."""
        return next(place for place, block in enumerate(self.blocks) if self.row in block.rows)

    @property
    def block(self) -> Block:
        return self.blocks[self.number]

    @property
    def inside(self) -> int:
        """The row's place in its block."""
        return self.row - self.block.rows.start

    @property
    def tile(self) -> Tile | None:
        """The one that exists now; none while the sums are divided."""
        return self.block.tiles[self.at] if self.at < len(self.block.tiles) else None

    @property
    def lines(self) -> list[Line]:
        return [_line(tile, self.inside) for tile in self.block.tiles]

    @property
    def output(self) -> np.ndarray:  # (E)
        """O ÷ ℓ: what the head passes on for this row."""
        return self.block.mixed[self.inside]

    @property
    def weights(self) -> np.ndarray:  # (K)
        """The row's finished weights. No tile ever had them: they need the last m and the whole ℓ."""
        found = np.zeros(self.columns, np.float32)
        end = self.block.tiles[-1].after
        for tile in self.block.tiles:
            scores = tile.scores[self.inside] - end.most[self.inside]
            found[tile.columns] = np.exp(scores) / end.total[self.inside]
        return found

    @property
    def held(self) -> Held:
        rows = sum(len(block.rows) for block in self.blocks)
        computed = [tile.scores.size for block in self.blocks for tile in block.tiles]
        skipped = sum(len(block.skipped) for block in self.blocks)
        return Held(rows * self.columns, max(computed), len(computed), skipped)

    def difference(self, mixed: np.ndarray) -> float:
        """How far all rows of the head are, at most, from what the model itself has mixed: (Q, E)."""
        return max(float(abs(block.mixed - mixed[block.rows]).max()) for block in self.blocks)


def walk(
    blocks: tuple[Block, ...], columns: int, row: int | None, at: int | None, words: Sequence[bool]
) -> Walk:
    """The chosen row and tile; else a word, and the tile that takes about half of what it had summed."""
    rows = sum(len(block.rows) for block in blocks)
    if row is None or row >= rows:
        spoken = [place for place in range(rows) if words[place]] or list(range(rows))
        row = min(spoken, key=lambda place: _telling(blocks, place)[0])
    if at is None:
        at = _telling(blocks, row)[1]
    started = Walk(blocks, columns, row, 0)
    return Walk(blocks, columns, row, min(at, len(started.block.tiles)))


def offered(rows: int, columns: int) -> tuple[list[int], list[int]]:
    """How high and how wide tiles may be: not so small that there would be too many of them.

    >>> offered(9, 200)
    ([2, 4, 8, 16, 32, 64], [8, 16, 32, 64])
    """
    high, wide = (
        [size for size in SIZES if size * MOST >= count] or [SIZES[-1]] for count in (rows, columns)
    )
    return high, wide


def _telling(blocks: Sequence[Block], row: int) -> tuple[float, int]:
    """How far the best tile of this row is from leaving half, and which it is; the last if none rescales."""
    block = next(each for each in blocks if row in each.rows)
    left = [float(tile.rescale[row - block.rows.start]) for tile in block.tiles]
    places = [place for place, share in enumerate(left) if place and 0 < share < 1]
    if not places:
        return 1.0, len(left) - 1
    best = min(places, key=lambda place: abs(left[place] - TELLING))
    return abs(left[best] - TELLING), best


def _line(tile: Tile, inside: int) -> Line:
    before, after = tile.before, tile.after
    return Line(
        tile.columns, float(tile.scores[inside].max()), float(before.most[inside]), float(after.most[inside]),
        float(tile.rescale[inside]), float(before.total[inside]), float(tile.weights[inside].sum()),
        float(after.total[inside]), after.mixed[inside],
    )  # fmt: skip
