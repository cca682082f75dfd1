"""A path from one word of this sentence to another, through layers of five kinds, hop by hop."""

import streamlit as st

from viz.components import drawing
from viz.frame.presenter import presenting
from viz.pages.why import Why, path
from viz.pages.why.figures.reach.hops import Path, drawn_hops
from viz.pages.why.formulas.reach import counted
from viz.pages.why.numbers.reach import LANES, hops, span
from viz.pages.why.panels.cost.now import pieces
from viz.state.language import say
from viz.state.session import chosen, select
from viz.text import verbatim
from viz.widgets.panel import Panel

VIEW, PLAYED = "picture_reach_hops", "reach_played"  # the view, and how often its film was asked for


def show() -> Panel:
    words, asked = pieces(), chosen(Why)
    way = path.way(asked, len(words))
    source, target, sizes = way
    taken = None if asked.reach_hop is None else way.over(asked.reach_hop)
    played = st.session_state.get(PLAYED, 0)
    drawn = drawn_hops(words, Path(source, target, taken, asked.reach_layers, played), sizes, say)
    drawing.show(drawn, key=VIEW, on_pick=_pick)
    counts = {lane: len(hops(lane, way.distance, sizes)) for lane in LANES}
    fields = {lane: len(span(lane, asked.reach_layers, target, len(words), sizes)) for lane in LANES}
    finding = say("why.reach.hops.finding", source=words[source], target=words[target], **counts)
    explained = say("why.reach.hops.explained")
    names = {lane: say(f"why.cost.{lane}") for lane in LANES}
    formula = counted(way.distance, sizes, names)
    left, right = st.columns([1.5, 1], gap="medium")
    with left:
        st.text(finding)
        with st.container(horizontal=True, gap="small"):
            st.button(say("why.reach.step"), key="reach_step", on_click=_step)
            st.button(say("why.cost.steps.play"), key="reach_play", on_click=_play)
        if not presenting():
            st.caption(verbatim(f"{explained} {say('why.reach.hops.hint')}"))
    right.latex(formula)
    told = {"pieces": words, "source": source, "target": target, **vars(sizes), "layers": asked.reach_layers}
    told |= {f"hops_{lane}": counts[lane] for lane in LANES}
    told |= {f"field_{lane}": fields[lane] for lane in LANES}
    return Panel({"why_reach_hops": drawn}, told, finding, explained, formula, name="why-reach-hops")


def _pick() -> None:
    """The nearer end of the path moves to where somebody clicked."""
    picked = st.session_state[VIEW]["pick"]
    if not isinstance(picked, int):
        return
    source, target, _ = path.way(chosen(Why), len(pieces()))
    if abs(picked - source) < abs(picked - target):
        select(reach_from=picked, reach_to=target, reach_hop=None)
    else:
        select(reach_from=source, reach_to=picked, reach_hop=None)


def _step() -> None:
    """One hop more; from the beginning, once all are over."""
    asked = chosen(Why)
    way = path.way(asked, len(pieces()))
    over = way.over(asked.reach_hop)
    select(reach_hop=1 if over >= way.most else over + 1)


def _play() -> None:
    """From the beginning to the end; the browser moves what is drawn anew."""
    select(reach_hop=None)
    st.session_state[PLAYED] = st.session_state.get(PLAYED, 0) + 1
