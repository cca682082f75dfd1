"""Where a head looks in the row that decides, by what kind of word stands there.

`cue` is the word on which the choice hangs: where the sentence (or what has been written) differs from its
partner's. Other words are told apart by closed lists, so that no tagger is needed; whatever is in none of
them is `content`. A head of the encoder has no row that decides: it is watched where it reads the cue, or
everywhere if there is no partner.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch

from model.atlas.causal.decisions import Decision
from model.atlas.causal.sweep import in_batches
from model.inspect.variants import Head
from model.network.batches import pad
from model.network.config import END, START
from model.network.hooks import watch
from model.network.kinds import KINDS, sides
from model.text.tokenizer import SPACE, SPECIAL, Tokenizer
from model.translator import Translator

CLASSES = {  # English and French in one list each: a word is looked up in lower case
    "article": "the a an le la les l' un une des du au aux",
    "pronoun": """i you he she it we they me him her us them who whom which that this these those himself
        herself themselves myself yourself je j' tu il elle on nous vous ils elles me m' te t' se s' lui leur
        qui que qu' ce c' ça cela y en""",
    "possessive": """my your his its our their mon ma mes ton ta tes son sa ses notre nos votre vos
        leurs""",
    "auxiliary": """is are was were be been am do does did have has had will would can could should may might
        must est sont était étaient suis es sommes êtes ai as a avons avez ont avait avaient sera va vais
        vont""",
    "negation": "not n't never no ne n' pas jamais plus rien",
    "preposition": """of to in on at with for from by near under over into about without after before de d' à
        dans sur avec pour chez sous par sans après avant en vers""",
    "conjunction": "and or but because if when while so than et ou mais parce si quand lorsque car comme",
}
CLASS_OF = {word: name for name, words in CLASSES.items() for word in words.split()}
PUNCTUATION = re.compile(r"[^\w\s]+")
SHOWN = 3  # words that it looks at most, by name


class Looks(NamedTuple):
    """The mean weight on each class of word, and the words that get most of it."""

    classes: dict[str, float]
    words: list[tuple[str, float]]
    n: int


def class_of(word: str) -> str:
    """
    >>> [class_of(word) for word in ("La", "chemise", "n't", ".", "12")]
    ['article', 'content', 'negation', 'punctuation', 'number']
    """
    plain = word.lower()
    if plain in CLASS_OF:
        return CLASS_OF[plain]
    if PUNCTUATION.fullmatch(plain):
        return "punctuation"
    return "number" if plain.isdecimal() else "content"


def looks(translator: Translator, decisions: Sequence[Decision], heads: Sequence[Head]) -> dict[Head, Looks]:
    """Where these heads look in these decisions."""
    weights: dict[Head, dict[str, float]] = {head: defaultdict(float) for head in heads}
    named: dict[Head, dict[str, float]] = {head: defaultdict(float) for head in heads}
    counts: Counter[Head] = Counter()
    for batch in in_batches(decisions):
        patterns = _patterns(translator, batch, heads)
        for row, decision in enumerate(batch):
            words, classes = _labels(translator.tokenizer, decision)
            for head in heads:
                found = _row(patterns[head][row], decision, head.kind)
                if found is None:
                    continue
                counts[head] += 1
                for word, kind, weight in zip(words[head.kind], classes[head.kind], found, strict=True):
                    weights[head][kind] += float(weight)
                    named[head][word] += float(weight)
    return {
        head: Looks(
            {name: total / counts[head] for name, total in _largest(weights[head])},
            [(word, total / counts[head]) for word, total in _largest(named[head])[:SHOWN]],
            counts[head],
        )
        for head in heads
        if counts[head]
    }


def _largest(totals: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(totals.items(), key=lambda entry: (-entry[1], entry[0]))


@torch.inference_mode()
def _patterns(
    translator: Translator, batch: Sequence[Decision], heads: Sequence[Head]
) -> Mapping[Head, np.ndarray]:  # (R, Q, K)
    model, paths = translator.model, {head: KINDS[head.kind].format(head.layer) for head in heads}
    source, read = (
        pad(ids).to(model.device) for ids in ([each.source for each in batch], [each.read for each in batch])
    )
    with watch(sorted({f"{path}.pattern" for path in paths.values()})) as seen:
        model.decode(read, *model.encode(source))
    return {head: seen[f"{path}.pattern"][0][:, head.head].cpu().numpy() for head, path in paths.items()}


def _row(pattern: np.ndarray, decision: Decision, kind: str) -> np.ndarray | None:
    """The weights over keys in the rows that count, padding left out."""
    keys = sides(len(decision.source), len(decision.read))[kind][1]
    if kind != "encoder":
        return pattern[len(decision.read) - 1, :keys]
    if decision.partner is None:
        return pattern[: keys - 1, :keys].mean(0)
    rows = _cue(decision.source, decision.partner.source)
    return pattern[rows, :keys].mean(0) if rows else None


def _labels(tokenizer: Tokenizer, decision: Decision) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The word at each key, and its class, by kind of attention."""
    partner = decision.partner
    source, read = (
        _side(tokenizer, ids, other)
        for ids, other in (
            (decision.source, partner.source if partner else None),
            (decision.read, partner.read if partner else None),
        )
    )
    keys = {kind: of_keys for kind, (_, of_keys) in sides(source, read).items()}
    words, classes = ({kind: both[part] for kind, both in keys.items()} for part in (0, 1))
    return words, classes


def _side(
    tokenizer: Tokenizer, ids: Sequence[int], other: Sequence[int] | None
) -> tuple[list[str], list[str]]:
    cue, words = set(_cue(ids, other)), _words(tokenizer, ids)
    classes = [_class(piece, word) for piece, word in zip(ids, words, strict=True)]
    return words, ["cue" if place in cue else name for place, name in enumerate(classes)]


def _class(piece: int, word: str) -> str:
    return {START: "start", END: "end"}.get(piece) or class_of(word)


def _words(tokenizer: Tokenizer, ids: Sequence[int]) -> list[str]:
    """For every piece the word that it belongs to; clitics and punctuation are words of their own."""
    units: list[str] = []
    places = []
    for number, piece in zip(ids, tokenizer.tokens(tuple(ids)).pieces, strict=True):
        before = units[-1] if units else ""
        apart = piece.startswith((SPACE, "'", "n't")) or before.endswith("'") or PUNCTUATION.fullmatch(piece)
        if number in SPECIAL or apart or not units:
            units.append("")
        units[-1] += piece.lstrip(SPACE)
        places.append(len(units) - 1)
    return [units[place] for place in places]


def _cue(ids: Sequence[int], other: Sequence[int] | None) -> list[int]:
    """The places where two sequences of the same length differ."""
    pairs = zip(ids, other, strict=True) if other is not None else ()
    return [place for place, (here, there) in enumerate(pairs) if here != there]
