"""Layers: what does each layer do? The architecture, and one token's way up through it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from viz.components import drawing
from viz.figures.drawing import Drawing
from viz.frame.presenter import presenting
from viz.pages.layers import Layers
from viz.pages.layers.panels import depth, stream
from viz.pages.layers.panels.architecture import architecture, show_architecture
from viz.pages.layers.panels.here import Here, controls, here, pick, to_stack
from viz.state.language import say
from viz.state.runs import LONG, current_trace
from viz.state.session import chosen
from viz.text import verbatim
from viz.widgets.panel import Panel

PANELS: dict[str, Callable[[Here], Panel]] = {
    "added": stream.added,
    "norm": stream.norm,
    "path": stream.path,
    "units": depth.units,
    "vocabulary": depth.vocabulary,
    "gradients": depth.gradients,
}
SIDE_BY_SIDE = ("units",)  # panels whose second picture stands beside the first, not under it


def show() -> Panel:
    trace = current_trace()
    with st.container(horizontal=True, vertical_alignment="bottom", key="question"):
        st.title(say("layers.title"), anchor=False, width="content")
        st.caption(say("layers.how"))
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="controls"):
        controls(trace)

    now, asked = here(trace), chosen(Layers).layers
    if presenting():
        # The wall has room for one thing: the diagram would take half of it.
        drawn, right = architecture(now), st.container()
    else:
        left, right = st.columns([1, 1.85], gap="medium")
        with left, st.container(key="aside"):
            drawn = show_architecture(now)
    with right, st.container(key="panel"):
        panel = _show_panel(now, asked)
    return _with_diagram(now, asked, drawn, panel)


def _show_panel(now: Here, asked: str) -> Panel:
    """The chosen panel; nothing but one sentence where the run was not kept."""
    if not now.kept:
        st.info(say("layers.long", most=LONG))
        return Panel()
    if asked == "vocabulary" and now.stack == "encoder":
        st.info(say("vocabulary.encoder"))
        st.button(say("vocabulary.switch"), key="to_decoder", on_click=to_stack, args=("decoder",))
        return Panel()
    panel = PANELS[asked](now)
    large, beside = st.columns([1.45, 1], gap="medium")
    drawings = {key: each for key, each in panel.pictures.items() if isinstance(each, Drawing)}
    for number, (key, picture) in enumerate(drawings.items()):
        with beside if number and asked in SIDE_BY_SIDE else large:
            view = f"picture_{key}"  # a name that no choice of this visitor has
            drawing.show(picture, key=view, on_pick=partial(pick, view))
    with beside:
        st.text(panel.finding)
        if panel.formula:
            st.latex(panel.formula)
        st.caption(verbatim(panel.explained))
    return panel


def _with_diagram(now: Here, asked: str, drawn: Drawing, panel: Panel) -> Panel:
    """The panel to take home, with the architecture in front of it."""
    headings = {name: say(f"layers.{asked}") for name in panel.pictures}
    explained = {name: panel.explained for name in list(panel.pictures)[1:]}  # the finding is said once
    return replace(
        panel,
        pictures={"diagram": drawn} | dict(panel.pictures),
        arrays={"stack": now.stack, "token": now.row} | dict(panel.arrays),
        headings={"diagram": say("diagram.title")} | headings,
        said={"diagram": f"{say('token.label')}: {now.token}"} | explained,
    )
