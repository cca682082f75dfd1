"""Parallel text: a file of pairs, and batches of about equal length cut from it.

Batches are a pure function of seed and epoch: any process, at any time, makes the same ones.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from textwrap import shorten

import numpy as np

from model.network.config import END
from model.text.spelling import normalise
from model.text.tokenizer import Tokenizer

Pair = tuple[str, str]
SHARED = 0.5  # of the words of one side that the other has too: then both are one language
FEW, MIXED = 5, 0.05  # lines that look exchanged, and their share, from which on it is no accident


def read_pairs(path: str | Path) -> list[Pair]:
    """Source TAB target on each line, UTF-8, further columns ignored; refused at the first bad line."""
    return [(source, target) for source, target, *_ in read_rows(path)]


def read_rows(path: str | Path) -> list[list[str]]:
    """Source, target and whatever further columns there are, a line each."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    lines = content.removeprefix(b"\xef\xbb\xbf").removesuffix(b"\n").split(b"\n")
    if lines == [b""]:
        raise ValueError(f"{path} is empty; it must hold one pair a line: source TAB target")
    return [_row(f"{path}, line {number}", line) for number, line in enumerate(lines, 1)]


def refuse_exchanged(pairs: Sequence[Pair], dev: Sequence[Pair]) -> None:
    """A dev file whose columns stand the other way round would only tell what was never learned."""
    known = [_words(pair[side] for pair in pairs) for side in (0, 1)]
    asked = [_words(pair[side] for pair in dev) for side in (0, 1)]
    straight, crossed = (
        [len(words & known[other]) / max(1, len(words)) for words, other in zip(asked, order, strict=True)]
        for order in ((0, 1), (1, 0))
    )
    if min(crossed) > 0.5 and max(straight) < 0.5 * min(crossed):
        raise ValueError(
            "source and target of the dev pairs seem to be exchanged: "
            f"{crossed[0]:.0%} of the words of their sources stand among the targets of the training pairs, "
            f"{straight[0]:.0%} among the sources"
        )


def refuse_mixed(pairs: Sequence[Pair], dev: Sequence[Pair]) -> None:
    """Training pairs of which some have their columns the other way round teach both languages as one."""
    ours, theirs = (_words(pair[side] for pair in dev) for side in (0, 1))
    if len(ours & theirs) > SHARED * min(len(ours), len(theirs)):
        return  # both sides speak alike: letters that are copied, words that are sorted
    ours, theirs = ours - theirs, theirs - ours
    straight, crossed = 0, []
    for pair in pairs:
        source, target = (_words([side]) for side in pair)
        right = len(source & ours) + len(target & theirs)
        wrong = len(source & theirs) + len(target & ours)
        straight += right > wrong
        if wrong > right:
            crossed.append(pair)
    told = straight + len(crossed)
    if len(crossed) >= FEW and len(crossed) > MIXED * told:
        raise ValueError(
            f"source and target seem to be exchanged in {len(crossed):,} of {told:,} training pairs, "
            f"first in {shorten(crossed[0][0], 60, placeholder='…')!r}; bring them into one order"
        )


def _words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in re.findall(r"\w+", text.casefold())}


def _row(place: str, line: bytes) -> list[str]:
    try:
        columns = line.decode("utf-8").split("\t")
    except UnicodeDecodeError:
        raise ValueError(f"{place}: not UTF-8") from None
    if len(columns) < 2:
        raise ValueError(f"{place}: no TAB between source and target")
    source, target = (normalise(column) for column in columns[:2])
    if not source or not target:
        raise ValueError(f"{place}: the {'target' if source else 'source'} is blank")
    return [source, target, *columns[2:]]


@dataclass(frozen=True)
class Corpus:
    """Pairs as text and as ids, each side ending with the end token."""

    pairs: list[Pair]
    sources: list[list[int]]
    targets: list[list[int]]
    skipped: int = 0  # pairs left out because they were longer than the model reads

    def __len__(self) -> int:
        return len(self.sources)


def encode_pairs(pairs: Sequence[Pair], tokenizer: Tokenizer, longest: int) -> Corpus:
    sources, targets = (
        [[*ids, END] for ids in cut.ids([pair[side] for pair in pairs])]
        for side, cut in enumerate((tokenizer, tokenizer.target))
    )
    fits = [
        (pair, source, target)
        for pair, source, target in zip(pairs, sources, targets, strict=True)
        if max(len(source), len(target)) <= longest
    ]
    if not fits:
        raise ValueError(f"every one of the {len(pairs)} pairs is longer than {longest} pieces")
    kept, kept_sources, kept_targets = (list(side) for side in zip(*fits, strict=True))
    return Corpus(kept, kept_sources, kept_targets, skipped=len(pairs) - len(fits))


def epoch_batches(corpus: Corpus, tokens: int, seed: int, epoch: int) -> list[np.ndarray]:
    """Rows of each batch: alike in length, at most `tokens` padded pieces on either side."""
    rng = np.random.default_rng((seed, epoch))
    order = rng.permutation(len(corpus))
    sources = np.fromiter(map(len, corpus.sources), int)[order]
    targets = np.fromiter(map(len, corpus.targets), int)[order]
    by_length = np.lexsort((sources, targets))
    batches, start, longest = [], 0, 0
    for end, row in enumerate(by_length):
        longest_with_row = max(longest, sources[row], targets[row])
        if end > start and longest_with_row * (end + 1 - start) > tokens:
            batches.append(order[by_length[start:end]])
            start, longest_with_row = end, max(sources[row], targets[row])
        longest = longest_with_row
    batches.append(order[by_length[start:]])
    return [batches[index] for index in rng.permutation(len(batches))]


def batches_from(corpus: Corpus, tokens: int, seed: int, step: int) -> Iterator[np.ndarray]:
    """The batches of all epochs, from the `step`-th on: where a killed run continues."""
    for epoch in count():
        batches = epoch_batches(corpus, tokens, seed, epoch)
        yield from batches[step:]
        step = max(0, step - len(batches))
