"""How a language model with a memory learns: passages side by side, one segment a step.

A chapter is as many steps as a passage has segments, and begins with an empty memory. What happens in it
depends on the seed and its number alone, and the state is saved between chapters: a run that was killed
continues as if nothing had happened.
"""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
import torch
from safetensors import safe_open
from safetensors.torch import load_file
from safetensors.torch import save as to_bytes
from torch import Tensor
from torch.func import functional_call

from model import checkpoint
from model.language.passages import SEGMENTS, chosen, segments
from model.language.store import untrained
from model.network.language import LanguageConfig
from model.processes import Processes
from model.progress import progress
from model.training.memory import return_memory, reuse_memory
from model.training.optimizer import Optimizer
from model.training.settings import learning_rate
from model.training.vocabulary_loss import vocabulary_loss

MAY_DIFFER = ("chapters", "cooldown")  # from what a run began with: it may end later, or sooner
ROUND = 5  # chapters that each of several runs reads in its turn; then its state is saved


@dataclass(frozen=True)
class Plan:
    """Everything that decides how a run goes."""

    config: LanguageConfig
    chapters: int = 120  # times SEGMENTS: the steps; a run may continue with another number
    streams: int = 32  # passages read side by side
    peak: float = 3e-3  # the highest learning rate, at the end of the warm-up
    warmup: int = 100  # steps
    cooldown: int = 600  # how many of the last steps bring the rate to zero, in a straight line
    clip: float = 1.0  # longest gradient
    seed: int = 1

    @property
    def steps(self) -> int:
        return self.chapters * SEGMENTS

    def rate(self, step: int) -> float:
        left = min(1.0, (self.steps + 1 - step) / self.cooldown)
        return learning_rate(step, self.peak, self.warmup) * left


def train_together(runs: Sequence["Run"], rows: np.ndarray) -> None:
    """Runs of one length in turns, so that wherever they are stopped they can be compared."""
    reuse_memory()
    chapters = runs[0].plan.chapters
    with progress(len(runs) * chapters, sum(len(run.losses) for run in runs)) as bar:

        def tell(loss: float) -> None:
            bar.set_postfix_str(f"loss {loss:.3f}", refresh=False)
            bar.update()

        for until in range(ROUND, chapters + ROUND, ROUND):
            for run in runs:
                if len(run.losses) < min(until, chapters):
                    run.go(rows, min(until, chapters), tell)


@dataclass
class Run:
    """A model on its way, and the file that holds how far it is."""

    plan: Plan
    folder: Path
    group: Processes
    seconds: float = 0.0
    losses: list[float] = field(default_factory=list)  # mean of each chapter, nats a piece

    def __post_init__(self) -> None:
        self.model = untrained(self.plan.config, self.plan.seed)
        self.optimizer = Optimizer(self.model, "muon", self.group)
        self.state = self.folder / "state.safetensors"
        self.folder.mkdir(parents=True, exist_ok=True)
        self._restore()

    def go(self, rows: np.ndarray, until: int, tell: Callable[[float], None] = lambda _: None) -> None:
        """Read chapters of these passages until so many are read; `tell` is told the loss of each."""
        began = time.monotonic() - self.seconds
        for chapter in range(len(self.losses), until):
            side_by_side = rows[chosen(len(rows), self.plan.streams, self.plan.seed, chapter)]
            self.losses.append(self._read(side_by_side, chapter))
            self.seconds = time.monotonic() - began
            tell(self.losses[-1])
        self._save()
        return_memory()

    def _read(self, rows: np.ndarray, chapter: int) -> float:
        """One chapter: a step for each segment. The mean loss a piece."""
        total, memory = 0.0, tuple(each.bfloat16() for each in self.model.begin(len(rows)))
        parts = segments(rows, self.plan.config.segment)
        for step, (read, right) in enumerate(parts, chapter * SEGMENTS + 1):
            weights = {name: weight.bfloat16() for name, weight in self.model.named_parameters()}
            hidden, memory = functional_call(self.model, weights, (torch.from_numpy(read), memory))
            _, plain = summed = vocabulary_loss(
                hidden.flatten(0, 1), weights["table.weight"], torch.from_numpy(right).flatten(), 0.0
            )
            self.model.zero_grad(set_to_none=True)
            (summed[0] / right.size).backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.plan.clip)
            self.optimizer.step(self.plan.rate(step))
            total += plain.item() / right.size
        return total / SEGMENTS

    def _save(self) -> None:
        tensors: dict[str, Tensor] = {f"weights.{name}": each for name, each in self.model.named_parameters()}
        tensors |= dict(self.optimizer.moments())
        far = {"losses": json.dumps(self.losses), "seconds": repr(self.seconds)}
        tensors = {name: tensor.detach().contiguous() for name, tensor in tensors.items()}
        checkpoint.write(self.state, to_bytes(tensors, {"plan": _agreed(self.plan), **far}))

    def _restore(self) -> None:
        if not self.state.exists():
            return
        with safe_open(self.state, "pt") as file:
            about = file.metadata()
        if about["plan"] != _agreed(self.plan):
            raise ValueError(
                f"{self.folder} holds a run with another plan; use its settings, or another folder"
            )
        self.losses, self.seconds = json.loads(about["losses"]), float(about["seconds"])
        if len(self.losses) > self.plan.chapters:
            raise ValueError(f"{self.folder} has made {len(self.losses)} chapters; it cannot end before")
        tensors = load_file(self.state)
        for name, weight in self.model.named_parameters():
            weight.data.copy_(tensors[f"weights.{name}"])
        for name, moment in self.optimizer.moments():
            moment.copy_(tensors[name])
        self.optimizer.count_steps(len(self.losses) * SEGMENTS)


def _agreed(plan: Plan) -> str:
    """What a run that goes on must share with its beginning: all but its end."""
    plain = asdict(plan)
    return json.dumps({name: plain[name] for name in sorted(plain.keys() - {*MAY_DIFFER})})
