"""Where the nodes of a search stand when they are drawn: which of them, in which row, next to whom.

A step is a column. Its nodes stand in the order of their parents, so that no branch crosses another.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from viz.pages.decoding.numbers.beam import ROOT, Tree

WIDE_BEAM = 6  # from which on there is less room for what was cut
WINNER, STAYED, CUT = 12.0, 3.0, 1.0  # how much each wants to stand where its parent stands


@dataclass(frozen=True)
class Rows:
    columns: list[list[int]]  # the nodes that are drawn of each step, from above
    rows: dict[int, float]  # of each node that is drawn, and of the root
    count: int  # of rows
    hidden: list[int]  # how many more were cut at each step


def near(size: int) -> int:
    """How many of those that were cut are drawn at each step: those that missed by least."""
    return 3 if size < WIDE_BEAM else 2


def arrange(tree: Tree, best: int, chosen: int, size: int) -> Rows:
    """All that stayed, of those that were cut the nearest misses, and the chosen one."""
    winner = set(tree.path(best))
    shown = [
        {*tree.stayed(step), *tree.pruned(step)[: near(size)]} | ({chosen} & set(tree.steps[step]))
        for step in range(len(tree.steps))
    ]
    count = max(map(len, shown))
    rows: dict[int, float] = {ROOT: (count - 1) / 2}
    columns = []
    for drawn in shown:
        column = sorted(drawn, key=lambda each: (rows[tree.nodes[each].parent], each))
        weights = [
            WINNER if each in winner else CUT if tree.nodes[each].fate == "pruned" else STAYED
            for each in column
        ]
        placed = spread([rows[tree.nodes[each].parent] for each in column], weights, count)
        rows |= dict(zip(column, placed, strict=True))
        columns.append(column)
    hidden = [len(tree.steps[step]) - len(column) for step, column in enumerate(columns)]
    return Rows(columns, rows, count, hidden)


def spread(wanted: Sequence[float], weights: Sequence[float], count: int) -> list[float]:
    """Rows as near as possible to those that are wanted, in this order, one row apart, within `count` rows.

    >>> spread([1.0, 1.0, 1.0], [1.0, 1.0, 1.0], 5), spread([0.0, 3.0], [1.0, 1.0], 4)
    ([0.0, 1.0, 2.0], [0.0, 3.0])
    """
    blocks: list[tuple[float, float, int]] = []  # where it begins, its weight, how many stand in it
    for place, (row, weight) in enumerate(zip(wanted, weights, strict=True)):
        block = row - place, weight, 1
        while blocks and blocks[-1][0] > block[0]:
            before = blocks.pop()
            heavy = before[1] + block[1]
            block = (before[0] * before[1] + block[0] * block[1]) / heavy, heavy, before[2] + block[2]
        blocks.append(block)
    most = float(count - len(wanted))
    begins = [min(max(begin, 0.0), most) for begin, _, size in blocks for _ in range(size)]
    return [begin + place for place, begin in enumerate(begins)]


def window(step: int, count: int, columns: int) -> range:
    """The steps that are drawn where there is room for so many columns: around the one that is looked at.

    >>> window(2, 30, 12), window(20, 30, 12), window(3, 9, 12)
    (range(0, 12), range(14, 26), range(0, 9))
    """
    first = max(0, min(step - columns // 2, count - columns))
    return range(first, min(count, first + columns))


def neighbours(tree: Tree, placed: Rows, place: int) -> dict[str, int]:
    """Who stands next to a node, by the arrow that leads there: parent, best child, and the column."""
    node = tree.nodes[place]
    column = placed.columns[node.step]
    at = column.index(place)
    found = {"ArrowLeft": node.parent} if node.parent != ROOT else {}
    if place in tree.children:  # perhaps one that is not drawn: whoever goes there sees it
        found["ArrowRight"] = tree.children[place][0]
    if at:
        found["ArrowUp"] = column[at - 1]
    if at + 1 < len(column):
        found["ArrowDown"] = column[at + 1]
    return found
