"""BPE dropout: the same words cut into other pieces every time (Provilkov et al. 2020).

Words are built up from characters by the vocabulary's merges, as always, but each possible merge is
left out now and then, so that a model learns what the parts of its words mean. SentencePiece can do
this too, but its draws cannot be seeded, and a run that was killed must continue with the same pieces.
"""

from collections.abc import Sequence
from random import Random

import numpy as np

from model.network.config import END
from model.text.spelling import SPACE
from model.text.tokenizer import Tokenizer
from model.training.data import Corpus


class PieceDropout:
    """Draws pieces for one vocabulary."""

    def __init__(self, tokenizer: Tokenizer, rate: float) -> None:
        self.tokenizer, self.rate = tokenizer, rate
        # Pieces are numbered in the order their merges were learned: the lower number merges first.
        self.numbers = {piece: id for id, piece in enumerate(tokenizer.spelled(range(len(tokenizer))))}

    def ids(self, usual: Sequence[int], rng: Random) -> list[int]:
        """Other ids for the text of the usual ones, end token included."""
        drawn: list[int] = []
        word: list[tuple[int, str]] = []
        for id, piece in zip(usual, self.tokenizer.spelled(usual), strict=True):
            if word and (piece.startswith(SPACE) or id == END):
                drawn += self._word(word, rng)
                word = []
            word.append((id, piece))
        return drawn + [id for id, _ in word]

    def corpus(self, corpus: Corpus, rows: Sequence[int] | np.ndarray, seed: int, longest: int) -> Corpus:
        """Some of the pairs in pieces drawn anew; one that would grow over `longest` keeps its own."""
        rng = Random(seed)
        sources, targets = [], []
        for row in rows:
            usual = corpus.sources[row], corpus.targets[row]
            drawn = tuple(self.ids(ids, rng) for ids in usual)
            source, target = drawn if max(map(len, drawn)) <= longest else usual
            sources.append(source)
            targets.append(target)
        return Corpus([corpus.pairs[row] for row in rows], sources, targets)

    def _word(self, usual: list[tuple[int, str]], rng: Random) -> list[int]:
        parts = list("".join(piece for _, piece in usual))
        if any(part not in self.numbers for part in parts):  # some of it is spelled in bytes
            return [id for id, _ in usual]
        while True:
            best, at = len(self.numbers), -1
            for i in range(len(parts) - 1):
                number = self.numbers.get(parts[i] + parts[i + 1], best)
                if number < best and rng.random() >= self.rate:
                    best, at = number, i
            if at < 0:
                return [self.numbers[part] for part in parts]
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
