"""Easier lessons: a target gives way to the model's own translation where that comes near enough.

People translate one sentence in many ways, and a model that learns from all of them hedges: its greedy
translation stays behind the one it would find with a beam. Shown what its own beam found, it commits
itself (Kim and Rush 2016, "Sequence-level knowledge distillation", section 3.3: interpolation). Where its
best is far from the target it is more likely wrong than differently right, and the target stays.
"""

from collections.abc import Iterator, Sequence

from sacrebleu import sentence_bleu

from model.beam import beam_search
from model.data import Pair, encode_pairs
from model.evaluation import in_batches
from model.tokenizer import Tokenizer
from model.transformer import Transformer

CHUNK = 1_024  # pairs between two moments at which something is known


def distil_pairs(
    model: Transformer, tokenizer: Tokenizer, pairs: Sequence[Pair], beam: int = 4, near: float = 50.0
) -> Iterator[Pair]:
    """Every pair in turn, with its easier target; one longer than the model reads is left out."""
    corpus = encode_pairs(pairs, tokenizer, model.config.length)
    for start in range(0, len(corpus), CHUNK):
        chunk = corpus.pairs[start : start + CHUNK]
        sources = corpus.sources[start : start + CHUNK]
        easier: dict[int, str] = {}
        for rows in in_batches(sources):
            searches = beam_search(model, [sources[row] for row in rows], beam)
            for row, search in zip(rows, searches, strict=True):
                written = [tokenizer.decode(each.ids) for each in search.hypotheses if each.finished]
                easier[row] = nearest(written, chunk[row][1], near)
        yield from ((source, easier[row]) for row, (source, _) in enumerate(chunk))


def nearest(written: Sequence[str], target: str, near: float) -> str:
    """The text most like the target by sentence BLEU; the target itself if none is at least so near.

    >>> nearest(["Tu viens ?", "Est-ce que tu viens ici ?"], "Est-ce que tu viens là ?", near=50)
    'Est-ce que tu viens ici ?'
    >>> nearest(["Il dort."], "Est-ce que tu viens là ?", near=50)
    'Est-ce que tu viens là ?'
    """
    scored = ((sentence_bleu(text, [target]).score, text) for text in written if text)
    score, text = max(scored, key=lambda both: both[0], default=(0.0, target))
    return text if score >= near else target
