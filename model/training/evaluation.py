"""How good a model is on pairs it has not seen: loss, probabilities, BLEU and chrF."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import sacrebleu
import torch

from model.decoding.search import Hypothesis, greedy, pad
from model.network.config import PAD, START
from model.network.transformer import Transformer
from model.text.tokenizer import Tokenizer
from model.training.data import Corpus

BATCH = 64


class Quality(NamedTuple):
    bleu: float
    chrf: float
    signature: str
    sentences: int


def quality(written: Sequence[str], references: Sequence[str]) -> Quality:
    """Corpus BLEU and chrF by sacrebleu's defaults, with BLEU's signature."""
    bleu, chrf = sacrebleu.BLEU(), sacrebleu.CHRF()
    return Quality(
        bleu=bleu.corpus_score(written, [references]).score,
        chrf=chrf.corpus_score(written, [references]).score,
        signature=str(bleu.get_signature()),
        sentences=len(written),
    )


def in_batches(sources: Sequence[Sequence[int]], size: int = BATCH) -> Iterator[list[int]]:
    """Rows in batches of similar length: little padding, and the order can be restored."""
    order = sorted(range(len(sources)), key=lambda row: len(sources[row]))
    yield from (order[start : start + size] for start in range(0, len(order), size))


def translate_all(model: Transformer, sources: Sequence[Sequence[int]]) -> list[Hypothesis]:
    """Greedy translations of many sentences, in the order given."""
    found: dict[int, Hypothesis] = {}
    for rows in in_batches(sources):
        found.update(zip(rows, greedy(model, [sources[row] for row in rows]), strict=True))
    return [found[row] for row in range(len(sources))]


@torch.inference_mode()
def log_probabilities(
    model: Transformer, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> list[float]:
    """Total natural-log probability of each target given its source, end token included."""
    found: dict[int, float] = {}
    device = model.to_vocabulary.weight.device
    for rows in in_batches(targets):
        source = pad([sources[row] for row in rows])
        target = pad([[START, *targets[row]] for row in rows])
        log_probs = model(source.to(device), target[:, :-1].to(device)).log_softmax(-1).cpu()
        predicted = target[:, 1:]
        each = log_probs.gather(-1, predicted[..., None])[..., 0]
        totals = each.masked_fill(predicted == PAD, 0).sum(-1)
        found.update(zip(rows, totals.tolist(), strict=True))
    return [found[row] for row in range(len(targets))]


def dev_loss(model: Transformer, corpus: Corpus) -> float:
    """Mean cross-entropy a piece, in nats, without smoothing."""
    totals = log_probabilities(model, corpus.sources, corpus.targets)
    return -sum(totals) / sum(map(len, corpus.targets))


def bleu_of(model: Transformer, tokenizer: Tokenizer, corpus: Corpus) -> float:
    written = [tokenizer.decode(found.ids) for found in translate_all(model, corpus.sources)]
    return quality(written, [target for _, target in corpus.pairs]).bleu
