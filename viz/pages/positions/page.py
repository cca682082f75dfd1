"""Positions: how does it know the order? The table of waves, what it is good for, and a test without it."""

import streamlit as st

from model import Trace
from viz.pages.positions import Positions
from viz.pages.positions.panels import kinds, pairs, shuffle, table, terms
from viz.state.language import say
from viz.state.runs import current_trace
from viz.state.session import chosen, select
from viz.widgets.controls import choose, choose_heads
from viz.widgets.panel import Panel

PANELS = {
    "table": table.table,
    "waves": pairs.waves,
    "shift": pairs.shift,
    "kinds": kinds.kinds,
    "terms": terms.terms,
    "shuffle": shuffle.shuffle,
}


def show() -> Panel | None:
    trace = current_trace()
    with st.container(horizontal=True, vertical_alignment="bottom", key="question"):
        st.title(say("positions.title"), anchor=False)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="controls"):
        choose("positions")
        asked = _controls(trace)
    with st.container(key="panel"):
        return PANELS[asked.positions](trace, asked)


def _controls(trace: Trace) -> Positions:
    """The widgets of the chosen panel, and what is chosen, with everything inside the table."""
    panel = chosen(Positions).positions
    if panel in ("table", "waves", "shift", "kinds"):
        _number("wave_width")
        if panel != "kinds":
            _number("base")
        _number("places")
        _fit()
    elif panel == "terms":
        choose("kind")
        choose_heads(trace.attention["encoder"].shape[1])
    return chosen(Positions)


def _number(name: str) -> None:
    """A slider over the few numbers that make sense here."""
    options = Positions.options(name)
    st.select_slider(say(f"{name}.label"), options, format_func="{:,}".format, key=name, width=150)


def _fit() -> None:
    """Nothing may be chosen that a smaller table no longer has."""
    asked = chosen(Positions)
    waves = tuple(pair for pair in asked.waves if pair < asked.wave_width // 2)[: pairs.MOST_WAVES]
    last = asked.places - 1
    select(waves=waves or (0,), first=min(asked.first, last), second=min(asked.second, last))
