"""The KV cache in numbers: what one step computes and reuses, and how the rows of a beam change places."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from model.decoding.beam import Node
from model.decoding.remembered import multiplications
from model.network.config import Config


@dataclass(frozen=True)
class Kept:
    """Keys and values around one step, which has read `read` target positions and `source` source ones.

    A position has a key and a value in each layer, each as wide as the model.
    """

    read: int
    source: int
    layers: int
    width: int
    item: int  # bytes of one number

    @property
    def position(self) -> int:
        """Numbers that one position brings."""
        return 2 * self.layers * self.width

    @property
    def new_source(self) -> int:
        """Source positions that this step computes: all at the first step, none ever after."""
        return self.source if self.read == 1 else 0

    @property
    def computed(self) -> int:
        return self.position * (1 + self.new_source)

    @property
    def reused(self) -> int:
        return self.position * (self.read - 1 + self.source - self.new_source)

    @property
    def without(self) -> int:
        """What a step computes that remembers nothing."""
        return self.position * (self.read + self.source)

    @property
    def own_bytes(self) -> int:
        return self.position * self.read * self.item

    @property
    def source_bytes(self) -> int:
        return self.position * self.source * self.item


def rows_of(nodes: Sequence[Node]) -> list[list[int]]:
    """For each step of a recorded beam, the row that each living row continues.

    It is what the cache is reordered by before the next token is read; at first there is one row.
    """
    before, found = [-1], []
    for step in range(max((node.step for node in nodes), default=-1) + 1):
        live = living(nodes, step)
        found.append([before.index(nodes[place].parent) for place in live])
        before = live
    return found if not found or found[-1] else found[:-1]


def living(nodes: Sequence[Node], step: int) -> list[int]:
    """The nodes that go on after this step, in the order of their rows."""
    return [place for place, node in enumerate(nodes) if node.step == step and node.fate == "kept"]


@dataclass(frozen=True)
class Change:
    """What one step does to the rows of the cache."""

    moved: int  # rows that come from another place
    copied: int  # rows that are there once more
    dropped: int  # rows that nobody continues


def change(rows: Sequence[int], before: int) -> Change:
    """
    >>> change([0, 0, 2], 3)
    Change(moved=1, copied=1, dropped=1)
    """
    moved = sum(place != row for place, row in enumerate(rows))
    return Change(moved, len(rows) - len(set(rows)), before - len(set(rows)))


def changes(rows: Sequence[Sequence[int]]) -> list[Change]:
    """Of every step after the first, which only copies the one row there is."""
    return [change(here, len(before)) for before, here in pairwise(rows)]


def window(count: int, at: int, most: int) -> range:
    """At most so many places, around one of them.

    >>> window(5, 4, 9), window(100, 50, 10), window(100, 99, 10)
    (range(0, 5), range(45, 55), range(90, 100))
    """
    first = max(0, min(at - most // 2, count - most))
    return range(first, min(count, first + most))


def formula(config: Config, step: int, source: int, words: tuple[str, str]) -> str:
    """The multiplications of one step in LaTeX, with its numbers: with the cache, and without."""
    d, keys, layers = config.width, step + 1, config.depth("decoder")
    # A telephone has room for half a line.
    row = rf"6\cdot {d}^2 + 2\cdot {d}\,({keys} + {source})\\ &\quad + 2\cdot {d}\cdot {config.hidden}"
    made = rf"2\cdot {source}\cdot {d}^2"
    inside = {
        True: rf"{row} + {made}" if step == 0 else row,
        False: rf"{keys}\,({row}) + {made}",
    }
    words_of = rf"{d}\cdot {config.vocabulary}"
    lines = [
        rf"&\text{{{word}:}}\\ &{layers}\,\bigl({inside[cached]}\bigr)\\ "
        rf"&\quad + {words_of} = {grouped(multiplications(config, step, source, cached).total)}"
        for word, cached in zip(words, (True, False), strict=True)
    ]
    return r"\begin{aligned}" + r"\\ ".join(lines) + r"\end{aligned}"


def grouped(number: int) -> str:
    """
    >>> grouped(1234567)
    '1{,}234{,}567'
    """
    return f"{number:,}".replace(",", "{,}")
