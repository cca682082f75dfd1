"""Train a small Transformer of our own on a task and film it: a function of the recipe alone.

Random numbers come from generators of its own: whatever else this process draws, the film stays the same.
Shapes   B batch · H heads · T target rows · S source positions · V vocabulary
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.decoding.search import greedy
from model.network.batches import pad, read_ids
from model.network.config import END, PAD
from model.network.hooks import watch
from model.network.kinds import KINDS, sides
from model.network.positions import Learned
from model.network.transformer import Transformer
from model.training.toys.film import Film, Frame
from model.training.toys.recipe import BATCH, OWN, SMOOTHING, Recipe
from model.training.toys.tasks import Example

SPECIAL = 4  # ids before the first word
HELD_OUT = 128
Ids = tuple[tuple[int, ...], tuple[int, ...]]


def moments(steps: int) -> Iterator[int]:
    """The steps after which a frame is taken: close together at first, when most happens.

    >>> [*moments(150)][-8:]
    [90, 95, 100, 110, 120, 130, 140, 150]
    """
    step = 0
    while step < steps:
        yield step
        step += 5 if step < 100 else 10 if step < 400 else 20
    yield steps


class Lesson:
    """One training: the model, its examples, and the film so far."""

    def __init__(self, recipe: Recipe, steps: int | None = None) -> None:
        self.recipe, self.task = recipe, recipe.learnt()
        self.ids = {word: number for number, word in enumerate(self.task.words, SPECIAL)}
        self.model = _fresh(Transformer(recipe.config(len(self.task.words) + SPECIAL)), recipe.seed)
        self.optimizer = torch.optim.Adam(self.model.parameters(), betas=(0.9, 0.98), eps=1e-9, fused=True)
        self.draw = Random(f"{recipe.task} {recipe.seed}")
        self.held_out = self._hold_out()
        self.kept_back = set() if recipe.task == OWN else {self.task.shown, *self.held_out}
        self.film = Film(recipe, self.task.shown, self.task.steps if steps is None else steps)

    def frames(self, rest: Callable[[], None] = lambda: None) -> Iterator[Frame]:
        """Train, and stop where nobody asks for the next frame; `rest` between steps."""
        step = 0
        for moment in moments(self.film.steps):
            while step < moment:
                step += 1
                self.step(step)
                rest()
            self.film.frames.append(self.look(step))
            yield self.film.frames[-1]
        self.film.done = True

    def after(self, step: int) -> int:
        """The step of the frame that follows."""
        return next((each for each in moments(self.film.steps) if each > step), self.film.steps)

    def step(self, step: int) -> None:
        source, read, target = self._tensors([self._fresh_example() for _ in range(BATCH)])
        self.optimizer.param_groups[0]["lr"] = self.recipe.rate(step, self.film.steps)
        self.optimizer.zero_grad(set_to_none=True)
        with watch(edits=self.recipe.edits(step)):
            logits = self.model(source, read)
        smoothing = SMOOTHING if self.recipe.smoothed else 0.0
        F.cross_entropy(
            logits.flatten(0, 1), target.flatten(), ignore_index=PAD, label_smoothing=smoothing
        ).backward()
        self.optimizer.step()

    def switch(self, recipe: Recipe) -> None:
        """Go on by a recipe that says the same of all steps so far: only in its switches may it differ."""
        self.recipe = recipe
        self.film = Film(recipe, self.film.example, self.film.steps, list(self.film.frames))

    @torch.no_grad()
    def look(self, step: int) -> Frame:
        """How well it goes now, with the same heads off as in the step before."""
        edits, patterns = self.recipe.edits(step), [f"{path.format('*')}.pattern" for path in KINDS.values()]
        source, read, target = self._tensors([self.task.shown, *self.held_out])
        with watch(keep=patterns, edits=edits) as seen:
            log_probs = self.model(source, read).log_softmax(-1)
        with watch(edits=edits):
            (written,) = greedy(self.model, [self._spelled(self.task.shown)[0]])
        real = target[1:] != PAD
        right = (log_probs.argmax(-1)[1:] == target[1:]) | ~real
        chances = log_probs[1:].gather(-1, target[1:, :, None])[..., 0][real]
        layers = range(self.recipe.layers)
        found = {kind: torch.stack([seen[f"{path.format(layer)}.pattern"][0] for layer in layers])
                 for kind, path in KINDS.items()}  # (L, B, H, Q, K)  # fmt: skip
        # The answer read word by word is right throughout exactly where every row of this pass is right.
        return Frame(
            step, -float(chances.mean()), float(right.all(-1).float().mean()),
            _looks(found["cross"][:, 1:], self.held_out), self._words(written.ids),
            _maps(found, self.task.shown), self.recipe.silent(step),
        )  # fmt: skip

    def _hold_out(self) -> list[Example]:
        """Examples to measure on, which are never trained on; of a list of one's own, the list itself."""
        if self.recipe.task == OWN:
            return [*{self.task.draw(self.draw): None for _ in range(16 * HELD_OUT)}]
        others = Random(f"{self.recipe.task} held out")  # the same for all seeds
        return [self.task.draw(others) for _ in range(HELD_OUT)]

    def _fresh_example(self) -> Example:
        example = self.task.draw(self.draw)
        while example in self.kept_back:
            example = self.task.draw(self.draw)
        return example

    def _spelled(self, example: Example) -> Ids:
        source, target = ((*(self.ids[word] for word in side), END) for side in example[:2])
        return source, target

    def _tensors(self, examples: Sequence[Example]) -> tuple[Tensor, Tensor, Tensor]:
        """Source, what the decoder reads, and what it must predict."""
        sources, targets = zip(*map(self._spelled, examples), strict=True)
        return pad(sources), pad([read_ids(target) for target in targets]), pad(targets)

    def _words(self, ids: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.task.words[id - SPECIAL] if id >= SPECIAL else "?" for id in ids if id != END)


def _fresh(model: Transformer, seed: int) -> Transformer:
    """Weights as the model begins with, drawn from a generator of its own."""
    draw = torch.Generator().manual_seed(seed)
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight, generator=draw)
        elif isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, std=module.embedding_dim**-0.5, generator=draw)
        elif isinstance(module, Learned):
            nn.init.normal_(module.table, std=module.table.shape[1] ** -0.5, generator=draw)
    return model.train()


def _looks(patterns: Tensor, examples: Sequence[Example]) -> np.ndarray:  # (L, B, H, T, S) -> (L, H)
    """How many rows have their strongest cell at the true position."""
    rows = [(number, row, place) for number, each in enumerate(examples)
            for row, place in enumerate(each.true) if place is not None]  # fmt: skip
    if not rows:
        return np.full((len(patterns), patterns.shape[2]), np.nan)
    number, row, true = torch.tensor(rows).T
    return (patterns[:, number, :, row].argmax(-1) == true[:, None, None]).float().mean(0).numpy()


def _maps(patterns: dict[str, Tensor], example: Example) -> dict[str, np.ndarray]:
    """The example's own maps, without padding."""
    sizes = sides(len(example.source) + 1, len(example.target) + 1)
    return {
        kind: patterns[kind][:, 0, :, :rows, :columns].numpy().astype(np.float16)
        for kind, (rows, columns) in sizes.items()
    }
