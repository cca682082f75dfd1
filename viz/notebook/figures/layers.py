"""What each layer does to one token: what sublayers add, their norms, the way up, units, words, gradients."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from model.inspect.gradients import gradient_norms
from model.inspect.sublayers import PARTS, Sublayer, sublayers
from model.network.kinds import KINDS, stack_of
from viz.figures.drawing import Drawing
from viz.notebook.asked import Asked
from viz.pages.home.figures.architecture import architecture
from viz.pages.home.numbers import row_of, run
from viz.pages.layers import numbers
from viz.pages.layers.figures import depth, diagram, stream
from viz.state.picture import sides


@dataclass(frozen=True)
class Way:
    """One token's way up its stack."""

    now: Asked

    @property
    def stack(self) -> str:
        return stack_of(self.now.here.kind)

    @cached_property
    def steps(self) -> list[Sublayer]:
        return sublayers(self.stack, len(self.now.trace.attention["encoder"]))

    @property
    def places(self) -> list[diagram.Place]:
        return [step[:3] for step in self.steps]

    @property
    def place(self) -> diagram.Place:
        part = "cross" if self.now.here.kind == "cross" else "attention"
        return self.stack, self.now.here.layer, part

    @property
    def vectors(self) -> numbers.Stream:
        return self.now.trace.stream[self.stack]

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        looking, _ = sides(self.now.trace, self.now.here.kind, self.now.here.reading)
        return tuple(self.now.labels(looking.pieces))

    @cached_property
    def row(self) -> int:
        if self.now.here.row is not None:
            return self.now.here.row
        looking, _ = sides(self.now.trace, self.now.here.kind, self.now.here.reading)
        return numbers.usual_row(looking.pieces, looking.words)


def _diagram(now: Asked) -> Drawing:
    config, way = now.needed("diagram").config, Way(now)
    shape = diagram.Shape(
        config.layers, len(now.trace.source.ids), len(now.trace.target.read),
        config.width, config.hidden, config.heads, config.vocabulary, config.decoder_layers,
    )  # fmt: skip
    found = numbers.added(way.vectors, way.steps, way.row)
    lengths = dict(zip(map(diagram.name, way.places), found.after, strict=True))
    parts = {stack: tuple(each) for stack, each in PARTS.items()}
    return diagram.architecture(shape, parts, way.place, {"embedding": found.before[0]} | lengths, now.say)


def _added(now: Asked) -> Drawing:
    way = Way(now)
    found = numbers.added(way.vectors, way.steps, way.row)
    return stream.added(way.places, found._asdict(), way.place, now.say)


def _norm(now: Asked) -> Drawing:
    way = Way(now)
    found = numbers.spreads(way.vectors, way.steps, way.row)
    return stream.norms(way.places, found._asdict(), way.place, now.say)


def _path(now: Asked) -> Drawing:
    """On the two directions along which this sentence's own points differ most."""
    way = Way(now)
    points = numbers.heights(way.vectors, way.steps)
    plane = numbers.fit_plane(points)
    placed = plane.place(points)
    return stream.path(placed, placed.reshape(-1, 2), way.row, way.tokens, way.places, way.place, now.say)


def _hidden(now: Asked) -> np.ndarray:
    way = Way(now)
    where = next(step.where for step in way.steps if step[1:3] == (now.here.layer, "feed_forward"))
    return way.vectors[f"{where}.hidden"][way.row]


def _units(now: Asked) -> Drawing:
    return depth.units(_hidden(now), now.say)


def _unit_bars(now: Asked) -> Drawing:
    hidden = _hidden(now)
    best = numbers.strongest(hidden)
    return depth.unit_bars(best.tolist(), hidden[best], now.say)


def _vocabulary(now: Asked) -> Drawing:
    """What the vocabulary would say after each decoder layer, at one row of the decoder."""
    choices = now.needed("vocabulary").tokenizer.choices
    row = row_of(now.trace, now.here.row if now.here.kind != "encoder" else None)
    ids, log_probs = (array[:, row] for array in now.trace.top)  # (L, 20)
    pieces = [now.labels(choices(each.tolist())) for each in ids]
    final = now.trace.target.predicted_ids[row]
    (label,) = now.labels(choices([final]))
    return depth.vocabulary(pieces, np.exp(log_probs), ids, final, label, numbers.ranks(ids, final), now.say)


def _gradients(now: Asked) -> Drawing:
    way, trace = Way(now), now.trace
    found = gradient_norms(now.needed("gradients").model, trace.source.ids, trace.target.predicted_ids)
    paths = [way.steps[0].before, *(step.after for step in way.steps)]
    beside = {
        name: numbers.beside_top(np.array([by_path[path][way.row] for path in paths]))
        for name, by_path in found.items()
    }
    count = len(PARTS[way.stack])
    ticks = [(layer * count, str(layer)) for layer in range(len(way.steps) // count + 1)]
    return depth.gradients(beside, ticks, way.places.index(way.place) + 1, now.say)


def _architecture(now: Asked) -> Drawing:
    """Figure 1 of the paper with this run in its boxes."""
    translator, here, say = now.needed("architecture"), now.here, now.say
    row = row_of(now.trace, here.row if here.kind != "encoder" else None)
    found = run(
        now.trace, translator.config, row=row, kind=here.kind, layer=here.layer, heads=here.head,
        spell=translator.tokenizer.choices, say=say,
    )  # fmt: skip
    mean = say("home.mean", layer=here.layer + 1, heads=translator.config.heads)
    whose = {kind: now.named if kind == here.kind else mean for kind in KINDS}
    return architecture(found, whose, here.kind, now.sentence, say)


FIGURES: dict[str, Callable[[Asked], Drawing]] = {
    "architecture": _architecture,
    "diagram": _diagram,
    "added": _added,
    "norm": _norm,
    "path": _path,
    "units": _units,
    "unit_bars": _unit_bars,
    "vocabulary": _vocabulary,
    "gradients": _gradients,
}
