"""How three layers grow with the sentence: their multiplications by formula, and their times as measured."""

from collections.abc import Mapping, Sequence

import numpy as np

from model.inspect.costs.layers import LAYERS, multiplications
from model.inspect.costs.timed import Timed
from viz.figures.charts import legend
from viz.figures.drawing import Drawing, Mark, moved
from viz.figures.numbers import roughly
from viz.pages.why.figures.cost import COLOURS, NARROW, SHORTEST, WIDE, Say, own_of
from viz.pages.why.figures.cost.logarithmic import Cross, Curve, chart
from viz.pages.why.numbers.cost import Sizes, curve

HIGH = 300
DASHED = "convolutional"  # with k = 3 it multiplies as often as a GRU: both should be seen
Timings = Mapping[int, Mapping[str, Timed]]


def times(
    timed: Timings, sizes: Sizes, crossings: Mapping[str, Mapping[str, float | None]], say: Say
) -> Drawing:
    """`crossings` say by chart and by rival from which n on attention costs more."""
    xs = sorted(timed)
    grid = [size for size in xs if size >= SHORTEST]  # a shorter sentence than any tick would widen the axis
    both = {"counted": _counted(grid, sizes, say), "measured": _measured(timed, grid, say)}

    own = sizes.words if sizes.words >= SHORTEST else None

    def draw(which: str, wide: float) -> list[Mark]:
        return chart(
            both[which], wide, HIGH, own=own, x_title=say("why.cost.times.x"),
            y_title=say(f"why.cost.times.{which}"), unit=say(f"why.cost.times.{which}.unit"),
            crosses=_crosses(both[which], crossings[which], which, say), powers=which == "counted",
        )  # fmt: skip

    named = [(say(f"why.cost.{each}"), COLOURS[each], each == DASHED) for each in LAYERS]
    named += own_of(sizes.words, say)
    title, half = say("why.cost.times.title"), WIDE / 2 - 12
    below, high = legend(named, 0, HIGH + 4, WIDE)
    wide = [*draw("counted", half), *moved(draw("measured", half), WIDE / 2 + 12, 0), *below]
    below, more = legend(named, 0, 2 * HIGH + 12, NARROW)
    narrow = [*draw("counted", NARROW), *moved(draw("measured", NARROW), 0, HIGH + 8), *below]
    return Drawing(
        WIDE, HIGH + high + 6, title, tuple(wide),
        narrow=Drawing(NARROW, 2 * HIGH + more + 14, title, tuple(narrow)),
    )  # fmt: skip


def _counted(grid: Sequence[int], sizes: Sizes, say: Say) -> list[Curve]:
    return [
        Curve(
            say(f"why.cost.{name}"), f"counted.{name}", grid,
            np.array([multiplications(name, words, sizes.width, sizes.kernel) for words in grid], float),
            COLOURS[name],
            dash=name == DASHED,
        )
        for name in LAYERS
    ]  # fmt: skip


def _measured(timed: Timings, grid: Sequence[int], say: Say) -> list[Curve]:
    shown = {words: timed[words] for words in grid}
    milliseconds = {
        (name, which): 1000 * curve(shown, name, which)
        for name in LAYERS for which in ("median", "low", "high")
    }  # fmt: skip
    return [
        Curve(
            say(f"why.cost.{name}"), f"measured.{name}", grid, milliseconds[name, "median"], COLOURS[name],
            (milliseconds[name, "low"], milliseconds[name, "high"]),
            dash=name == DASHED,
        )
        for name in LAYERS
    ]  # fmt: skip


def _crosses(
    drawn: Sequence[Curve], crossings: Mapping[str, float | None], which: str, say: Say
) -> list[Cross]:
    """On the curve of attention; where both rivals are overtaken at the same length, once."""
    attention, found, seen = drawn[0], [], set[int]()
    for rival, words in crossings.items():
        if words is None or words > attention.xs[-1] or round(words) in seen:
            continue
        seen.add(round(words))
        height = 10 ** np.interp(np.log(words), np.log(attention.xs), np.log10(attention.ys))
        said = say(
            f"why.cost.times.cross.{which}", words=roughly(words) if which == "measured" else round(words)
        )
        found.append(Cross(words, float(height), said, f"{which}.{rival}"))
    return found
