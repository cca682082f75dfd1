"""One weight: its gradient by autograd and by hand, and every number of Adam's first step."""

import math
from functools import partial

import numpy as np
import streamlit as st

from model.training.one_step.adam import first_step
from model.training.one_step.gradients import Part
from viz.components import drawing
from viz.components.heatmap import heatmap
from viz.figures.heatmap_svg import heatmap_svg
from viz.figures.numbers import fixed, power_of_ten, scientific
from viz.pages.training.figures.step import weight as figures
from viz.pages.training.formulas import step as formulas
from viz.pages.training.numbers import step as numbers
from viz.pages.training.panels.step.now import Now
from viz.state import learning, runs
from viz.state.language import say
from viz.state.session import options, select, selection
from viz.text import verbatim
from viz.widgets.heads import name
from viz.widgets.panel import Panel

PART, RATE = "step_part_view", "step_rate_view"
TALL = 128  # pixels of the map


def show(now: Now) -> Panel:
    with st.spinner(say("training.step.weight.working")):
        part = learning.learned_part(now.pair, now.head, now.asked.projection)
        place = numbers.chosen_weight(part.gradients, now.asked.weight)
        found = learning.difference_of(now.pair, now.head, now.asked.projection, place)
    gradient = float(part.gradients[place])
    width, rate = runs.translator().config.width, learning.rate_at(now.asked.rate)
    first = first_step(gradient, rate)
    slope, adam = formulas.slope(gradient, found), formulas.adam(first)
    curve = figures.schedule(now.asked.rate, options("rate"), width, say)
    said, moved = _said(now, part, place, found), _moved(first.step, first.uncorrected)
    svg = _map(now, part, place)
    left, middle, right = st.columns([1, 1.1, 1], gap="medium")
    with left:
        st.latex(slope)
        st.text(said)
        moves = power_of_ten(round(math.log10(found.width)))
        st.caption(verbatim(say("training.step.weight.difference", width=moves)))
    with middle:
        st.latex(adam)
        st.text(moved)
        st.caption(say("training.step.weight.muon"))
    with right:
        drawing.show(curve, key=RATE)
        st.latex(formulas.schedule(now.asked.rate, width, rate))
    arrays = {
        "matrix": now.asked.projection, "place": np.array(place), "weights": part.weights,
        "gradients": part.gradients, "gradient": gradient, "difference": found.slope,
        "loss_below": found.below, "loss_above": found.above, "width": found.width, **first._asdict(),
    }  # fmt: skip
    explained = say("training.step.weight.muon")
    formula = rf"\begin{{gathered}}{slope}\\[8pt]{adam}\end{{gathered}}"
    return Panel(
        {"step_part": svg, "step_rate": curve}, arrays, f"{said} {moved}", explained, formula,
        said={"step_rate": say("training.step.rate.alt")},
    )  # fmt: skip


def _map(now: Now, part: Part, place: tuple[int, int]) -> partial:
    """The gradients of all weights of this head's part; a click chooses one."""
    most = float(abs(part.gradients).max()) or 1.0
    power = math.floor(math.log10(most))
    shown, (rows, columns) = part.gradients / 10.0**power, part.gradients.shape
    end = most / 10.0**power
    words = [str(row + 1) for row in range(rows)], [str(column + 1) for column in range(columns)]
    title = say("training.step.weight.map", matrix=now.asked.projection.upper(), name=name(selection()))
    down, across = say("training.step.weight.rows"), say("training.step.weight.columns")
    unit = say("training.step.weight.unit", power=power_of_ten(power))
    st.caption(verbatim(title))
    heatmap(
        shown, np.ones(shown.shape, bool), *words, say, key=PART, label=title, unit=unit, most=end,
        least=-end, row=place[0], column=place[1], tall=TALL, on_pick=_pick, rows=down, columns=across,
    )  # fmt: skip
    return partial(
        heatmap_svg, shown, *words, title=title, most=end, least=-end, scale=unit, row=place[0],
        column=place[1], titles=False, rows=down, columns=across,
    )  # fmt: skip


def _said(now: Now, part: Part, place: tuple[int, int], found: learning.Difference) -> str:
    gradient = float(part.gradients[place])
    apart = abs(found.slope - gradient) / max(abs(gradient), 1e-300)
    return say(
        "training.step.weight.finding", row=place[0] + 1, column=place[1] + 1,
        weight=fixed(float(part.weights[place]), 4), apart=scientific(apart),
    )  # fmt: skip


def _moved(step: float, uncorrected: float) -> str:
    way = "training.step.weight.up" if step > 0 else "training.step.weight.down"
    return say(way, step=scientific(abs(step)), share=fixed(uncorrected / step if step else 0.0, 2))


def _pick() -> None:
    picked = st.session_state[PART]["pick"] or {}
    row, column = picked.get("row"), picked.get("column")
    select(weight=() if row is None or column is None else ((row, column),))
