"""Additive and dot-product scores: what each has between, to scale, and how both grow with the sentence."""

from collections.abc import Mapping
from math import sqrt

import numpy as np

from model.inspect.costs.scores import Compared
from viz.figures.charts import legend
from viz.figures.drawing import Drawing, Mark, moved, rect, text
from viz.pages.why.figures.cost import NARROW, SHORTEST, WIDE, Say, own_of
from viz.pages.why.figures.cost.logarithmic import Curve, chart
from viz.pages.why.numbers.cost import bytes_written

HIGH = 290
WAYS = {"dot": "series:0", "additive": "series:1"}
BLOCKS = 330  # pixels that the two squares take
LARGEST = 200  # pixels of the larger one's side


def scores(own: Compared, words: int, width: int, sizes: Mapping[int, Compared], say: Say) -> Drawing:
    """`own` are this sentence's; `sizes` the same for other numbers of words."""
    title, part = say("why.cost.scores.title"), (WIDE - BLOCKS) / 2 - 16
    charts = {unit: _chart(unit, sizes, words, part, say) for unit in ("milliseconds", "bytes")}
    named = [(say(f"why.cost.scores.{way}"), stroke, False) for way, stroke in WAYS.items()]
    named += own_of(words, say)
    below, high = legend(named, BLOCKS + 24, HIGH + 4, WIDE - BLOCKS)
    wide = [
        *_squares(own, words, width, say),
        *moved(charts["milliseconds"], BLOCKS + 16, 0),
        *moved(charts["bytes"], BLOCKS + part + 32, 0),
        *below,
    ]  # fmt: skip
    narrow = [*_squares(own, words, width, say)]
    for place, unit in enumerate(("milliseconds", "bytes")):
        down = HIGH + 12 + place * (HIGH + 8)
        narrow += moved(_chart(unit, sizes, words, NARROW, say), 0, down)
    below, more = legend(named, 0, 3 * HIGH + 24, NARROW)
    return Drawing(
        WIDE, HIGH + high + 6, title, tuple(wide),
        narrow=Drawing(NARROW, 3 * HIGH + more + 30, title, tuple([*narrow, *below])),
    )  # fmt: skip


def _squares(own: Compared, words: int, width: int, say: Say) -> list[Mark]:
    """Two squares whose areas are to each other as the bytes that they stand for."""
    marks: list[Mark] = [text(say("why.cost.scores.between"), 0, 11, size=11, fill="faint")]
    side = {"additive": float(LARGEST), "dot": LARGEST * sqrt(own.scores / own.between)}
    held = {"additive": own.between, "dot": own.scores}
    shapes = {"additive": f"{words} × {words} × {width}", "dot": f"{words} × {words}"}
    x, bottom = 0.0, 24 + LARGEST
    for way, wide in side.items():
        name, size = say(f"why.cost.scores.{way}"), bytes_written(held[way])
        heads = (
            say("why.cost.scores.heads", heads=width // (own.between // own.scores)) if way == "dot" else ""
        )
        tip = f"{name}: {shapes[way]} {heads} = {size}"
        marks.append(rect(x, bottom - wide, wide, wide, WAYS[way], name=f"square.{way}", tip=tip))
        for line, words_of in enumerate((name, f"{shapes[way]} {heads}".strip(), size)):
            marks.append(text(words_of, x, bottom + 18 + 16 * line, size=12, bold=line == 2,
                              name=f"square.{way}.{line}"))  # fmt: skip
        x += LARGEST + 16
    return marks


def _chart(unit: str, sizes: Mapping[int, Compared], words: int, wide: float, say: Say) -> list[Mark]:
    xs = [size for size in sorted(sizes) if size >= SHORTEST]
    drawn = []
    for way, stroke in WAYS.items():
        name, spread = say(f"why.cost.scores.{way}"), None
        if unit == "milliseconds":
            timed = [getattr(sizes[size], way) for size in xs]
            ys = np.array([1000 * each.median for each in timed])
            spread = (
                np.array([1000 * each.low for each in timed]),
                np.array([1000 * each.high for each in timed]),
            )
        else:
            ys = np.array(
                [(sizes[size].scores if way == "dot" else sizes[size].between) / 1e6 for size in xs]
            )
        drawn.append(Curve(name, f"{unit}.{way}", xs, ys, stroke, spread))
    own = min(words, xs[-1]) if words >= SHORTEST else None
    return chart(
        drawn, wide, HIGH, own=own, x_title=say("why.cost.times.x"),
        y_title=say(f"why.cost.scores.{unit}"), unit=say(f"why.cost.scores.{unit}.unit"),
    )  # fmt: skip
