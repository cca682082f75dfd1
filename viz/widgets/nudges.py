"""What to look at next: one thing that was measured and one click that shows it; at most one at a time."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from model.inspect.edits import Scale
from model.network.kinds import KINDS
from viz.figures.numbers import fixed, percent
from viz.state import runs, telling
from viz.state.atlas import card
from viz.state.language import say
from viz.state.selection import Selection
from viz.state.session import change, go, select
from viz.widgets.names import head_names

CLEAR = 0.25  # by how much fewer links must be wrong, so that the other labels are the better ones
OTHER = {"predicted": "read", "read": "predicted"}


class Nudge(NamedTuple):
    said: str
    label: str  # of the button
    go: Callable[[], None]


def nudge(chosen: Selection) -> Nudge | None:
    """The first that holds: better labels for these rows, what breaks without this head, a surer head."""
    if len(chosen.head) != 1:
        return None
    return _reading(chosen) or _silence(chosen) or _surer(chosen)


def _reading(chosen: Selection) -> Nudge | None:
    """Over the corpus, the rows of this head match the other word of theirs clearly better."""
    known = runs.atlas("hand")
    if not known or chosen.kind != "cross":
        return None
    measures = card(known, chosen.kind, chosen.layer, chosen.head[0])["measures"]
    errors = {way: measures.get(f"aer.{way}", {}).get("value") for way in OTHER}
    other = OTHER[chosen.reading]
    if None in errors.values() or errors[chosen.reading] - errors[other] < CLEAR:
        return None
    wrong = {"here": percent(errors[chosen.reading], 0), "there": percent(errors[other], 0)}
    said = say(f"nudge.reading.{other}", count=known["sentences"]["measured"], **wrong)
    return Nudge(said, say("nudge.reading.go"), partial(select, reading=other))


def _silence(chosen: Selection) -> Nudge | None:
    """It has a name: something breaks without it, and anybody can watch whether it does here."""
    names = head_names(chosen.kind, chosen.layer, chosen.head[0])
    if not names:
        return None

    def silence() -> None:
        change(Scale(KINDS[chosen.kind].format(chosen.layer), chosen.head[0], 0.0))
        select(test="compare")
        go("experiment")

    return Nudge(say("nudge.named", name=names[0]), say("nudge.named.go"), silence)


def _surer(chosen: Selection) -> Nudge | None:
    """Its rows look everywhere alike: the head of this layer that is surest of where to look."""
    trace = runs.current_trace()
    attention, mask = (each[chosen.kind][chosen.layer] for each in (trace.attention, trace.mask))
    even = telling.evenness(attention, mask)
    surest = int(np.nan_to_num(even, nan=1.0).argmin())
    if not even[chosen.head[0]] > telling.EVEN or surest == chosen.head[0]:
        return None
    numbers = {"here": fixed(even[chosen.head[0]], 2), "there": fixed(even[surest], 2)}
    said = say("nudge.even", head=surest + 1, **numbers)
    label = say("nudge.even.go", head=surest + 1)
    return Nudge(said, label, partial(select, head=(surest,), row=None, column=None))
