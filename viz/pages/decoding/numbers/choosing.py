"""One step's probabilities before and after they are sharpened and cut."""

from typing import NamedTuple

import numpy as np

OFFERED = 15  # tokens that are drawn
TOP_K, TOP_P = "top_k", "top_p"  # why a token can no longer be drawn


class Chances(NamedTuple):
    """How likely each token is to be drawn, each (V): without a cut, with top-k alone, and in the end."""

    uncut: np.ndarray
    by_k: np.ndarray
    after: np.ndarray


class Spread(NamedTuple):
    """How open a choice is."""

    worth: float  # as open as one among so many equally likely tokens: e to the power of the entropy
    sharing: int  # how many tokens share nine tenths


class Choice(NamedTuple):
    """The likeliest tokens, best first, the written one among them; and all others at once."""

    ids: tuple[int, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    cut: tuple[str, ...]  # by what each was cut; empty where it was not
    written: int  # the place of the one that was written
    others: int
    rest: tuple[float, float]  # what all others have together, before and after
    kept: int  # tokens of the whole vocabulary that can still be drawn
    spread: tuple[Spread, Spread]  # before and after


def choice(log_probs: np.ndarray, chances: Chances, written: int, count: int = OFFERED) -> Choice:  # (V)
    """The `count` likeliest; where the written one is none of them, it stands last in their place."""
    possible = np.isfinite(log_probs)
    before = np.exp(log_probs.astype(float))
    order = np.argsort(-log_probs, kind="stable")[: min(count, int(possible.sum()))]
    if written not in order:
        order[-1] = written
    # A chance can also be so small that it counts as nothing: that is no cut.
    by_k = (chances.by_k == 0) & (chances.uncut > 0)
    by_p = (chances.after == 0) & (chances.by_k > 0)
    others = np.ones(len(log_probs), bool)
    others[order] = False
    return Choice(
        tuple(int(id) for id in order),
        tuple(float(before[id]) for id in order),
        tuple(float(chances.after[id]) for id in order),
        tuple(TOP_K if by_k[id] else TOP_P if by_p[id] else "" for id in order),
        int(np.flatnonzero(order == written)[0]),
        int(others.sum()),
        # The first includes what the model gives to tokens that are never written.
        (max(0.0, 1 - float(before[order].sum())), float(chances.after[others].sum())),
        int((possible & ~by_k & ~by_p).sum()),
        (spread(before), spread(chances.after)),
    )


def spread(probabilities: np.ndarray) -> Spread:
    """
    >>> spread(np.array([0.25, 0.25, 0.25, 0.25, 0.0]))
    Spread(worth=4.0, sharing=4)
    """
    some = np.sort(probabilities[probabilities > 0])[::-1]
    entropy = -float((some * np.log(some)).sum())
    sharing = int(np.searchsorted(np.cumsum(some), 0.9 - 1e-12)) + 1
    return Spread(float(np.exp(entropy)), sharing)
