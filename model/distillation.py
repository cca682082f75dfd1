"""Easier lessons: a target gives way to the model's own translation where that is as good.

People translate one sentence in many ways, and a model that learns from all of them hedges: its greedy
translation stays behind the one it would find with a beam. Shown what its own beam found, it commits
itself (Kim and Rush 2016, "Sequence-level knowledge distillation", section 3.3: interpolation). Its
mistakes must not become lessons, though: wherever its words are doubtful, the target stays.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from sacrebleu import sentence_bleu

from model.beam import beam_search
from model.data import Pair, encode_pairs
from model.evaluation import in_batches
from model.tokenizer import Tokenizer
from model.transformer import Transformer

CHUNK = 1_024  # pairs between two moments at which something is known
COMMON = 0.005  # a word in so many of all targets says how, not what: it may stand anywhere
TOGETHER = 0.03  # two words translate each other if they meet so often (Dice)


def distil_pairs(
    model: Transformer, tokenizer: Tokenizer, pairs: Sequence[Pair], beam: int = 4, near: float = 40.0
) -> Iterator[Pair]:
    """Every pair in turn, with its easier target; one longer than the model reads is left out."""
    corpus, companions = encode_pairs(pairs, tokenizer, model.config.length), Companions(pairs)
    for start in range(0, len(corpus), CHUNK):
        sources = corpus.sources[start : start + CHUNK]
        written: dict[int, list[str]] = {}
        for rows in in_batches(sources):
            searches = beam_search(model, [sources[row] for row in rows], beam)
            for row, search in zip(rows, searches, strict=True):
                written[row] = [tokenizer.decode(each.ids) for each in search.hypotheses if each.finished]
        for row, pair in enumerate(corpus.pairs[start : start + CHUNK]):
            score, text = nearest(written[row], pair[1])
            accepted = score >= near and companions.trust(text, pair)
            yield (pair[0], text) if accepted else pair


def nearest(written: Sequence[str], target: str) -> tuple[float, str]:
    """The text most like the target, and how much so: sentence BLEU.

    >>> nearest(["Tu viens ?", "Est-ce que tu viens ?"], "Est-ce que tu viens ?")
    (100.0, 'Est-ce que tu viens ?')
    """
    scored = [(round(sentence_bleu(text, [target]).score, 1), text) for text in written if text]
    return max(scored, key=lambda both: both[0], default=(0.0, ""))


class Companions:
    """Which words of the two languages keep company in a corpus: a lexicon good enough to doubt with."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self.count = len(pairs)
        self.rows: tuple[dict, dict] = defaultdict(set), defaultdict(set)  # of each word, on either side
        for row, pair in enumerate(pairs):
            for side, text in zip(self.rows, pair, strict=True):
                for word in set(words(text)):
                    side[word].add(row)

    def trust(self, text: str, pair: Pair) -> bool:
        """Whether a translation leaves nothing out, and each word that is not the target's has a reason."""
        source, target = pair
        if len(words(text)) < len(words(target)):
            return False
        return all(self.explains(source, word) for word in set(words(text)) - set(words(target)))

    def explains(self, source: str, word: str) -> bool:
        rows = self.rows[1].get(word, set())
        if len(rows) >= COMMON * self.count:
            return True
        others = (self.rows[0].get(other, set()) for other in words(source))
        return any(2 * len(rows & other) > TOGETHER * (len(rows) + len(other)) for other in others)


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())
