"""Writing a translation one piece at a time: greedy, or sampled.

Every search runs on batches, reads each new piece once (the rest is in a KV cache) and keeps the
best alternatives of every step. Log-probabilities are always the model's own, natural logarithms,
before any temperature.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model.decoding.alone import Reader, possible
from model.network.batches import pad
from model.network.cache import Cache
from model.network.config import END, PAD, START
from model.network.seq2seq import Seq2Seq

ALTERNATIVES = 5
UNWRITTEN = [PAD, START]  # never written; the others keep the probabilities the model gave them
EXTRA = 50  # paper, section 6.1: at most the source's length + 50


@dataclass(frozen=True)
class Alternatives:
    """The best pieces at one step, best first."""

    ids: tuple[int, ...]
    log_probs: tuple[float, ...]


@dataclass(frozen=True)
class Hypothesis:
    """One translation. `ids` ends with the end token unless the length limit came first."""

    ids: tuple[int, ...]
    log_probs: tuple[float, ...]  # one per id
    alternatives: tuple[Alternatives, ...]  # one per id
    finished: bool
    score: float  # what it was ranked by: the sum of log_probs; in a beam, over the length penalty
    text: str = ""
    pieces: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sampling:
    """How to draw the next piece: sharpen, keep the likeliest `top_k`, or the likeliest `top_p`."""

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1e-6 <= self.temperature <= 1e6:
            raise ValueError(f"temperature must lie in [1e-6, 1e6], not {self.temperature}")
        if self.top_k is not None and self.top_k < 1:
            raise ValueError(f"top_k must be at least 1, not {self.top_k}")
        if self.top_p is not None and not 0 < self.top_p <= 1:
            raise ValueError(f"top_p must lie in (0, 1], not {self.top_p}")


class Run:
    """A batch of translations under way, one per row.

    `cached=False` reads every prefix again at each step: the slow twin that the cache must equal. With
    `longest`, the most pieces that it will read, a single sentence may take the short way.
    """

    def __init__(
        self, model: Seq2Seq, sources: Sequence[Sequence[int]], cached: bool = True, longest: int = 0
    ) -> None:
        self.model = model
        self.device = model.device
        self.cache = Cache() if cached else None
        self.reader: Reader | None = None
        if cached and longest and len(sources) == 1 and possible(model, sources[0]):
            self.reader = Reader(model, sources[0], longest)
        else:
            self.memory, self.mask = model.encode(pad(sources).to(self.device))
        self.prefix = torch.empty(len(sources), 0, dtype=torch.long, device=self.device)

    def step(self, ids: Sequence[int]) -> Tensor:
        """Let each row read its next id; log-probabilities of what may follow, (rows, V)."""
        logits = self.reader.read(ids) if self.reader else self._logits(ids)
        log_probs = logits.log_softmax(-1)
        log_probs[:, UNWRITTEN] = -torch.inf
        return log_probs

    def _logits(self, ids: Sequence[int]) -> Tensor:
        read = torch.tensor(ids, device=self.device)[:, None]
        start = self.prefix.shape[1]
        self.prefix = torch.cat((self.prefix, read), 1)
        if self.cache is not None:
            hidden = self.model.decode(read, self.memory, self.mask, self.cache)
        else:
            hidden = self.model.decode(self.prefix, self.memory, self.mask)
        return self.model.predict(hidden[:, -1:], start)[:, -1]

    def select(self, rows: Sequence[int]) -> None:
        """Continue with these rows only, in this order; a row may appear twice."""
        index = torch.tensor(rows, dtype=torch.long, device=self.device)
        if self.reader:
            self.reader.select(index)
            return
        self.memory, self.mask = self.memory[index], self.mask[index]
        self.prefix = self.prefix[index]
        if self.cache is not None:
            self.cache.select(index)


def greedy(
    model: Seq2Seq,
    sources: Sequence[Sequence[int]],
    prefixes: Sequence[Sequence[int]] | None = None,
    cached: bool = True,
) -> list[Hypothesis]:
    """Always the likeliest next piece; `prefixes` are ids each translation must begin with."""
    return _write_each(model, sources, lambda _, scores: scores.argmax(-1).tolist(), prefixes, cached)


def sample(
    model: Seq2Seq,
    sources: Sequence[Sequence[int]],
    sampling: Sampling,
    prefixes: Sequence[Sequence[int]] | None = None,
    cached: bool = True,
    seeds: Sequence[int] | None = None,
) -> list[Hypothesis]:
    """Draw each next piece; every sentence has its own random stream, so a batch changes nothing.

    `seeds` gives each sentence a seed of its own, instead of the sampling's: so one can be drawn many times.
    """
    seeds = [sampling.seed] * len(sources) if seeds is None else seeds
    generators = [torch.Generator().manual_seed(seed) for seed in seeds]

    def choose(sentences: Sequence[int], log_probs: Tensor) -> list[int]:
        return [
            int(torch.multinomial(chances(row, sampling), 1, generator=generators[sentence]))
            for sentence, row in zip(sentences, log_probs, strict=True)
        ]

    return _write_each(model, sources, choose, prefixes, cached)


def chances(log_probs: Tensor, sampling: Sampling) -> Tensor:  # (V)
    """How likely each piece is to be drawn: the model's probabilities, sharpened and cut."""
    return _restrict(log_probs.double() / sampling.temperature, sampling).softmax(-1)


def length_limit(model: Seq2Seq, source: Sequence[int], prefix: Sequence[int] = ()) -> int:
    """The most pieces a translation may have; a forced prefix must leave room for the end token."""
    if len(prefix) >= model.config.length:
        raise ValueError(f"the prefix has {len(prefix)} pieces; at most {model.config.length - 1} fit")
    return min(max(len(source), len(prefix)) + EXTRA, model.config.length)


def length_penalty(length: int, strength: float) -> float:
    """Wu et al. 2016, equation 14; the paper uses strength 0.6 (section 6.1)."""
    return ((5 + length) / 6) ** strength


def best_of(log_probs: Tensor) -> list[Alternatives]:  # (rows, V)
    values, ids = log_probs.topk(ALTERNATIVES)
    return [
        Alternatives(tuple(row_ids), tuple(row_values))
        for row_ids, row_values in zip(ids.tolist(), values.tolist(), strict=True)
    ]


@torch.inference_mode()
def _write_each(
    model: Seq2Seq,
    sources: Sequence[Sequence[int]],
    choose: Callable[[Sequence[int], Tensor], list[int]],
    prefixes: Sequence[Sequence[int]] | None,
    cached: bool,
) -> list[Hypothesis]:
    prefixes = prefixes or [()] * len(sources)
    limits = [length_limit(model, *both) for both in zip(sources, prefixes, strict=True)]
    run, live = Run(model, sources, cached, max(limits)), list(range(len(sources)))
    written: list[list[tuple[int, float, Alternatives]]] = [[] for _ in sources]
    read = [START] * len(sources)
    while live:
        log_probs = run.step(read).cpu()
        chosen, best = choose(live, log_probs), best_of(log_probs)
        for row, sentence in enumerate(live):
            at, forced = len(written[sentence]), prefixes[sentence]
            id = int(forced[at]) if at < len(forced) else chosen[row]
            written[sentence].append((id, float(log_probs[row, id]), best[row]))
        going = [
            row for row, sentence in enumerate(live)
            if written[sentence][-1][0] != END and len(written[sentence]) < limits[sentence]
        ]  # fmt: skip
        if going and len(going) < len(live):
            run.select(going)
        live = [live[row] for row in going]
        read = [written[sentence][-1][0] for sentence in live]
    return [_hypothesis(steps) for steps in written]


def _hypothesis(steps: list[tuple[int, float, Alternatives]]) -> Hypothesis:
    ids, log_probs, alternatives = zip(*steps, strict=True)
    return Hypothesis(ids, log_probs, alternatives, ids[-1] == END, sum(log_probs))


def _restrict(scores: Tensor, sampling: Sampling) -> Tensor:  # (V)
    """Minus infinity for whatever may not be drawn; the likeliest piece always may."""
    if sampling.top_k is not None and sampling.top_k < len(scores):
        scores = scores.masked_fill(scores < scores.topk(sampling.top_k).values[-1], -torch.inf)
    if sampling.top_p is not None:
        ordered, order = scores.softmax(-1).sort(descending=True)
        beyond = ordered.cumsum(-1) - ordered >= sampling.top_p
        scores = scores.index_fill(-1, order[beyond], -torch.inf)
    return scores
