"""Beam search that remembers what it threw away, because a page draws the tree.

The beam narrows by one whenever a translation ends, so a beam of one is greedy decoding.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from model.decoding.search import (
    Alternatives,
    Hypothesis,
    Run,
    best_of,
    length_limit,
    length_penalty,
)
from model.network.config import END, START
from model.network.seq2seq import Seq2Seq


@dataclass(frozen=True)
class Node:
    """One piece that was considered, at place `step` of a translation."""

    parent: int  # index of the node it continues; -1 at the first step
    step: int
    id: int
    log_prob: float
    total: float  # sum of log-probabilities from the first piece to this one
    fate: str  # "kept" | "pruned": too many were better | "finished" | "unfinished": at the limit


@dataclass(frozen=True)
class Beam:
    """The best translations, best first, and every node of the search in the order it was made."""

    hypotheses: tuple[Hypothesis, ...]
    nodes: tuple[Node, ...]


@torch.inference_mode()
def beam_search(
    model: Seq2Seq,
    sources: Sequence[Sequence[int]],
    size: int = 4,
    penalty: float = 0.6,
    prefixes: Sequence[Sequence[int]] | None = None,
    cached: bool = True,
) -> list[Beam]:
    """Follow the `size` likeliest beginnings of each sentence at once (paper, section 6.1)."""
    if size < 1:
        raise ValueError(f"a beam holds at least 1 translation, not {size}")
    prefixes = prefixes or [()] * len(sources)
    searches = [
        _Search(size, tuple(prefix), length_limit(model, source, prefix))
        for source, prefix in zip(sources, prefixes, strict=True)
    ]
    longest = max((search.limit for search in searches), default=0)
    run, read = Run(model, sources, cached, longest), [START] * len(sources)
    owners = list(range(len(sources)))  # the sentence of each row
    while owners:
        log_probs = run.step(read).cpu()
        rows, read, going = [], [], []
        for sentence in dict.fromkeys(owners):
            first = owners.index(sentence)
            for row, id in searches[sentence].grow(log_probs[first : first + owners.count(sentence)]):
                rows.append(first + row)
                read.append(id)
                going.append(sentence)
        if rows and rows != list(range(len(owners))):
            run.select(rows)
        owners = going
    return [search.result(penalty) for search in searches]


@dataclass
class _Search:
    """The tree of one sentence while it grows."""

    size: int
    prefix: tuple[int, ...]
    limit: int
    nodes: list[Node] = field(default_factory=list)
    live: list[int] = field(default_factory=lambda: [-1])  # node of each row; -1 is the root
    after: dict[int, Alternatives] = field(default_factory=dict)
    ended: list[int] = field(default_factory=list)

    def grow(self, log_probs: Tensor) -> list[tuple[int, int]]:  # (rows, V)
        """Continue every live row by one piece; returns which row continues with which id."""
        step = self.nodes[self.live[0]].step + 1 if self.live[0] >= 0 else 0
        best = best_of(log_probs)
        candidates = []  # (total, row, id, log_prob)
        for row, parent in enumerate(self.live):
            total = self.nodes[parent].total if parent >= 0 else 0.0
            self.after[parent] = best[row]
            for id, log_prob in self._continuations(step, log_probs[row]):
                candidates.append((total + log_prob, row, id, log_prob))
        candidates.sort(key=lambda candidate: -candidate[0])
        room = self.size - len(self.ended)
        parents, self.live, going = self.live, [], []
        for rank, (total, row, id, log_prob) in enumerate(candidates):
            fate = self._fate(rank < room, id, step)
            self.nodes.append(Node(parents[row], step, id, log_prob, total, fate))
            if fate == "kept":
                self.live.append(len(self.nodes) - 1)
                going.append((row, id))
            elif fate != "pruned":
                self.ended.append(len(self.nodes) - 1)
        return going

    def _continuations(self, step: int, log_probs: Tensor) -> list[tuple[int, float]]:
        if step < len(self.prefix):
            return [(self.prefix[step], float(log_probs[self.prefix[step]]))]
        values, ids = log_probs.topk(min(self.size, len(log_probs)))
        return list(zip(ids.tolist(), values.tolist(), strict=True))

    def _fate(self, has_room: bool, id: int, step: int) -> str:
        if not has_room:
            return "pruned"
        if id == END:
            return "finished"
        return "unfinished" if step + 1 >= self.limit else "kept"

    def result(self, penalty: float) -> Beam:
        hypotheses = [self._hypothesis(node, penalty) for node in self.ended]
        hypotheses.sort(key=lambda hypothesis: (not hypothesis.finished, -hypothesis.score))
        return Beam(tuple(hypotheses), tuple(self.nodes))

    def _hypothesis(self, node: int, penalty: float) -> Hypothesis:
        path = []
        while node >= 0:
            path.append(node)
            node = self.nodes[node].parent
        nodes = [self.nodes[index] for index in reversed(path)]
        return Hypothesis(
            ids=tuple(node.id for node in nodes),
            log_probs=tuple(node.log_prob for node in nodes),
            alternatives=tuple(self.after[node.parent] for node in nodes),
            finished=nodes[-1].fate == "finished",
            score=nodes[-1].total / length_penalty(len(nodes), penalty),
        )
