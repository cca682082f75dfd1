"""One process's part in a training run: its steps, and whatever is due after each of them.

The batch and the random numbers of step n depend on the seed and n alone, so a run that was killed continues
as if nothing had happened.
"""

import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from model import checkpoint
from model.network.transformer import Transformer
from model.processes import Processes
from model.progress import progress
from model.text.tokenizer import Tokenizer
from model.training import film
from model.training.data import Corpus, Pair, batches_from
from model.training.evaluation import bleu_of, dev_loss
from model.training.loss import compute_gradients
from model.training.memory import return_memory
from model.training.optimizer import Optimizer
from model.training.piece_dropout import PieceDropout
from model.training.records import Records
from model.training.settings import Settings

SHIPPED_LOG_LINES = 600
RETURN_EVERY = 20  # steps after which unused memory is given back
MEMORY = 100  # batches after which moments have forgotten where they began: 0.98 ** 100 = 0.13


@dataclass
class Run:
    """The model, what it learns from, and the records that it leaves."""

    settings: Settings
    tokenizer: Tokenizer
    records: Records
    group: Processes
    corpus: Corpus
    dev: Corpus
    film_pairs: list[Pair]
    begin: Path | None = None

    def __post_init__(self) -> None:
        model = checkpoint.untrained_any(self.settings.config, self.settings.seed)
        self.model = model.to(self.group.device)
        self.piece_dropout = PieceDropout(self.tokenizer, self.settings.piece_dropout)
        self.optimizer = Optimizer(self.model, self.settings.optimizer, self.group)
        if self.corpus.skipped and self.group.first:
            longest = self.settings.config.length
            print(f"left out {self.corpus.skipped} pairs of more than {longest} pieces", file=sys.stderr)

    def go(self) -> None:
        settings, first = self.settings, self.group.first
        done, seconds = self._resume()
        began = time.monotonic() - seconds
        batches = batches_from(self.corpus, settings.tokens, settings.seed, done)
        with progress(settings.steps, done, shown=first) as bar:
            for step in range(done + 1, settings.steps + 1):
                since = time.monotonic()
                loss, plain, pieces = self._step(step, next(batches))
                seconds = time.monotonic() - began
                if self._saves(step):
                    self.optimizer.gather_moments()
                if step % RETURN_EVERY == 0:
                    return_memory()
                if not first:
                    continue
                speed = pieces / (time.monotonic() - since)
                self.records.note(
                    step=step, loss=loss, plain=plain, rate=settings.rate(step), pieces=pieces,
                    seconds=round(seconds, 2),
                )  # fmt: skip
                self._milestones(step, seconds)
                bar.set_postfix_str(f"loss {loss:.3f}, {speed:,.0f} tokens/s", refresh=False)
                bar.update()

    def _resume(self) -> tuple[int, float]:
        """The step and the seconds so far. Only the first process needs the files: it tells the others."""
        step, seconds, adopted = 0, 0.0, False
        if self.group.first:
            saved = self.records.restore(self.model, self.optimizer)
            if not saved and self.begin:
                saved = self.records.adopt(self.begin, self.model)
                adopted = True
            step, seconds = saved or (step, seconds)
            if step > self.settings.steps:
                raise ValueError(
                    f"this run has made {step} steps already; it cannot end after {self.settings.steps}"
                )
            self.records.forget_after(step if saved else -1)
            if not saved:
                self._milestones(0, 0.0)
        step, adopted = self.group.share(torch.tensor([step, adopted])).tolist()
        for weight in self.model.parameters():
            self.group.share(weight.data)
        if step:
            self.optimizer.count_steps(step)
            for _, moment in self.optimizer.moments():
                self.group.share(moment)
        if adopted:
            self._gather_moments(step)
        return step, seconds

    def _gather_moments(self, step: int) -> None:
        """Make the moments what they would be by now: the last batches once more, without moving a weight."""
        first = max(0, step - MEMORY)
        batches = batches_from(self.corpus, self.settings.tokens, self.settings.seed, first)
        for number in range(first + 1, step + 1):
            self._step(number, next(batches), rate=0.0)

    def _step(self, step: int, batch: np.ndarray, rate: float | None = None) -> tuple[float, float, int]:
        settings = self.settings
        torch.manual_seed(_seed(settings.seed, step, self.group.rank))
        self.model.train()
        corpus = self.corpus
        if settings.piece_dropout:
            # The same for every process: it depends on the step alone.
            seed, longest = _seed(settings.seed, step), settings.config.length
            corpus = self.piece_dropout.corpus(corpus, batch, seed, longest)
            batch = np.arange(len(corpus))
        half = settings.precision == "bfloat16"
        result = compute_gradients(
            self.model, corpus, batch, settings.smoothing, self.group, settings.consistency, half
        )
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), settings.clip)
        self.optimizer.step(settings.rate(step) if rate is None else rate)
        return result

    def _saves(self, step: int) -> bool:
        return self._filmed(step) or step % self.settings.save_every == 0

    def _filmed(self, step: int) -> bool:
        return bool(self.film_pairs) and step in film.moments(self.settings.steps)

    def _milestones(self, step: int, seconds: float) -> None:
        """Whatever is due after this step. The state comes last: if it is there, so is the rest."""
        settings = self.settings
        filmed = self._filmed(step)
        if filmed or (step and step % settings.evaluate_every == 0):
            self.model.eval()
            loss, bleu = self._evaluate()
            self.records.note(step=step, dev_loss=loss, bleu=bleu, seconds=round(seconds, 2))
            if filmed:
                self._film(step, loss, bleu)
        if step % settings.snapshot_every == 0 or step == settings.steps:
            self.records.keep_snapshot(step, self.model, settings.average)
        if self._saves(step):
            self.records.save(step, seconds, self.model, self.optimizer)

    def _evaluate(self) -> tuple[float, float]:
        return dev_loss(self.model, self.dev), bleu_of(self.model, self.tokenizer, self.dev)

    def _film(self, step: int, loss: float, bleu: float) -> None:
        if not self.film_pairs or not isinstance(self.model, Transformer):
            return
        frame = film.take_frame(self.model, self.tokenizer, self.film_pairs)
        facts = {"rates": self.settings.rate(step), "dev_losses": loss, "bleus": bleu}
        self.records.keep_frame(step, frame | {name: np.array(fact) for name, fact in facts.items()})

    def finish(self, out: Path) -> None:
        """Average, store, and take the film's last frame from exactly the weights that were stored.

        A run that films nothing, because all its sentences are too long or it has no heads, has no film.
        """
        for name, weight in self.records.average().items():
            self.model.get_parameter(name).data.copy_(weight)
        checkpoint.save(out, self.model, self.tokenizer)
        self.model = checkpoint.load_any(out)[0].to(self.group.device)
        loss, bleu = self._evaluate()
        self._film(self.settings.steps, loss, bleu)
        self.records.note_scores(self.settings.steps, loss, bleu)
        if self.film_pairs:
            film.write_film(out / film.NAME, self.records.read_frames(), self.film_pairs, self.tokenizer)
        self.records.write_short_log(out / "log.jsonl", SHIPPED_LOG_LINES)
        checkpoint.seal(out)
        print(f"{out}: dev loss {loss:.3f}, BLEU {bleu:.1f} on {len(self.dev)} pairs", file=sys.stderr)


def _seed(*numbers: int) -> int:
    """One seed from several numbers, so that every step of every process has dropout of its own."""
    return int(np.random.SeedSequence(numbers).generate_state(1, np.uint64)[0])
