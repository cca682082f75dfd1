"""How good a model is on pairs it has not seen: loss, BLEU and chrF."""

from collections.abc import Sequence
from typing import NamedTuple

import sacrebleu

from model.decoding.scoring import log_probabilities, translate_all
from model.network.seq2seq import Seq2Seq
from model.text.tokenizer import Tokenizer
from model.training.data import Corpus


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


def dev_loss(model: Seq2Seq, corpus: Corpus) -> float:
    """Mean cross-entropy per piece, in nats, without smoothing."""
    totals = log_probabilities(model, corpus.sources, corpus.targets)
    return -sum(totals) / sum(map(len, corpus.targets))


def bleu_of(model: Seq2Seq, tokenizer: Tokenizer, corpus: Corpus) -> float:
    written = [tokenizer.decode(found.ids) for found in translate_all(model, corpus.sources)]
    return quality(written, [target for _, target in corpus.pairs]).bleu
