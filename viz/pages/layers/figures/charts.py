"""Pictures of one token's way up through the layers: numbers and words in, drawings out. Read upwards."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from viz.figures.charts import Series, bars, curves, legend
from viz.figures.drawing import Drawing, Mark, cells, circle, line, rect, text
from viz.figures.numbers import fixed, power_of_ten, rounded, signed
from viz.figures.svg import width
from viz.pages.layers.figures.diagram import FILLS, Place, name

Say = Callable[..., str]

WIDE = 400
LABEL = 118  # room for "4 feed-forward"
HIGH = 24  # of a row
FLOOR = -8  # gradients below 10 to this power are drawn there
WAYS = {
    "trained": ("mark", False),
    "no_residual": ("head:1", False),
    "no_norm": ("head:2", True),
    "neither": ("head:3", True),
}
NAMED = 20  # tokens on the map; the names of more would hide it
SHOWN = 5  # pieces of the vocabulary that are listed at each height


def added(places: Sequence[Place], numbers: Mapping[str, np.ndarray], chosen: Place, say: Say) -> Drawing:
    """`numbers` are before, added and cosine of each sublayer, from the bottom."""
    most, room = max(numbers["before"].max(), numbers["added"].max(), 1e-9), 124
    columns = {"before": 304, "added": 350, "cosine": 398}
    marks = _heads({say(f"added.{column}"): x for column, x in columns.items()})
    for number, place in enumerate(places):
        y = _row(number, len(places))
        marks.append(rect(LABEL, y + 3, room * numbers["before"][number] / most, 7, "line"))
        marks.append(rect(LABEL, y + 11, max(1, room * numbers["added"][number] / most), 9, FILLS[place[2]]))
        for column, x in columns.items():
            written = fixed(numbers[column][number], 2)
            marks.append(text(written, x, y + 16, size=11, anchor="end", name=f"{name(place)}.{column}"))
        values = {column: rounded(numbers[column][number], 4) for column in columns}
        marks += _frame(place, y, chosen, say, say("added.tip", **values))
    drawn, high = legend(
        [(say("added.legend.before"), "line", False), *((say(f"sublayer.{part}"), FILLS[part], False)
         for part in dict.fromkeys(place[2] for place in places))], 0, _end(places), WIDE,
    )  # fmt: skip
    return Drawing(WIDE, _end(places) + high + 2, say("added.title"), tuple(marks + drawn))


def norms(places: Sequence[Place], numbers: Mapping[str, np.ndarray], chosen: Place, say: Say) -> Drawing:
    """Mean ± spread before and after each layer norm, as stretches of one axis."""
    ends = [
        numbers[f"mean_{when}"] + sign * numbers[f"spread_{when}"]
        for when in ("before", "after")
        for sign in (-1, 1)
    ]
    low, top = min(0.0, np.min(ends)), max(0.0, np.max(ends))
    room = 110
    at = lambda value: LABEL + room * (value - low) / max(top - low, 1e-9)  # noqa: E731
    columns = {"before": 310, "after": 398}
    marks = _heads({say(f"norm.{when}"): x for when, x in columns.items()})
    marks.append(line([(at(0), 16), (at(0), _end(places) - 4)], "line"))
    for number, place in enumerate(places):
        y = _row(number, len(places))
        for (when, x), height, stroke in zip(columns.items(), (8, 17), ("faint", "mark"), strict=True):
            mean, spread = numbers[f"mean_{when}"][number], numbers[f"spread_{when}"][number]
            marks.append(
                line([(at(mean - spread), y + height), (at(mean + spread), y + height)], stroke, thick=3)
            )
            marks.append(circle(at(mean), y + height, 3.5, stroke))
            said = f"{signed(mean)} ± {fixed(spread, 2)}"
            marks.append(text(said, x, y + 16, size=11, anchor="end", name=f"{name(place)}.{when}"))
        marks += _frame(place, y, chosen, say, "")
    drawn, high = legend(
        [(say("norm.legend.before"), "faint", False), (say("norm.legend.after"), "mark", False)],
        0,
        _end(places),
        WIDE,
    )
    return Drawing(WIDE, _end(places) + high + 2, say("norm.title"), tuple(marks + drawn))


def batch(values: Mapping[str, float], say: Say) -> Drawing:
    """One number of one token, normalised in four ways."""
    fills = ["mark", "mark", "head:1", "head:1"]
    marks = bars(
        list(values.values()), [say(f"batch_norm.{way}") for way in values], wide=WIDE, high=20, fills=fills,
        names=list(values), written="{:.3f}",
    )  # fmt: skip
    return Drawing(WIDE, 20 * len(values) + 2, say("batch_norm.title"), tuple(marks))


def path(
    points: np.ndarray, frame: np.ndarray, chosen: int, labels: Sequence[str], places: Sequence[Place],
    selected: Place, say: Say,
) -> Drawing:  # fmt: skip
    """Every token's way over the map, (P + 1, N, 2); `frame` (…, 2) are points that must fit, too."""
    high, margin = 330, 20
    every = np.concatenate([points.reshape(-1, 2), frame.reshape(-1, 2)])
    low, top = every.min(0), every.max(0)
    scale = ((np.array([WIDE, high]) - 2 * margin) / np.maximum(top - low, 1e-9)).min()
    on_sheet = (points - (low + top) / 2) * scale * [1, -1] + [WIDE / 2, high / 2]
    marks: list[Mark] = [rect(0, 0, WIDE, high, "panel", round=6)]
    for token in range(points.shape[1]):
        if token != chosen:
            marks += _other_way(on_sheet[:, token], labels[token], token, points.shape[1] <= NAMED)
    marks.append(line([tuple(spot) for spot in on_sheet[:, chosen]], "mark", thick=2.5))
    for height, spot in enumerate(on_sheet[:, chosen]):
        place = places[height - 1] if height else None
        marks += _height(height, spot, points[height, chosen], place, selected, say)
    return Drawing(WIDE, high, say("path.title"), tuple(marks))


def _other_way(way: np.ndarray, label: str, token: int, named: bool) -> list[Mark]:
    """A faint line, and the token's name where it ends; on the side where there is room."""
    x, y = way[-1]
    label = _cut(label, 70, 11)
    fits = x + 5 + width(label, 11) < WIDE
    marks = [
        line([tuple(spot) for spot in way], "line", thick=1),
        circle(x, y, 3, "faint", tip=label, name=f"end.{token}"),
    ]
    if named:
        side = {"x": x + 5} if fits else {"x": x - 5, "anchor": "end"}
        marks.append(text(label, y=y + 4, size=11, fill="faint", **side))
    return marks


def _height(
    height: int, spot: np.ndarray, at: np.ndarray, place: Place | None, selected: Place, say: Say
) -> list[Mark]:
    """One dot of the chosen token's way: large with a number after each layer, small within."""
    x, y = spot
    said = _named(place, say) if place else say("path.start")
    more: dict[str, Any] = {"tip": f"{said}: ({fixed(at[0])}, {fixed(at[1])})", "name": f"height.{height}"}
    if place:
        more |= {"pick": list(place), "on": place == selected}
    if place and place[2] != "feed_forward":
        return [rect(x - 5, y - 5, 10, 10, FILLS[place[2]], round=5, **more)]
    number = place[1] + 1 if place else 0
    return [
        rect(x - 8, y - 8, 16, 16, "mark", round=8, **more),
        text(number, x, y + 4, size=11, anchor="middle", fill="paper", bold=True),
    ]


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
    spot = lambda column, layer: (left + slot * (column + 0.5), 18 + (layers - 1 - layer) * step)  # noqa: E731
    for layer in range(layers - 1):
        here, above = (list(ids[each][:shown]) for each in (layer, layer + 1))
        for rank, piece in enumerate(here):
            if piece != final and piece in above:
                marks.append(_link(spot(rank, layer), spot(above.index(piece), layer + 1), "line", 1))
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
            rank = f"#{ranks[layer]}" if ranks[layer] else f"> {ids.shape[1]}"
            marks += _piece(final_label, rank, spot(shown, layer), slot, True, f"lens.{layer}.final", None)
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


def _heads(columns: Mapping[str, float]) -> list[Mark]:
    """Words over columns of numbers, each ending where its column ends."""
    return [text(head, x, 11, size=11, anchor="end", fill="faint") for head, x in columns.items()]


def _row(number: int, count: int) -> float:
    """Where the row of a sublayer begins: the first is the lowest."""
    return 16 + (count - 1 - number) * HIGH


def _end(places: Sequence[Place]) -> float:
    return 16 + len(places) * HIGH + 4


def _named(place: Place, say: Say) -> str:
    return say("sublayer.named", layer=place[1] + 1, part=say(f"sublayer.{place[2]}"))


def _frame(place: Place, y: float, chosen: Place, say: Say, tip: str) -> list[Mark]:
    """A row's name, and the sheet over all of it that answers to a click."""
    said, on = _named(place, say), place == chosen
    label = text(f"{place[1] + 1} {say(f'sublayer.{place[2]}')}", LABEL - 6, y + 16, anchor="end", bold=on)
    more = {"tip": f"{said}: {tip}" if tip else said, "pick": list(place), "on": on, "name": name(place)}
    return [label, rect(0, y + 1, WIDE, HIGH - 2, "panel", round=4, **more)]


def _piece(
    label: str, number: str, spot: tuple[float, float], slot: float, own: bool, called: str,
    share: float | None,
) -> list[Mark]:  # fmt: skip
    x, y = spot[0] - slot / 2 + 2, spot[1]
    wide, shown = slot - 4, _cut(label, slot - 8, 11.5)
    marks = [rect(x, y, wide, 38, "panel", round=4, stroke="mark" if own else "none",
                  tip=f"{label}: {number}", name=called)]  # fmt: skip
    if share is not None:
        marks.append(rect(x + 3, y + 32, max(0.75, (wide - 6) * share), 3, "mark"))
    marks.append(text(shown, spot[0], y + 14, size=11.5, anchor="middle", bold=own))
    marks.append(text(number, spot[0], y + 28, size=11, anchor="middle", fill="faint"))
    return marks


def _link(below: tuple[float, float], above: tuple[float, float], stroke: str, thick: float) -> Mark:
    return line([(below[0], below[1] - 1), (above[0], above[1] + 40)], stroke, thick=thick, arrow=thick > 2)


def _cut(label: str, room: float, size: float) -> str:
    while len(label) > 1 and width(label, size) > room:
        label = label.removesuffix("…")[:-1] + "…"
    return label


def _logs(values: np.ndarray) -> np.ndarray:
    """Powers of ten; nothing at all lies at the foot of the scale, what has no size nowhere."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.isfinite(values), np.maximum(np.log10(values), FLOOR), np.nan)
