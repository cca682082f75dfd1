"""How well cross-attention aligns words: alignment error rate against links made by people.

Row i of cross-attention reads piece i and predicts piece i + 1, and may align either: both readings are
measured, by weight and by norm ‖α f(x)‖ (Kobayashi et al. 2020). Each target word is linked to the source
word it looks at most; special tokens are left out.

Shapes   N heads · S source words · T target words
"""

from collections.abc import Sequence

import numpy as np

from model.atlas.relations import between_words
from model.atlas.sums import Tally
from model.inspect.metrics import READINGS, norm_weighted
from model.inspect.trace import Trace
from model.text.treebank import Alignment

KEEP = ("*.cross_attention.pattern", "*.cross_attention.value")  # what a trace must have kept


def alignment_tallies(
    trace: Trace, gold: Alignment, source: Sequence[Sequence[int]], target: Sequence[Sequence[int]]
) -> dict[str, Tally]:
    """`aer.read`, `aer.predicted` by weight, and the same with `.norm`; lower is better.

    `source` and `target` are the positions of each word's pieces, in what is read and what is predicted.
    """
    weight = trace.attention["cross"]
    ways = {"": weight, ".norm": norm_weighted(weight, trace.transformed["cross"])}
    found = {}
    for reading in READINGS:
        shift = int(reading == "read")  # the row that reads a piece follows the row that predicts it
        rows = [[position + shift for position in word] for word in target]
        for way, strength in ways.items():
            words = between_words(strength.reshape(-1, *strength.shape[-2:]), rows, source)  # (N, T, S)
            found[f"aer.{reading}{way}"] = error_tally(words.argmax(-1), gold, len(source))
    return found


def error_tally(links: np.ndarray, gold: Alignment, sources: int) -> Tally:  # (N, T)
    """1 - (|A ∩ sure| + |A ∩ possible|) / (|A| + |sure|), sure links being possible too (Och & Ney 2003).

    A is one link per target word. The baseline runs along the diagonal.
    """
    targets = links.shape[-1]
    size = targets + len(gold.sure)
    worth = np.zeros((sources, targets), int)  # a sure link counts among both
    for pairs, points in ((gold.possible, 1), (gold.sure, 2)):
        for pair in pairs:
            worth[pair] = points
    places = np.arange(targets)
    missed = size - worth[links, places].sum(-1)
    return Tally(
        missed, size, {"diagonal": float(size - worth[diagonal(sources, targets), places].sum())}, targets
    )


def diagonal(sources: int, targets: int) -> np.ndarray:  # (T)
    """The source word as far into its sentence as each target word is into its own.

    >>> diagonal(3, 5)
    array([0, 0, 1, 2, 2])
    """
    return np.floor((np.arange(targets) + 0.5) * sources / targets).astype(int)
