"""The stream through the layers as pictures: what is added, what a layer norm does, the way over the map.

Read downwards: the first sublayer is the first row.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from viz.figures.charts import bars, legend
from viz.figures.drawing import Drawing, Mark, circle, line, rect, text
from viz.figures.numbers import fixed, rounded, signed
from viz.figures.svg import fitting, width
from viz.pages.layers.figures.diagram import FILLS, Place, name

Say = Callable[..., str]

WIDE = 400
LABEL = 118  # room for "4 feed-forward"
HIGH = 24  # of a row
NAMED = 20  # tokens on the map; the names of more would hide it


def added(places: Sequence[Place], numbers: Mapping[str, np.ndarray], chosen: Place, say: Say) -> Drawing:
    """`numbers` are before, added and cosine of each sublayer in turn."""
    most, room = max(numbers["before"].max(), numbers["added"].max(), 1e-9), 124
    columns = {"before": 304, "added": 350, "cosine": 398}
    marks = _heads({say(f"added.{column}"): x for column, x in columns.items()})
    for number, place in enumerate(places):
        y = _row(number)
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
        y = _row(number)
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
    fills = ["mark", "mark", "series:1", "series:1"]
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
    label = fitting(label, 70, 11)
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
    number = str(place[1] + 1 if place else 0)
    return [
        rect(x - 8, y - 8, 16, 16, "mark", round=8, **more),
        text(number, x, y + 4, size=11, anchor="middle", fill="paper", bold=True),
    ]


def _heads(columns: Mapping[str, float]) -> list[Mark]:
    """Words over columns of numbers, each ending where its column ends."""
    return [text(head, x, 11, size=11, anchor="end", fill="faint") for head, x in columns.items()]


def _row(number: int) -> float:
    """Where the row of a sublayer begins: the first is on top."""
    return 16 + number * HIGH


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
