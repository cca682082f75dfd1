"""Easier lessons: one target per sentence, in the model's own words where these are as good.

People translate one sentence in many ways, and a model that learns from all of them hesitates: its greedy
translation is worse than the one it would find with a beam. So every sentence gets one target: of what
the beam found, whatever comes nearest to what somebody wrote (Kim and Rush 2016, "Sequence-level
knowledge distillation", section 3.3: interpolation). The model's mistakes must not become lessons,
though: where it is far from everybody, or one of its words has no reason, somebody's words stay.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from sacrebleu import sentence_bleu

from model.decoding.beam import beam_search
from model.decoding.scoring import in_batches
from model.network.transformer import Transformer
from model.text.tokenizer import Tokenizer
from model.training.data import Pair, encode_pairs

CHUNK = 1_024  # sentences that are translated before the first of them is given out
COMMON = 0.005  # a word that this share of all targets has is a function word: it may stand anywhere
TOGETHER = 0.03  # the Dice coefficient from which on two words translate each other


def distil_pairs(
    model: Transformer, tokenizer: Tokenizer, pairs: Sequence[Pair], beam: int = 4, near: float = 50.0
) -> Iterator[Pair]:
    """Each different source in turn, with one target; a pair longer than the model reads is left out."""
    corpus, companions = encode_pairs(pairs, tokenizer, model.config.length), Companions(pairs)
    ids = {source: read for (source, _), read in zip(corpus.pairs, corpus.sources, strict=True)}
    targets: dict[str, list[str]] = defaultdict(list)
    for source, target in corpus.pairs:
        targets[source].append(target)
    sources = list(targets)
    for start in range(0, len(sources), CHUNK):
        chunk = sources[start : start + CHUNK]
        reads = [ids[source] for source in chunk]
        written: dict[int, list[str]] = {}
        for rows in in_batches(reads):
            searches = beam_search(model, [reads[row] for row in rows], beam)
            for row, search in zip(rows, searches, strict=True):
                written[row] = [tokenizer.decode(each.ids) for each in search.hypotheses if each.finished]
        for row, source in enumerate(chunk):
            score, text, target = nearest(written[row], targets[source])
            accepted = score >= near and companions.trust(text, (source, target))
            yield source, text if accepted else target


def nearest(written: Sequence[str], targets: Sequence[str]) -> tuple[float, str, str]:
    """How near the model comes to any target (sentence BLEU), with which text, and to which target.

    >>> nearest(["Tu viens ?", "Est-ce que tu viens ?"], ["Viens-tu ?", "Est-ce que tu viens ?"])
    (100.0, 'Est-ce que tu viens ?', 'Est-ce que tu viens ?')
    """
    scored = [
        (round(sentence_bleu(text, [target]).score, 1), text, target)
        for text in written
        for target in targets
        if text
    ]
    return max(scored, key=lambda each: each[0], default=(0.0, "", targets[0]))


class Companions:
    """Which words of the two languages occur together in a corpus: a rough lexicon, enough to reject by."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self.count = len(pairs)
        # The pairs that have each word, on either side.
        self.rows: tuple[dict[str, set[int]], dict[str, set[int]]] = defaultdict(set), defaultdict(set)
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
