"""Times of three layers on this machine, beside the multiplications that their formulas promise."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from model.inspect.costs.layers import LAYERS, multiplications, overtaken
from model.inspect.costs.timed import Timed
from viz.components import drawing
from viz.figures.numbers import compact, count, fixed, roughly
from viz.frame.presenter import presenting
from viz.pages.why.figures.cost.times import times
from viz.pages.why.formulas import cost as formulas
from viz.pages.why.numbers.cost import Sizes, crossing, curve
from viz.pages.why.panels.cost.now import sizes
from viz.state import costs
from viz.state.language import say
from viz.text import verbatim
from viz.widgets.panel import Panel

Timings = Mapping[int, Mapping[str, Timed]]
Crossings = Mapping[str, float | None]  # by rival: the n from which attention costs more
RIVALS = LAYERS[1:]
NEAR = 1.25  # a factor: two crossings that are no further apart are the same


def show() -> Panel:
    own = sizes()
    timed = timings(own)
    found: dict[str, Crossings] = {
        "counted": {rival: overtaken(rival, own.width, own.kernel) for rival in RIVALS},
        "measured": _measured(timed),
    }
    drawn = times(timed, own, found, say)
    drawing.show(drawn, key="picture_cost_times")
    finding = f"{_crossings(found, own)} {_here(timed, own)}"
    calls = min(each.calls for layers in timed.values() for each in layers.values())
    explained = say("why.cost.times.explained", width=count(own.width), kernel=own.kernel, calls=calls)
    names = tuple(say(f"why.cost.{name}") for name in LAYERS)
    formula = formulas.counted(own.words, own.width, own.kernel, names)
    left, right = st.columns([1.5, 1], gap="medium")
    with left:
        st.text(finding)
        if not presenting():
            st.caption(verbatim(explained))
            st.button(say("why.cost.again"), key="cost_again", on_click=costs.measure_again)
    with right:
        st.caption(say("why.cost.times.formula", words=count(own.words)))
        st.latex(formula)
    return Panel(
        {"why_cost_times": drawn}, _arrays(timed, own, found), finding, explained, formula,
        name="why-cost-times",
    )  # fmt: skip


def timings(own: Sizes) -> dict[int, dict[str, Timed]]:
    """Of every size; what nobody has measured yet is measured now, and one sees how far that is."""
    measured = costs.layers_by_size(own.words, own.kernel)
    if costs.measured_layers(own.words, own.kernel):
        return dict(measured)
    bar, found = st.progress(0.0, say("why.cost.times.working", words=0)), {}
    for words, layers in measured:
        found[words] = layers
        bar.progress(len(found) / (len(costs.SIZES) + 1), say("why.cost.times.working", words=count(words)))
    bar.empty()
    return found


def _measured(timed: Timings) -> Crossings:
    ours = curve(timed, "attention")
    return {rival: crossing(sorted(timed), ours, curve(timed, rival)) for rival in RIVALS}


def _crossings(found: Mapping[str, Crossings], own: Sizes) -> str:
    """The length from which attention is slower than a GRU: by the formula, and here."""
    here, counted = found["measured"]["recurrent"], own.width
    if here is None:
        return say("why.cost.times.never", counted=count(counted), most=count(max(costs.SIZES)))
    near = 1 / NEAR < here / counted < NEAR
    key = "near" if near else "later" if here > counted else "sooner"
    return say(
        f"why.cost.times.{key}", counted=count(counted), here=roughly(here), times=fixed(here / counted, 1)
    )


def _here(timed: Timings, own: Sizes) -> str:
    """On this sentence, and who is the fastest."""
    milliseconds = {name: 1000 * timed[own.words][name].median for name in LAYERS}
    best = min(milliseconds, key=milliseconds.__getitem__)
    written = {name: compact(float(f"{each:.2g}")) for name, each in milliseconds.items()}
    return say("why.cost.times.here", words=count(own.words), best=say(f"why.cost.{best}"), **written)


def _arrays(timed: Timings, own: Sizes, found: Mapping[str, Crossings]) -> dict[str, object]:
    grid = sorted(timed)
    arrays: dict[str, object] = {**vars(own), "n": np.array(grid)}
    for name in (*LAYERS, "apart"):
        arrays |= {
            f"seconds_{name}_{which}": curve(timed, name, which) for which in ("median", "low", "high")
        }
    for name in LAYERS:
        arrays[f"multiplications_{name}"] = np.array(
            [multiplications(name, words, own.width, own.kernel) for words in grid]
        )
    for which, crossings in found.items():
        arrays |= {
            f"crossing_{which}_{name}": words for name, words in crossings.items() if words is not None
        }
    return arrays
