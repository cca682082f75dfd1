"""How a small Transformer is trained on a task: all that decides what its film shows, bit for bit."""

from dataclasses import dataclass, replace

from model.inspect.edits import Edit, Scale, Skip, Unscale
from model.network.config import Config
from model.network.kinds import KINDS, stack_of
from model.training.toys.own import SPLITS, read_pairs
from model.training.toys.tasks import TASKS, Task

LAYERS, HEADS, WIDTHS = (1, 2), (1, 2, 4, 8), (32, 64, 128)
POSITIONS = ("sinusoidal", "learned", "rotary", "none")
SWITCHES = ("scaled", "residual", "norm", "warm", "smoothed")
BATCH, PEAK, WARM, SMOOTHING = 64, 2e-3, 50, 0.1
HIDDEN = 2  # times the width
OWN = "own"
ROOM = 16  # positions
Place = tuple[str, int, int]  # kind, layer, head
Off = tuple[tuple[int, int], ...]  # step from which on a head is switched, and its number among all


@dataclass(frozen=True)
class Recipe:
    """The same recipe gives the same film."""

    task: str = "grammar"
    seed: int = 0
    layers: int = 1
    heads: int = 4
    width: int = 64
    positions: str = "sinusoidal"
    scaled: bool = True  # scores are divided by √d_k
    residual: bool = True
    norm: bool = True
    warm: bool = True  # the rate grows over the first steps
    smoothed: bool = False  # labels
    off: Off = ()  # each switches a head: off, and the next time on again
    pairs: str = ""  # of a task of one's own, as they were typed
    split: str = SPLITS[0]

    def learnt(self) -> Task:
        """What is learnt; ValueError where it is a list of one's own that cannot be."""
        return read_pairs(self.pairs, self.split) if self.task == OWN else TASKS[self.task]

    def config(self, words: int) -> Config:
        return Config(
            words, width=self.width, heads=self.heads, layers=self.layers, hidden=HIDDEN * self.width,
            dropout=0.0, positions=self.positions, length=ROOM,
        )  # fmt: skip

    def rate(self, step: int, steps: int) -> float:
        """The learning rate of a step, the first is 1: it falls to nothing, so that films end calm."""
        left = (steps + 1 - step) / steps
        return PEAK * min(step / WARM if self.warm else 1.0, left)

    def places(self) -> list[Place]:
        """Every head, in the order of the numbers that `off` has."""
        return [
            (kind, layer, head)
            for kind in KINDS
            for layer in range(self.layers)
            for head in range(self.heads)
        ]

    def silent(self, step: int) -> tuple[Place, ...]:
        """The heads that are off when this step is taken."""
        switched = [number for since, number in self.off if since <= step]
        return tuple(place for number, place in enumerate(self.places()) if switched.count(number) % 2)

    def edits(self, step: int) -> list[Edit]:
        """What is different from the paper's model while this step is taken."""
        made: list[Edit] = []
        if not self.scaled:
            made += [Unscale(path.format("*")) for path in KINDS.values()]
        for part in ("residual", "norm"):
            if not getattr(self, part):
                made += [Skip(path, part) for path in _sublayers()]
        return made + [Scale(KINDS[kind].format(layer), head) for kind, layer, head in self.silent(step)]

    def switched(self, place: Place, step: int) -> "Recipe":
        """The same with a head switched from a step on; twice at the same step is not at all.

        >>> Recipe().switched(("cross", 0, 1), 20).off
        ((20, 9),)
        """
        made = step, self.places().index(place)
        kept = tuple(each for each in self.off if each != made)
        return replace(self, off=kept if made in self.off else tuple(sorted((*kept, made))))

    def always(self, place: Place) -> "Recipe":
        """The same with a head off from the first step on; one that was ever off is on throughout."""
        number = self.places().index(place)
        kept = tuple(each for each in self.off if each[1] != number)
        return replace(self, off=kept if kept != self.off else tuple(sorted((*kept, (1, number)))))


def _sublayers() -> list[str]:
    attention = [path.format("*") for path in KINDS.values()]
    return [*attention, *(f"{stack_of(kind)}.layers.*.feed_forward" for kind in ("encoder", "decoder"))]
