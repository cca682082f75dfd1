"""What a token's vector is at each depth: units that fire, pieces of the vocabulary, gradients."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from viz.figures.charts import Series, bars, curves, legend
from viz.figures.drawing import Drawing, Mark, cells, line, rect, text
from viz.figures.numbers import fixed, power_of_ten, rounded
from viz.figures.svg import fitting

Say = Callable[..., str]

WIDE = 400
SHOWN = 5  # pieces of the vocabulary that are listed at each height
FLOOR = -8  # gradients below 10 to this power are drawn there
WAYS = {
    "trained": ("mark", False),
    "no_residual": ("series:1", False),
    "no_norm": ("series:2", True),
    "neither": ("series:3", True),
}


def units(hidden: np.ndarray, say: Say) -> Drawing:
    """Every unit of a feed-forward sublayer as one cell."""
    columns = max(8, int(np.ceil(np.sqrt(len(hidden)))))
    size = 360 / columns
    block = cells(hidden, 0, 0, size, name=say("units.unit"), columns=columns)
    return Drawing(360, size * np.ceil(len(hidden) / columns) + 2, say("units.title"), (block,))


def unit_bars(numbers: Sequence[int], values: Sequence[float], say: Say) -> Drawing:
    labels = [f"{say('units.unit')} {number + 1}" for number in numbers]
    marks = bars(values, labels, wide=360, high=22, names=[f"unit.{number}" for number in numbers])
    return Drawing(360, 22 * len(labels) + 2, say("units.strongest"), tuple(marks))


def vocabulary(
    pieces: Sequence[Sequence[str]], probabilities: np.ndarray, ids: np.ndarray, final: int,
    final_label: str, ranks: Sequence[int | None], say: Say,
) -> Drawing:  # fmt: skip
    """The likeliest pieces after each layer, and lines that follow a piece from list to list.

    `pieces`, `probabilities` and `ids` are (L, 20), best first; `final` is what is predicted in the end.
    """
    layers, shown, step, left = len(pieces), min(SHOWN, ids.shape[1]), 70, 20
    slot, high = (WIDE - left) / (shown + 1), layers * step + 18
    marks: list[Mark] = [
        text(f"{rank + 1}.", left + slot * (rank + 0.5), 11, size=11, anchor="middle", fill="faint")
        for rank in range(shown)
    ]
    column = lambda rank: shown if rank is None or rank > shown else rank - 1  # noqa: E731
    spot = lambda column, layer: (left + slot * (column + 0.5), 18 + layer * step)  # noqa: E731
    for layer in range(layers - 1):
        here, below = (list(ids[each][:shown]) for each in (layer, layer + 1))
        for rank, piece in enumerate(here):
            if piece != final and piece in below:
                marks.append(_link(spot(rank, layer), spot(below.index(piece), layer + 1), "line", 1))
        ends = spot(column(ranks[layer]), layer), spot(column(ranks[layer + 1]), layer + 1)
        marks.append(_link(*ends, "mark", 2.5))
    for layer in range(layers):
        marks.append(text(str(layer + 1), 4, spot(0, layer)[1] + 24, size=12, bold=True))
        for rank in range(shown):
            own = bool(ids[layer, rank] == final)
            marks += _piece(
                pieces[layer][rank], fixed(probabilities[layer, rank]), spot(rank, layer), slot, own,
                f"lens.{layer}.{rank}", float(probabilities[layer, rank]),
            )  # fmt: skip
        if column(ranks[layer]) == shown:
            place = f"#{ranks[layer]}" if ranks[layer] else f"> {ids.shape[1]}"
            marks += _piece(final_label, place, spot(shown, layer), slot, True, f"lens.{layer}.final", None)
    return Drawing(WIDE, high, say("vocabulary.title"), tuple(marks))


def gradients(
    lengths: Mapping[str, np.ndarray], ticks: Sequence[tuple[float, str]], cursor: float | None, say: Say
) -> Drawing:
    """One curve for each way, over the heights, on a logarithmic scale; the smallest lie at its foot."""
    logs = {way: _logs(values) for way, values in lengths.items()}
    every = np.concatenate(list(logs.values()))
    every = every[np.isfinite(every)]
    low, top = (int(np.floor(every.min())), int(np.ceil(every.max()))) if len(every) else (-1, 0)
    top = max(top, low + 1)
    step = max(1, (top - low + 6) // 7)
    marked = [*range(top, low, -step), low]
    y_ticks = [(power, power_of_ten(power)) for power in marked]
    if low <= FLOOR:
        y_ticks[-1] = (low, f"≤ {power_of_ten(low)}")
    finite = {way: np.flatnonzero(np.isfinite(values)) for way, values in logs.items()}
    series = [
        Series(say(f"gradients.{way}"), finite[way], values[finite[way]], *WAYS[way])
        for way, values in logs.items()
    ]
    marks = curves(
        series, wide=WIDE, high=290, x_title=say("gradients.height"), y_title=say("gradients.length"),
        x_ticks=ticks, y_ticks=y_ticks, cursor=cursor,
    )  # fmt: skip
    dots = (mark for mark in marks if mark["shape"] == "circle")
    for way in logs:  # the dots say the length itself, not its logarithm
        for height in finite[way]:
            tip = f"{say(f'gradients.{way}')}, {height}: {rounded(lengths[way][height], 4)}"
            next(dots).update(tip=tip, name=f"{way}@{height}")
    drawn, high = legend([(say(f"gradients.{way}"), *WAYS[way]) for way in logs], 0, 292, WIDE)
    return Drawing(WIDE, 292 + high + 2, say("gradients.title"), tuple(marks + drawn))


def _piece(
    label: str, number: str, spot: tuple[float, float], slot: float, own: bool, called: str,
    share: float | None,
) -> list[Mark]:  # fmt: skip
    x, y = spot[0] - slot / 2 + 2, spot[1]
    wide, shown = slot - 4, fitting(label, slot - 8, 11.5)
    marks = [rect(x, y, wide, 38, "panel", round=4, stroke="mark" if own else "none",
                  tip=f"{label}: {number}", name=called)]  # fmt: skip
    if share is not None:
        marks.append(rect(x + 3, y + 32, max(0.75, (wide - 6) * share), 3, "mark"))
    marks.append(text(shown, spot[0], y + 14, size=11.5, anchor="middle", bold=own))
    marks.append(text(number, spot[0], y + 28, size=11, anchor="middle", fill="faint"))
    return marks


def _link(above: tuple[float, float], below: tuple[float, float], stroke: str, thick: float) -> Mark:
    return line([(above[0], above[1] + 40), (below[0], below[1] - 1)], stroke, thick=thick, arrow=thick > 2)


def _logs(values: np.ndarray) -> np.ndarray:
    """Powers of ten; nothing at all lies at the foot of the scale, what has no size nowhere."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.isfinite(values), np.maximum(np.log10(values), FLOOR), np.nan)
