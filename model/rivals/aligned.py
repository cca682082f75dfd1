"""Which of an architecture's attention maps points from each word to the one it translates.

Asked on sentences whose right translations people have linked word by word. While it reads the right
translation (teacher forcing), each linked target word is followed to the source word that its pieces look at
most in the step that writes them; `share` is how often that is a word it is linked to. Of several layers and
heads the best is named, which flatters those that have many; `diagonal` is what the source word as far into
its sentence would get.

Shapes   L layers · H heads · T target positions · S source positions · W words
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from model.rivals.rival import Rival
from model.text.treebank import Alignment, Annotated, french_pieces, pieces_of_words

Places = list[list[int]]


def aligned(rival: Rival, sentences: Iterable[Annotated]) -> dict[str, Any] | None:
    """The best layer and head with its share, and how many words were asked; None without attention."""
    right, along, asked = np.zeros(()), 0, 0
    for sentence in sentences:
        if sentence.alignment is None or sentence.french is None:
            continue
        trace = rival.trace(sentence.text, sentence.french)
        if trace.attention is None:
            return None
        source = pieces_of_words(sentence, trace.source)
        target = french_pieces(sentence, rival.tokenizer.encode(sentence.french))
        if source is None or target is None:  # the treebank's words are not the tokenizer's
            continue
        links = linked(sentence.alignment, len(target))
        words = pointed(trace.attention, source, target)
        right = right + sum((np.isin(words[..., at], [*to]) for at, to in links.items()), np.zeros(()))
        along += sum(at * len(source) // len(target) in to for at, to in links.items())
        asked += len(links)
    if not asked:
        return None
    layer, head = np.unravel_index(right.argmax(), right.shape)
    share = float(right.max()) / asked
    return {
        "layer": int(layer), "head": int(head), "share": round(share, 4), "words": asked,
        "diagonal": round(along / asked, 4),
    }  # fmt: skip


def linked(alignment: Alignment, targets: int) -> dict[int, set[int]]:
    """For each target word that is linked, the source words it is linked to."""
    found: dict[int, set[int]] = {}
    for source, target in alignment.sure | alignment.possible:
        if target < targets:
            found.setdefault(target, set()).add(source)
    return found


def pointed(attention: np.ndarray, source: Places, target: Places) -> np.ndarray:  # (L, H, T, S) -> (L, H, W)
    """The source word that each target word looks at most: the mean over its rows of what is on a word."""
    on_words = np.stack([attention[..., places].sum(-1) for places in source], -1)
    return np.stack([on_words[..., places, :].mean(-2).argmax(-1) for places in target], -1)
