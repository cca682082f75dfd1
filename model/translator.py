"""A loaded checkpoint: text in, translation out, and everything that happened on the way.

One Translator serves every caller at once: nothing about a run is stored on it.
"""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from model import checkpoint
from model.decoding.beam import Beam, beam_search
from model.decoding.products import settle
from model.decoding.scoring import BATCH, distributions, in_batches, log_probabilities
from model.decoding.search import Hypothesis, Sampling, greedy, sample
from model.inspect.edits import CopyHead, CopyStream, Edit, Paste, Shuffle
from model.inspect.replay import replay
from model.inspect.trace import Trace
from model.network.config import Config
from model.network.hooks import watch
from model.network.transformer import Transformer
from model.text.capitals import calmed
from model.text.spelling import normalise
from model.text.tokenizer import Tokenizer, Tokens


@dataclass(frozen=True, eq=False)
class Translator:
    name: str
    model: Transformer
    tokenizer: Tokenizer

    @property
    def config(self) -> Config:
        return self.model.config

    def read(self, text: str) -> Tokens:
        """The pieces of a sentence, refused when blank or longer than the model reads."""
        return self.tokenizer.encode(self.calm(text), self.config.length)

    def read_target(self, text: str) -> Tokens:
        """The pieces of a translation, as the decoder would write them."""
        return self._exactly(calmed(text, self.tokenizer.target, self.config.source))

    def calm(self, text: str) -> str:
        """A sentence as it is read: normalised, and in small letters if its capitals would be spelled out."""
        return calmed(text, self.tokenizer, self.config.source)

    def _exactly(self, text: str) -> Tokens:
        """The pieces of what somebody says the translation is."""
        return self.tokenizer.target.encode(text, self.config.length)

    def translate(
        self, text: str, edits: Sequence[Edit] = (), *,
        beam: int = 1, sampling: Sampling | None = None, prefix: str | Sequence[int] = "",
    ) -> Hypothesis:  # fmt: skip
        """Greedy unless a beam or sampling is asked for; `prefix` forces how it begins, as text or as ids."""
        return self.translate_many([text], edits, beam=beam, sampling=sampling, prefix=prefix)[0]

    def translate_many(
        self, texts: Sequence[str], edits: Sequence[Edit] = (), *,
        beam: int = 1, sampling: Sampling | None = None, prefix: str | Sequence[int] = "",
    ) -> list[Hypothesis]:  # fmt: skip
        """The same for many sentences, computed in batches, in the order given."""
        if beam != 1 and sampling is not None:
            raise ValueError("choose a beam or sampling, not both")
        acting = self._resolve(_while_decoding(edits))
        sources = [_shuffled(self.read(text), edits).ids for text in texts]
        forced = self._prefix(prefix)
        found: dict[int, Hypothesis] = {}
        # Edits name positions, so an edited sentence runs alone.
        for rows in in_batches(sources, 1 if edits else BATCH):
            batch, prefixes = [sources[row] for row in rows], [forced] * len(rows)
            with watch(edits=acting):
                if sampling is not None:
                    written = sample(self.model, batch, sampling, prefixes)
                elif beam == 1:
                    written = greedy(self.model, batch, prefixes)
                else:
                    beams = beam_search(self.model, batch, beam, prefixes=prefixes)
                    written = [each.hypotheses[0] for each in beams]
            found.update(zip(rows, map(self._with_text, written), strict=True))
        return [found[row] for row in range(len(texts))]

    def search(
        self, text: str, edits: Sequence[Edit] = (), *,
        size: int = 4, penalty: float = 0.6, prefix: str | Sequence[int] = "",
    ) -> Beam:  # fmt: skip
        """Beam search with its `size` best translations and the whole tree."""
        acting = self._resolve(_while_decoding(edits))
        source = _shuffled(self.read(text), edits).ids
        with watch(edits=acting):
            (beam,) = beam_search(self.model, [source], size, penalty, [self._prefix(prefix)])
        return replace(beam, hypotheses=tuple(map(self._with_text, beam.hypotheses)))

    def draw(
        self, text: str, sampling: Sampling, count: int, prefix: str | Sequence[int] = ""
    ) -> list[Hypothesis]:
        """The same sentence drawn many times: number i as `translate` draws it with i added to the seed."""
        source, forced = self.read(text).ids, self._prefix(prefix)
        seeds = [sampling.seed + number for number in range(count)]
        drawn = sample(self.model, [source] * count, sampling, [forced] * count, seeds=seeds)
        return list(map(self._with_text, drawn))

    def distributions(self, text: str, ids: Sequence[int]) -> np.ndarray:
        """Log-probabilities of every piece of the vocabulary at each step of these ids, (steps, V).

        Row t is what the model says once it has read the first t of them; all rows come from one pass.
        """
        return distributions(self.model, self.read(text).ids, ids)

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Total natural-log probability of each target given its source, end token included."""
        if not pairs:
            return []
        sources = [self.read(source).ids for source, _ in pairs]
        targets = [self._exactly(target).ids for _, target in pairs]
        return log_probabilities(self.model, sources, targets)

    def trace(
        self, text: str, target: str | Sequence[int] | None = None, edits: Sequence[Edit] = (),
        keep: Sequence[str] | None = None,
    ) -> Trace:  # fmt: skip
        """All that one run shows. `target` forces a translation of the caller's own, as text or as ids."""
        source = _shuffled(self.read(text), edits)
        if target is None:
            translation = self.translate(text, [edit for edit in edits if edit.decodes])
            ids = translation.ids
        else:
            translation, ids = None, self._exactly(target).ids if isinstance(target, str) else tuple(target)
        acting = self._resolve([edit for edit in edits if edit.points])
        found = replay(self.model, self.tokenizer, source, ids, translation, acting, keep)
        replay_only = tuple(edit for edit in edits if not edit.decodes)
        return replace(found, edits=tuple(edits), replay_only=replay_only)

    def trace_many(
        self, texts: Iterable[str], edits: Sequence[Edit] = (), keep: Sequence[str] | None = None
    ) -> Iterator[Trace]:
        """One Trace per sentence, made as it is asked for: memory does not grow with the file."""
        return (self.trace(text, None, edits, keep) for text in texts)

    def _resolve(self, edits: Sequence[Edit]) -> tuple[Edit, ...]:
        """Edits that copy from another sentence, with that sentence run."""
        return tuple(
            self._copied(edit) if isinstance(edit, CopyHead | CopyStream) else edit for edit in edits
        )

    def _copied(self, edit: CopyHead | CopyStream) -> Paste:
        # What the encoder does depends on no target, so any will do and nothing needs to be translated.
        target = edit.text if edit.where.startswith("encoder") else edit.target
        return Paste(edit, self.trace(edit.text, target, keep=edit.points).points)

    def _prefix(self, begins: str | Sequence[int]) -> list[int]:
        if not isinstance(begins, str):
            return list(begins)
        (ids,) = self.tokenizer.target.ids([normalise(begins)])
        return ids

    def _with_text(self, hypothesis: Hypothesis) -> Hypothesis:
        pieces = self.tokenizer.tokens(hypothesis.ids).pieces
        # Byte pieces can spell a line break; a translation is one line.
        return replace(hypothesis, text=normalise(self.tokenizer.decode(hypothesis.ids)), pieces=pieces)


def _while_decoding(edits: Sequence[Edit]) -> list[Edit]:
    """Those that can act at hook points while a translation is written; a warning for each of the others."""
    for edit in edits:
        if not edit.decodes:
            warnings.warn(
                f"{edit} acts in the replay only; the translation is written without it", stacklevel=4
            )
    return [edit for edit in edits if edit.decodes and edit.points]


def _shuffled(tokens: Tokens, edits: Sequence[Edit]) -> Tokens:
    for edit in edits:
        if isinstance(edit, Shuffle):
            tokens = edit.reorder(tokens)
    return tokens


def load(name: str | Path = "en-fr", untrained: bool = False) -> Translator:
    """A shipped checkpoint by its name, or any checkpoint's folder.

    `untrained=True` gives its twin: the same shape and vocabulary, seeded random weights.
    """
    model, tokenizer = checkpoint.load(name)
    if untrained:
        model = checkpoint.untrained(model.config)
    settle(model)
    return Translator(Path(name).name, model, tokenizer)
