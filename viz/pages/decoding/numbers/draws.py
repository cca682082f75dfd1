"""Many drawn translations as a tree: what begins alike is one branch, and each branch has its count."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from model.decoding.search import Hypothesis

ROWS, LEVELS = 25, 7  # of the tree that is drawn
EXAMPLES = 12  # rows up to which single translations are shown

Ids = tuple[int, ...]


@dataclass(frozen=True)
class Leaf:
    """One translation and how often it was drawn."""

    ids: Ids
    text: str
    pieces: tuple[str, ...]
    log_prob: float  # the model's own, of the whole of it
    count: int


@dataclass(frozen=True)
class Branch:
    """Tokens in a row that most of the draws share which took the first of them, and how those go on.

    Draws that leave it on the way, and continuations that few take, are `folded`: every draw of a branch is
    in one of its children or among them, or ends with it.
    """

    start: int  # its tokens are those of `own` from here
    end: int  # to here
    own: Leaf  # a translation that takes the whole of it
    count: int  # draws that take its first token
    children: "tuple[Branch, ...]" = ()  # most frequent first
    folded: tuple[Leaf, ...] = ()

    @property
    def pieces(self) -> tuple[str, ...]:
        return self.own.pieces[self.start : self.end]

    @property
    def ids(self) -> Ids:
        """All tokens up to its end."""
        return self.own.ids[: self.end]

    @property
    def ends(self) -> bool:
        """Whether it is the end of one translation."""
        return not self.children and not self.folded

    @property
    def rows(self) -> int:
        """How many lines it takes to draw it."""
        return max(1, sum(child.rows for child in self.children) + bool(self.folded))

    @property
    def levels(self) -> int:
        return 1 + max((child.levels for child in self.children), default=int(bool(self.folded)))


class Tally(NamedTuple):
    """What a hundred draws have in common."""

    drawn: int
    different: int
    most: int  # how often the most frequent was drawn
    frequent: str  # its text
    greedy: int  # how often the greedy translation was drawn


def leaves(drawn: Sequence[Hypothesis]) -> list[Leaf]:
    """Every different translation once, the most frequent first, then in the order of the draws."""
    counts = Counter(each.ids for each in drawn)
    first = {each.ids: each for each in reversed(drawn)}
    return [
        Leaf(ids, first[ids].text, first[ids].pieces, float(sum(first[ids].log_probs)), count)
        for ids, count in counts.most_common()
    ]


def tally(found: Sequence[Leaf], greedy: str) -> Tally:
    """Translations are counted as readers compare them: by their text."""
    counts: Counter[str] = Counter()
    for leaf in found:
        counts[leaf.text] += leaf.count
    ((frequent, most),) = counts.most_common(1)
    return Tally(counts.total(), len(counts), most, frequent, counts[greedy])


def tree(found: Sequence[Leaf], rows: int = ROWS, levels: int = LEVELS) -> Branch:
    """All draws; rare ways are folded, the fewer the better, until it has so many rows and levels."""
    for least in range(1, 1 + sum(leaf.count for leaf in found)):
        root = _branch(tuple(found), 0, least)
        if root.rows <= rows and root.levels <= levels:
            break
    return _unfolded(root)


def parting(ids: Ids, other: Ids) -> int | None:
    """The first step at which two translations differ; None where they do not.

    >>> parting((5, 6, 2), (5, 7, 2)), parting((5, 2), (5, 2))
    (1, None)
    """
    pairs = enumerate(zip(ids, other, strict=False))
    found = next((step for step, (one, two) in pairs if one != two), None)
    return min(len(ids), len(other)) if found is None and len(ids) != len(other) else found


def _branch(found: tuple[Leaf, ...], start: int, least: int) -> Branch:
    """All of these share their tokens up to `start`; a way that fewer than `least` draws take is rare."""
    total = sum(leaf.count for leaf in found)
    left: tuple[Leaf, ...] = ()
    end, going = start, found
    while len(going) > 1 or left:
        ways = _ways(going, end)
        common = [way for way in ways if _count(way) >= least or len(ways) == 1]
        # Where some have left, the end of the others is a branch: its count is not that of this one.
        if len(common) != 1 or (end + 1 >= len(common[0][0].ids) and (left or len(ways) > 1)):
            break
        left += tuple(leaf for way in ways if way is not common[0] for leaf in way)
        going, end = common[0], end + 1
    else:
        return Branch(start, len(found[0].ids), found[0], total)
    children = tuple(_branch(way, end, least) for way in common)
    rare = tuple(leaf for way in ways if way not in common for leaf in way)
    if len(rare) == 1 and not left:  # it takes no more room than to say that it is there
        return Branch(start, end, going[0], total, (*children, _alone(rare[0], end)))
    return Branch(start, end, going[0], total, children, _sorted(left + rare))


def _alone(leaf: Leaf, start: int) -> Branch:
    return Branch(start, len(leaf.ids), leaf, leaf.count)


def _ways(found: tuple[Leaf, ...], at: int) -> list[tuple[Leaf, ...]]:
    """Translations grouped by the token that they have there, the most frequent group first."""
    groups: dict[int, list[Leaf]] = {}
    for leaf in found:
        groups.setdefault(leaf.ids[at] if at < len(leaf.ids) else -1, []).append(leaf)
    return sorted((tuple(group) for group in groups.values()), key=lambda way: -_count(way))


def _unfolded(root: Branch) -> Branch:
    """Where all are rare, some examples: those that part from each other where the root ends."""
    if root.rows >= EXAMPLES:
        return root
    here = [leaf for leaf in root.folded if leaf.ids[: root.end] == root.ids and not _shares(leaf, root)]
    shown = here[: EXAMPLES - root.rows]
    more = tuple(_alone(leaf, root.end) for leaf in shown)
    folded = tuple(leaf for leaf in root.folded if leaf not in shown)
    return replace(root, children=root.children + more, folded=folded)


def _shares(leaf: Leaf, root: Branch) -> bool:
    """Whether another one goes on with the same token."""
    others = (each for each in root.folded if each is not leaf and each.ids[: root.end] == root.ids)
    return any(each.ids[root.end : root.end + 1] == leaf.ids[root.end : root.end + 1] for each in others)


def _sorted(found: tuple[Leaf, ...]) -> tuple[Leaf, ...]:
    return tuple(sorted(found, key=lambda leaf: -leaf.count))


def _count(found: Sequence[Leaf]) -> int:
    return sum(leaf.count for leaf in found)
