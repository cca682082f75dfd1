"""What a recorded beam search says of itself: who was cut and why, and how its translations rank.

Nothing is searched again here: every number is the record's own, or a sum, difference or quotient of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from model.decoding.beam import Beam, Node
from model.decoding.search import length_penalty

ROOT = -1  # the parent of what stands at the first step


class Cut(NamedTuple):
    """Why a branch died: there was only room for those with a higher total."""

    total: float
    worst: float  # the lowest total among those that stayed at its step
    short: float  # how far it falls short of it


class Ranked(NamedTuple):
    """A finished translation in the final ranking, under the paper's divisor and under Hugging Face's."""

    node: int  # its last token
    text: str
    finished: bool
    total: float
    length: int
    paper: float  # ((5 + n) / 6) ** strength: what we rank by
    score: float
    plain: float  # n ** strength
    plain_score: float
    plain_rank: int  # from 1


@dataclass(frozen=True)
class Tree:
    """The nodes of a search by their place in the record; those of a step stand best first."""

    nodes: tuple[Node, ...]

    @cached_property
    def steps(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in range(self.nodes[-1].step + 1)]
        for place, node in enumerate(self.nodes):
            found[node.step].append(place)
        return found

    @cached_property
    def children(self) -> dict[int, list[int]]:
        """Of every node that was continued, best first."""
        found: dict[int, list[int]] = {}
        for place, node in enumerate(self.nodes):
            found.setdefault(node.parent, []).append(place)
        return found

    def stayed(self, step: int) -> list[int]:
        """Kept or ended: those that were not cut."""
        return [place for place in self.steps[step] if self.nodes[place].fate != "pruned"]

    def pruned(self, step: int) -> list[int]:
        return [place for place in self.steps[step] if self.nodes[place].fate == "pruned"]

    def path(self, place: int) -> tuple[int, ...]:
        """The nodes from the first step to this one."""
        found = []
        while place != ROOT:
            found.append(place)
            place = self.nodes[place].parent
        return tuple(reversed(found))

    def ids(self, place: int) -> tuple[int, ...]:
        return tuple(self.nodes[each].id for each in self.path(place))

    def cut(self, place: int) -> Cut | None:
        """None: it was not cut."""
        node = self.nodes[place]
        if node.fate != "pruned":
            return None
        worst = min(self.nodes[each].total for each in self.stayed(node.step))
        return Cut(node.total, worst, worst - node.total)

    def nearest_miss(self, step: int | None = None) -> int | None:
        """The branch that was cut by the least, at a step or anywhere; None: nothing was cut."""
        steps = range(len(self.steps)) if step is None else (step,)
        missed = [(cut.short, place) for each in steps for place in self.pruned(each)[:1]
                  if (cut := self.cut(place))]  # fmt: skip
        return min(missed)[1] if missed else None

    def follow(self, ids: Sequence[int]) -> int:
        """The last node of the tree on the way of these ids; ROOT where not even the first was considered."""
        place = ROOT
        for id in ids:
            further = [each for each in self.children.get(place, ()) if self.nodes[each].id == id]
            if not further:
                break
            (place,) = further
        return place


def looked_at(tree: Tree, best: int, node: int | None, step: int | None, greedy: Sequence[int] = ()) -> int:
    """The node that is chosen; else the nearest miss of the step; else where the best left greedy's way.

    Where it did not, the nearest miss of all. A node of another search may stand in a link or have been
    chosen before: it counts only at its own step.
    """
    if node is not None and node < len(tree.nodes) and step in (None, tree.nodes[node].step):
        return node
    way = tree.path(best)
    if step is not None:
        step = min(step, len(tree.steps) - 1)
        missed = tree.nearest_miss(step)
        return missed if missed is not None else way[min(step, len(way) - 1)]
    parted = [each for each, id in zip(way, greedy, strict=False) if tree.nodes[each].id != id]
    missed = tree.nearest_miss()
    return parted[0] if parted else best if missed is None else missed


def ranking(beam: Beam, tree: Tree, strength: float) -> list[Ranked]:
    """The translations as the search ranked them; and where Hugging Face's divisor would put each."""
    found = []
    for hypothesis in beam.hypotheses:
        node, length = tree.follow(hypothesis.ids), len(hypothesis.ids)
        total, plain = tree.nodes[node].total, length**strength
        about = node, hypothesis.text, hypothesis.finished, total, length
        paper = length_penalty(length, strength)
        found.append(Ranked(*about, paper, hypothesis.score, plain, total / plain, 0))
    order = sorted(found, key=lambda each: (not each.finished, -each.plain_score))
    return [each._replace(plain_rank=order.index(each) + 1) for each in found]
