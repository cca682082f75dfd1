"""What every head does, over a corpus: sentences in, one JSON of measures and roles out."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from model.atlas.gathered import Atlas, Numbered
from model.atlas.report import as_json
from model.checkpoint import untrained
from model.processes import Processes
from model.text.treebank import Annotated
from model.translator import Translator

CHUNK = 32  # sentences that are translated and replayed together


def make_atlas(
    translator: Translator, sentences: Iterable[Annotated], corpus: str, *, silencing: bool = True,
    group: Processes | None = None, progress: Callable[[int], None] | None = None, chunk: int = CHUNK,
) -> dict[str, Any]:  # fmt: skip
    """Measure every head on every sentence.

    Processes take chunks in turn, so that the same sentences run together however many processes there are.
    `progress` is told how many sentences this process has done, and may raise to stop.
    """
    group = group or Processes()
    atlas = Atlas(translator, replace(translator, model=untrained(translator.config)), silencing)
    done = 0
    for part in islice(_chunks(sentences, chunk), group.rank, None, group.count):
        for _ in atlas.add(part):
            done += 1
            if progress:
                progress(done)
    atlas.merge(group)
    return as_json(atlas, corpus)


def _chunks(sentences: Iterable[Annotated], size: int) -> Iterator[list[Numbered]]:
    numbered = iter(enumerate(sentences))
    while chunk := list(islice(numbered, size)):
        yield chunk
