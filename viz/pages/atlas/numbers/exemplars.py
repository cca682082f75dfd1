"""Our own annotated sentences as a corpus to look into: every head's pattern on each of them.

Shapes   N heads of one kind, layer by layer · Q queries · K keys · W words
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from model import Trace, Translator
from model.atlas.measures import head_tallies
from model.atlas.relations import between_words, french_tallies, relation_tallies
from model.atlas.sums import Tally
from model.inspect import metrics
from model.text.tokenizer import Tokens
from model.text.treebank import Annotated, french_pieces, pieces_of_words

KEEP = ("attention", "mask")
KINDS = ("encoder", "decoder", "cross")
LEAST = 20  # times a rule must apply before heads are ranked by it


@dataclass(frozen=True)
class Probe:
    """One sentence, the model's own translation of it, and where every head looked.

    `aligned` and `related` are about the French that the sentence came with, of a run that writes it.
    """

    sentence: Annotated
    source: Tokens
    target: Tokens  # what each decoder row predicts
    read: Tokens
    attention: Mapping[str, np.ndarray]  # (N, Q, K), half precision: there are many of them
    mask: Mapping[str, np.ndarray]  # (Q, K)
    aligned: np.ndarray | None  # (N, W, W), from French words to English ones, where their links are known
    related: Mapping[str, Tally]  # of the decoder's heads, between French words whose tree is known

    def sides(self, kind: str) -> tuple[Tokens, Tokens]:
        """Who looks and who is looked at, as the measures name them."""
        if kind == "encoder":
            return self.source, self.source
        return (self.read, self.read) if kind == "decoder" else (self.target, self.source)


def probes(translator: Translator, sentences: Sequence[Annotated]) -> Iterator[Probe]:
    """Run the model over sentences; one at a time, so that somebody can watch how far it is."""
    written = translator.translate_many([sentence.text for sentence in sentences])
    for sentence, translation in zip(sentences, written, strict=True):
        trace = translator.trace(sentence.text, translation.ids, keep=KEEP)
        read, predicted = (
            Tokens(found.ids, found.pieces, found.words)
            for found in (metrics.reading(trace.target, which) for which in ("read", "predicted"))
        )
        yield Probe(
            sentence,
            trace.source,
            predicted,
            read,
            {kind: _heads(trace, kind).astype(np.float16) for kind in KINDS},
            {kind: np.array(trace.mask[kind][0, 0]) for kind in KINDS},
            *_given(translator, sentence, trace.source),
        )


def observed(probe: Probe, kind: str, vocabulary: int) -> dict[str, Tally]:
    """Every measure that this one sentence gives of the heads of one kind."""
    queries, keys = probe.sides(kind)
    patterns = probe.attention[kind].astype(np.float32)
    found = head_tallies(kind, patterns, probe.mask[kind], queries, keys, vocabulary)
    pieces = pieces_of_words(probe.sentence, probe.source) if kind == "encoder" else None
    if pieces is not None:
        found |= relation_tallies(patterns, probe.sentence, pieces)
    if kind == "decoder":
        found |= probe.related
    if kind == "cross" and probe.aligned is not None:
        found["aligned"] = _links(probe)
    return found


def rules(found: Sequence[Mapping[str, Tally]]) -> list[str]:
    """What a detector can look for in these sentences: what they ask often enough to tell."""
    counts: dict[str, float] = {}
    for name, tally in (pair for each in found for pair in each.items()):
        counts[name] = counts.get(name, 0) + tally.count
    wanted = ("offset.", "relation.", "antecedent", "aligned")
    return [name for name, count in counts.items() if name.startswith(wanted) and count >= LEAST]


def detected(found: Sequence[Mapping[str, Tally]], rule: str) -> tuple[np.ndarray, int]:
    """How often each head obeys a rule over all sentences: shares (N), and how many times it was asked."""
    asked = [each[rule] for each in found if rule in each]
    count = sum(tally.count for tally in asked)
    total = sum((np.asarray(tally.totals, float) for tally in asked), np.zeros(1))
    return total / max(count, 1e-9), int(count)


def best_obeyed(found: Mapping[str, Sequence[Mapping[str, Tally]]], choice: Sequence[str]) -> str:
    """The rule that some head obeys most often; that a word looks at itself is no news where others are."""
    offered = [rule for rule in choice if rule != "offset.0"] or list(choice)
    asked = {kind: set(rules(each)) for kind, each in found.items()}
    return max(
        offered,
        key=lambda rule: max(
            float(detected(each, rule)[0].max()) for kind, each in found.items() if rule in asked[kind]
        ),
    )


def ranked(found: Sequence[Mapping[str, Tally]], name: str, head: int) -> list[tuple[int, float]]:
    """Sentences by how much one head obeys a measure in them, most first; where it applies at all."""
    scored = [
        (number, float(np.asarray(each[name].totals, float)[head] / each[name].count))
        for number, each in enumerate(found)
        if name in each and each[name].count
    ]
    return sorted(scored, key=lambda pair: -pair[1])


def quartiles(order: Sequence[tuple[int, float]]) -> list[tuple[str, int, float]]:
    """The best sentence, two ordinary ones and the worst, none of them twice.

    Each is (percent of the sentences that are no better, sentence, value).

    >>> quartiles([(7, 0.9), (3, 0.6), (1, 0.4), (5, 0.1)])
    [('100', 7, 0.9), ('75', 3, 0.6), ('50', 1, 0.4), ('0', 5, 0.1)]
    """
    if not order:
        return []
    places = {"100": 0, "75": len(order) // 4, "50": len(order) // 2, "0": len(order) - 1}
    found, seen = [], set()
    for name, place in places.items():
        if place not in seen:
            seen.add(place)
            found.append((name, *order[place]))
    return found


def painted(attention: np.ndarray, mask: np.ndarray, cells: Sequence[tuple[int, int]]) -> np.ndarray:
    """How much weight each head (N, Q, K) gives to painted cells, the mean over rows that have one: (N)."""
    wanted = np.zeros(mask.shape, bool)
    for row, column in cells:
        wanted[row, column] = mask[row, column]
    rows = wanted.any(-1)
    if not rows.any():
        return np.zeros(len(attention))
    return (attention * wanted).sum(-1)[:, rows].mean(-1)


def _heads(trace: Trace, kind: str) -> np.ndarray:
    return trace.attention[kind].reshape(-1, *trace.attention[kind].shape[2:])


def _given(
    translator: Translator, sentence: Annotated, source: Tokens
) -> tuple[np.ndarray | None, Mapping[str, Tally]]:
    """What is known of the French that a sentence comes with is asked of a run that writes it."""
    if sentence.french is None or not (sentence.alignment or sentence.french_heads):
        return None, {}
    target = translator.read_target(sentence.french)
    if (french := french_pieces(sentence, target)) is None:
        return None, {}
    trace = translator.trace(sentence.text, target.ids, keep=("attention",))
    english = pieces_of_words(sentence, source) if sentence.alignment else None
    aligned = None if english is None else between_words(_heads(trace, "cross"), french, english)
    return (
        None if aligned is None else aligned.astype(np.float16),
        french_tallies(_heads(trace, "decoder"), sentence, french) if sentence.french_heads else {},
    )


def _links(probe: Probe) -> Tally:
    """How often a French word looks most at the English word that it is surely linked to."""
    alignment = probe.sentence.alignment
    if probe.aligned is None or alignment is None:
        raise ValueError(f"nobody has aligned {probe.sentence.text!r}")
    best = probe.aligned.astype(np.float32).argmax(-1)  # (N, W)
    right: dict[int, set[int]] = {}
    for english, french in alignment.sure:
        right.setdefault(french, set()).add(english)
    hits = sum(
        (np.isin(best[:, french], list(english)) for french, english in right.items()), np.zeros(len(best))
    )
    return Tally(hits, len(right))
