"""The learning rate over training: a warm-up, then a slow fall, and where this step stands."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from model.training.one_step.adam import WARMUP, scheduled
from viz.figures.charts import Series, curves
from viz.figures.drawing import Drawing, text
from viz.figures.numbers import compact, count, power_of_ten

Say = Callable[..., str]
WIDE, HIGH = 400, 190
LAST = 100_000  # steps, as the paper trained its base model


def schedule(step: int, offered: Sequence[int], width: int, say: Say) -> Drawing:
    """Both axes count in powers of ten: the first step and the peak lie three of them apart."""
    steps = np.geomspace(1, LAST, 80)
    rates = [scheduled(at, width) for at in steps]
    lowest = math.floor(math.log10(min(rates)))
    highest = math.ceil(math.log10(max(rates)))
    chosen, others = [step], [each for each in offered if each != step]
    series = [
        Series(say("training.step.rate.curve"), np.log10(steps), np.log10(rates), "ink", points=False),
        *(_dots(some, width, stroke, say) for some, stroke in ((others, "faint"), (chosen, "mark"))),
    ]
    marks = curves(
        series, wide=WIDE - 16, high=HIGH,
        x_title=say("training.step.rate.steps"), y_title=say("training.step.rate.axis"),
        x_ticks=[(power, count(10**power)) for power in range(int(math.log10(LAST)) + 1)],
        y_ticks=[(power, power_of_ten(power)) for power in range(lowest, highest + 1)],
        cursor=math.log10(step),
    )  # fmt: skip
    warm = say("training.step.rate.warmup", steps=count(WARMUP))
    marks.append(text(warm, WIDE - 30, HIGH - 46, size=11, anchor="end", fill="faint"))
    return Drawing(WIDE, HIGH, say("training.step.rate.curve"), tuple(marks))


def _dots(steps: Sequence[int], width: int, stroke: str, say: Say) -> Series:
    rates = [scheduled(step, width) for step in steps]
    said = [f"{count(step)} → {compact(rate)}" for step, rate in zip(steps, rates, strict=True)]
    name = say("training.step.rate.curve")
    return Series(name, np.log10(steps), np.log10(rates), stroke, joined=False, said=said)
