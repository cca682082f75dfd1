"""The gradients: how strongly this one pair pulls at every head's part of Q, K, V and O."""

import streamlit as st

from model.network.kinds import KINDS
from model.training.one_step.gradients import MATRICES
from viz.components import drawing
from viz.figures.numbers import compact, fixed, roughly
from viz.pages.training.figures.step import gradients as figures
from viz.pages.training.numbers import step as numbers
from viz.pages.training.panels.step.now import Now
from viz.state import learning, runs
from viz.state.language import say
from viz.state.session import select, selection
from viz.text import verbatim
from viz.widgets.heads import name
from viz.widgets.panel import Panel

GRID, HEAD = "step_grid_view", "step_head_view"


def show(now: Now) -> Panel:
    with st.spinner(say("training.step.gradients.working")):
        found = learning.reached_of(now.pair)
    chosen = figures.Chosen(*now.head, now.asked.projection)
    grid, head = figures.grid(found, chosen, say), figures.one_head(found, chosen, say)
    drawing.show(grid, key=GRID, on_pick=_pick_part)
    finding = _finding(found)
    own = runs.translator().config.head_width
    explained = say("training.step.gradients.explained", loss=fixed(found.loss), own=own)
    left, right = st.columns([1.3, 1], gap="medium")
    with left:
        st.text(finding)
        st.caption(verbatim(explained))
        st.button(
            say("training.step.gradients.on"), key="to_weight", on_click=select, kwargs={"stage": "weight"}
        )
    with right:
        st.caption(verbatim(say("training.step.gradients.head", name=name(selection()))))
        drawing.show(head, key=HEAD, on_pick=_pick_matrix)
    arrays: dict[str, object] = {"matrices": list(MATRICES), "loss": found.loss}
    for kind in KINDS:
        arrays |= {
            f"gradient_norm_{kind}": found.gradients[kind],
            f"weight_norm_{kind}": found.weights[kind],
            f"relative_{kind}": found.relative(kind),
        }
    return Panel({"step_grid": grid, "step_head": head}, arrays, finding, explained)


def _finding(found: learning.Reached) -> str:
    """Where it pulls hardest, and whether more at what is passed on than at where to look."""
    best, times = numbers.strongest(found), numbers.content_over_looking(found)
    where = say(
        "training.step.gradients.strongest", matrix=best.matrix.upper(),
        kind=say(f"kind.short.{best.head.kind}"), layer=best.head.layer + 1,
        head=best.head.head + 1, value=compact(best.value),
    )  # fmt: skip
    if times >= 1:
        return f"{where} {say('training.step.gradients.content', times=roughly(times))}"
    return f"{where} {say('training.step.gradients.looking', times=roughly(1 / times))}"


def _pick_part() -> None:
    picked = st.session_state[GRID]["pick"]
    if picked:
        kind, layer, head, matrix = picked
        select(kind=kind, layer=layer, head=(head,), projection=matrix, weight=())


def _pick_matrix() -> None:
    picked = st.session_state[HEAD]["pick"]
    if picked:
        select(projection=picked, weight=())
