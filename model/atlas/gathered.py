"""What is gathered about every head, sentence by sentence: the sums of the model and of its untrained twin.

Each sentence is translated and replayed once by the model and once, with the same target, by its untrained
twin, whose numbers are the null. Only sums are kept, so memory does not grow with the corpus.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from model.atlas import alignment
from model.atlas.importance import NULL_EVERY, silenced
from model.atlas.measures import head_tallies
from model.atlas.relations import french_tallies, relation_tallies
from model.atlas.replays import Replay, replay_many
from model.atlas.similarity import Likeness
from model.atlas.sums import Sums, Tally
from model.network.kinds import KINDS, sides
from model.processes import Processes
from model.text.tokenizer import Tokens
from model.text.treebank import Annotated, french_pieces, pieces_of_words
from model.translator import Translator

KEEP = (*alignment.KEEP, "decoder.*.self_attention.pattern")  # of a run with the French that was given
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
        config = self.translator.config
        self.trained, self.null = Sums(), Sums()
        self.alike = {kind: Likeness(config.depth(kind) * config.heads) for kind in KINDS}
        self.sentences = dict.fromkeys(("measured", "annotated", "unfit", "aligned", "french_trees"), 0)

    def add(self, chunk: Sequence[Numbered]) -> Iterator[int]:
        """Measure these sentences with the model's own translations; yields as each is done."""
        hypotheses = self.translator.translate_many([sentence.text for _, sentence in chunk])
        sources = [self.translator.read(sentence.text).ids for _, sentence in chunk]
        targets = [hypothesis.ids for hypothesis in hypotheses]
        for place, run in replay_many(self.twin.model, self.twin.tokenizer, sources, targets):
            number, sentence = chunk[place]
            self.null.add(number, self._observed(run, sentence))
            if self.silencing and number // 2 % NULL_EVERY == 0:
                self.null.add(number, silenced(self.twin.model, sources[place], targets[place]))
        for place, run in replay_many(self.translator.model, self.translator.tokenizer, sources, targets):
            number, sentence = chunk[place]
            self.trained.add(number, self._observed(run, sentence))
            if self.silencing:
                self.trained.add(number, silenced(self.translator.model, sources[place], targets[place]))
            for kind, likeness in self.alike.items():
                likeness.add(run.attention[kind], run.mask[kind])
            self._add_given(number, sentence)
            self._count(sentence, run.source)
            yield number

    def merge(self, group: Processes) -> None:
        """Make every process's atlas that of the whole corpus."""
        self.trained.merge(group)
        self.null.merge(group)
        for likeness in self.alike.values():
            likeness.total, likeness.rows = group.add_array(likeness.total), group.add_array(likeness.rows)
        self.sentences = dict(zip(self.sentences, group.add(*self.sentences.values()), strict=True))

    def _observed(self, run: Replay, sentence: Annotated) -> dict[str, Tally]:
        tokens = sides(run.source, run.read)
        tokens["cross"] = run.predicted, run.source  # a row of cross-attention is called by what it predicts
        found, vocabulary = dict(run.importance), self.translator.config.vocabulary
        for kind, (queries, keys) in tokens.items():
            tallies = head_tallies(kind, run.attention[kind], run.mask[kind], queries, keys, vocabulary)
            found |= {f"{kind}.{name}": tally for name, tally in tallies.items()}
        if sentence.words and (pieces := pieces_of_words(sentence, run.source)):
            tallies = relation_tallies(run.attention["encoder"], sentence, pieces)
            found |= {f"encoder.{name}": tally for name, tally in tallies.items()}
        return found

    def _add_given(self, number: int, sentence: Annotated) -> None:
        """Links and French trees are about the French that they were made for, so that is the target here."""
        if sentence.french is None or not (sentence.alignment or sentence.french_heads):
            return
        target = self.translator.read_target(sentence.french)
        french = french_pieces(sentence, target)
        if french is None:
            return
        english = pieces_of_words(sentence, self.translator.read(sentence.text))
        links = sentence.alignment if english is not None else None
        self.sentences["aligned"] += links is not None
        self.sentences["french_trees"] += sentence.french_heads is not None
        if links is None and sentence.french_heads is None:
            return
        for translator, sums in ((self.translator, self.trained), (self.twin, self.null)):
            trace = translator.trace(sentence.text, target.ids, keep=KEEP)
            if links is not None and english is not None:
                tallies = alignment.alignment_tallies(trace, links, english, french)
                sums.add(number, {f"cross.{name}": tally for name, tally in tallies.items()})
            if sentence.french_heads is not None:
                heads = trace.attention["decoder"]  # (layers, heads, Q, K)
                tallies = french_tallies(heads.reshape(-1, *heads.shape[-2:]), sentence, french)
                sums.add(number, {f"decoder.{name}": tally for name, tally in tallies.items()})

    def _count(self, sentence: Annotated, source: Tokens) -> None:
        self.sentences["measured"] += 1
        if sentence.words:
            self.sentences["annotated" if pieces_of_words(sentence, source) else "unfit"] += 1
