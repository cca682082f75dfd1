"""How a word's place enters: the table of waves, and what positions do to the first layer's scores."""

from collections.abc import Callable

import numpy as np

from viz.figures.drawing import Drawing
from viz.figures.heatmap_svg import heatmap_svg
from viz.notebook.asked import Asked
from viz.pages.positions import figures, numbers
from viz.state.picture import sides, spoken
from viz.state.rows import rows
from viz.text import plain

BASE = 10_000  # paper, section 3.5
PLACES, FIRST, SECOND, FINEST = 32, 2, 8, 48  # positions that are drawn, two to compare, cells of a side


def _waves(now: Asked) -> np.ndarray:
    """The table in the model's own width."""
    width = now.trace.stream["encoder"]["encoder.embedding.sum"].shape[-1]
    return numbers.table(PLACES, width, BASE)


def _table(now: Asked) -> str:
    return _map(now, "positions_table", _waves(now)[:, :FINEST], "dimension", 1.0)


def _products(now: Asked) -> str:
    return _map(now, "positions_products", numbers.products(_waves(now)), "position")


def _map(now: Asked, name: str, values: np.ndarray, across: str, most: float | None = None) -> str:
    most = float(abs(values).max()) if most is None else most
    labels = ([str(place) for place in range(count)] for count in values.shape)
    return heatmap_svg(
        values, *labels, most=most, least=-most, rows=now.say("positions.axis.position"),
        columns=now.say(f"positions.axis.{across}"), title=now.say(f"export.{name}"), titles=False,
    )  # fmt: skip


def _vectors(now: Asked) -> Drawing:
    first, second = _waves(now)[[FIRST, SECOND]]
    one, other = f"PE({FIRST})", f"PE({SECOND})"
    drawn = {one: first, other: second, f"{one} ⊙ {other}": first * second}
    return figures.vectors(drawn, now.say("export.positions_vectors"))


def _likeness(now: Asked) -> Drawing:
    name = f"PE({FIRST}) · PE(pos)"
    return figures.likeness(
        numbers.products(_waves(now))[FIRST], FIRST, SECOND, title=now.say("export.positions_row"),
        x_title=now.say("positions.axis.position"), y_title=name, name=name,
    )  # fmt: skip


def _terms(now: Asked) -> tuple[str, numbers.Terms]:
    """Self-attention's own kind, and the scores of its first layer taken apart."""
    kind = (
        "encoder" if now.here.kind == "cross" else now.here.kind
    )  # the encoder's words are what it looks at
    found = numbers.terms(now.trace, kind, now.head)
    if found is None:
        raise ValueError("this checkpoint adds no positions to its words: there is nothing to take apart")
    return kind, found


def _parts(now: Asked) -> Drawing:
    kind, found = _terms(now)
    looking, looked_at = sides(now.trace, kind, now.here.reading)
    row = now.here.row if now.here.row is not None and now.here.kind == kind else None
    row = found.strongest(spoken(looking)) if row is None else row
    seen, keys = np.flatnonzero(found.mask[row]), now.labels(looked_at.pieces)
    return figures.stacked(
        found.parts[:, row, seen], found.scores[row, seen], [keys[place] for place in seen], _names(now),
        title=now.say("positions.terms.alt", word=rows(now.trace, kind, now.say).options()[row]),
        total=now.say("positions.terms.total"),
    )  # fmt: skip


def _sizes(now: Asked) -> Drawing:
    return figures.sizes(_terms(now)[1].sizes, _names(now), now.say("export.positions_sizes"))


def _scores(now: Asked) -> str:
    kind, found = _terms(now)
    looking, looked_at = sides(now.trace, kind, now.here.reading)
    most = float(abs(found.scores[found.mask]).max())
    return heatmap_svg(
        found.scores, now.labels(looking.pieces), now.labels(looked_at.pieces), mask=found.mask, most=most,
        least=-most, rows=now.say(looking.axis), columns=now.say(looked_at.axis),
        title=plain(now.say(f"positions.terms.scores.{kind}", head=now.head + 1)),
        scale=now.say("positions.unit.score"),
    )  # fmt: skip


def _names(now: Asked) -> list[str]:
    return [now.say(f"positions.terms.{name}") for name in numbers.TERMS]


FIGURES: dict[str, Callable[[Asked], Drawing | str]] = {
    "positions_table": _table,
    "positions_vectors": _vectors,
    "positions_row": _likeness,
    "positions_products": _products,
    "positions_terms": _parts,
    "positions_sizes": _sizes,
    "positions_scores": _scores,
}
