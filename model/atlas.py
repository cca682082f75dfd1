"""What every head does, over a corpus: sentences in, one JSON of measures and roles out.

Each sentence is translated and replayed once by the model and once, with the same target, by its untrained
twin, whose numbers are the null. Only sums are kept, so memory does not grow with the corpus.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np

from model import alignment, importance
from model.atlas_file import as_json
from model.checkpoint import untrained
from model.head_measures import head_tallies
from model.metrics import reading
from model.processes import Processes
from model.relations import relation_tallies
from model.similarity import Likeness
from model.sums import Sums, Tally
from model.tokenizer import Tokens
from model.trace import KINDS, Trace
from model.translator import Translator
from model.treebank import Annotated, pieces_of_words

CHUNK = 32  # sentences translated together
KEEP = ("attention", "mask", *importance.KEEP)
Numbered = tuple[int, Annotated]  # with the sentence's number in the corpus


@dataclass
class Atlas:
    """The sums of the model and of its twin, and how many sentences went into them."""

    translator: Translator
    twin: Translator
    silencing: bool = True
    trained: Sums = field(init=False)
    null: Sums = field(init=False)
    alike: dict[str, Likeness] = field(init=False)
    sentences: dict[str, float] = field(init=False)

    def __post_init__(self) -> None:
        heads = self.translator.config.layers * self.translator.config.heads
        self.trained, self.null = Sums(heads), Sums(heads)
        self.alike = {kind: Likeness(heads) for kind in KINDS}
        self.sentences = dict.fromkeys(("measured", "annotated", "unfit", "aligned"), 0)

    def add(self, number: int, sentence: Annotated, target: Sequence[int]) -> None:
        """Measure one sentence with this target."""
        self.sentences["measured"] += 1
        for translator, sums in ((self.translator, self.trained), (self.twin, self.null)):
            trace = translator.trace(sentence.text, target, keep=KEEP)
            sums.add(number, self._observed(trace, sentence))
            if sums is self.trained or number // 2 % importance.NULL_EVERY == 0:
                sums.add(number, self._important(translator, trace.source.ids, target))
            if sums is self.trained:
                self._compare(trace)
        self._align(number, sentence)

    def merge(self, group: Processes) -> None:
        """Make every process's atlas that of the whole corpus."""
        self.trained.merge(group)
        self.null.merge(group)
        for likeness in self.alike.values():
            likeness.total, likeness.rows = group.add_array(likeness.total), group.add_array(likeness.rows)
        self.sentences = dict(zip(self.sentences, group.add(*self.sentences.values()), strict=True))

    def _observed(self, trace: Trace, sentence: Annotated) -> dict[str, Tally]:
        read, predicted = (reading(trace.target, which) for which in ("read", "predicted"))
        sides = {
            "encoder": (trace.source, trace.source),
            "decoder": (read, read),
            "cross": (predicted, trace.source),
        }  # fmt: skip
        found = importance.written(trace)
        for kind, (queries, keys) in sides.items():
            patterns, mask = _flat(trace, kind)
            tallies = head_tallies(kind, patterns, mask, queries, keys, self.translator.config.vocabulary)
            found |= {f"{kind}.{name}": tally for name, tally in tallies.items()}
        return found | self._related(trace, sentence)

    def _important(
        self, translator: Translator, source: Sequence[int], target: Sequence[int]
    ) -> dict[str, Tally]:
        found = importance.gradient(translator.model, source, target)
        return found | importance.silenced(translator.model, source, target) if self.silencing else found

    def _related(self, trace: Trace, sentence: Annotated) -> dict[str, Tally]:
        if not sentence.words:
            return {}
        pieces = pieces_of_words(sentence, trace.source)
        if trace._model is self.translator.model:
            self.sentences["annotated" if pieces else "unfit"] += 1
        if not pieces:
            return {}
        tallies = relation_tallies(_flat(trace, "encoder")[0], sentence, pieces)
        return {f"encoder.{name}": tally for name, tally in tallies.items()}

    def _align(self, number: int, sentence: Annotated) -> None:
        """Links are about the French that they were made for, so that is the target here."""
        if not sentence.alignment or sentence.french is None:
            return
        source, target = self.translator.read(sentence.text), self.translator.read(sentence.french)
        words = pieces_of_words(sentence, source), french_pieces(sentence, target)
        if None in words:
            return
        self.sentences["aligned"] += 1
        for translator, sums in ((self.translator, self.trained), (self.twin, self.null)):
            trace = translator.trace(sentence.text, target.ids, keep=alignment.KEEP)
            tallies = alignment.alignment_tallies(trace, sentence.alignment, *words)
            sums.add(number, {f"cross.{name}": tally for name, tally in tallies.items()})

    def _compare(self, trace: Trace) -> None:
        for kind, likeness in self.alike.items():
            likeness.add(*_flat(trace, kind))


def make_atlas(
    translator: Translator, sentences: Iterable[Annotated], corpus: str, *,
    silencing: bool = True, group: Processes | None = None, progress: Callable[[int], None] | None = None,
) -> dict:  # fmt: skip
    """Measure every head on every sentence. `progress` hears how many are done, and may raise to stop."""
    group = group or Processes()
    twin = replace(translator, model=untrained(translator.config))
    atlas = Atlas(translator, twin, silencing)
    for chunk in _chunks(islice(enumerate(sentences), group.rank, None, group.count)):
        targets = translator.translate_many([sentence.text for _, sentence in chunk])
        for (number, sentence), target in zip(chunk, targets, strict=True):
            atlas.add(number, sentence, target.ids)
            if progress:
                progress(number + 1)
    atlas.merge(group)
    return as_json(atlas, corpus)


def french_pieces(sentence: Annotated, tokens: Tokens) -> list[list[int]] | None:
    words = sentence.french_words or tuple((sentence.french or "").split())
    return pieces_of_words(replace(sentence, words=words), tokens)


def _chunks(sentences: Iterator[Numbered]) -> Iterator[list[Numbered]]:
    while chunk := list(islice(sentences, CHUNK)):
        yield chunk


def _flat(trace: Trace, kind: str) -> tuple[np.ndarray, np.ndarray]:  # (N, Q, K), (Q, K)
    attention = trace.attention[kind]
    return attention.reshape(-1, *attention.shape[-2:]), trace.mask[kind][0, 0]
