"""Constructed sentences and patterns, with answers that can be counted on fingers."""

import numpy as np

from model.atlas.sums import Tally
from model.network.attention import causal_mask
from model.network.config import END
from model.text.tokenizer import Tokens
from model.text.treebank import Annotated
from tests.helpers.tiny import PAIRS

COMMON_ID, RARE_ID = 300, 7_000


def tokens(*pieces: str, ids=None, start: bool = False, end: bool = True) -> Tokens:
    """Pieces as SentencePiece writes them (▁ begins a word), between special tokens."""
    ids = list(range(COMMON_ID, COMMON_ID + len(pieces))) if ids is None else list(ids)
    words, word = [], -1
    for piece in pieces:
        word += piece.startswith("▁")
        words.append(word)
    before, after = ([(1, "<s>", -1)] if start else []), ([(END, "</s>", -1)] if end else [])
    rows = [*before, *zip(ids, pieces, words, strict=True), *after]
    return Tokens(*map(tuple, zip(*rows, strict=True)))


def pointing_at(*keys: int, size: int) -> np.ndarray:  # (1, Q, K)
    """One head whose row i looks only at keys[i]."""
    return np.eye(size)[list(keys)][None]


def sentence(words: str, heads=None, relations=None, upos=None, antecedents=None, **more) -> Annotated:
    """A tree over words between spaces; without heads, every word hangs on the one before it."""
    found = tuple(words.split())
    heads = tuple(range(-1, len(found) - 1)) if heads is None else tuple(heads)
    relations = relations or tuple("root" if head < 0 else "dep" for head in heads)
    upos = upos or ("NOUN",) * len(found)
    return Annotated(
        words,
        found,
        found,
        tuple(upos),
        heads,
        tuple(relations),
        (True,) * len(found),
        antecedents or {},
        **more,
    )


def conllu(pairs=PAIRS, every: int = 9) -> str:
    """The pairs as a treebank of chains with French and links along the diagonal."""
    blocks = []
    for number, (english, french) in enumerate(pairs[::every]):
        sides = [[*text.removesuffix(".").split(), "."] for text in (english, french)]
        links = " ".join(f"{word}-{word}" for word in range(min(map(len, sides))))
        rows = [
            f"{place}\t{word}\t{word}\tNOUN\t_\t_\t{place - 1}\t{'root' if place == 1 else 'dep'}\t_\t_"
            for place, word in enumerate(sides[0], 1)
        ]
        comments = [f"# text = {english}", f"# text_fr = {french}", f"# words_fr = {' '.join(sides[1])}"]
        blocks.append("\n".join([*comments, *[f"# alignment = {links}"] * (number % 2), *rows]) + "\n")
    return "\n".join(blocks)


def value(tally: Tally, head: int = 0) -> float:
    return tally.totals[head] / tally.count


def causal(size: int) -> np.ndarray:
    return causal_mask(size, size).numpy()
