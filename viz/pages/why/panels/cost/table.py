"""The paper's table 1 with this sentence's n, this model's d, and a k and an r of one's own."""

from dataclasses import replace

import numpy as np
import streamlit as st

from viz.components import drawing
from viz.figures.numbers import count, roughly
from viz.frame.presenter import presenting
from viz.pages.why import Why
from viz.pages.why.figures.cost.table import table
from viz.pages.why.formulas import cost as formulas
from viz.pages.why.numbers.cost import COLUMNS, ROWS, Sizes, cost
from viz.pages.why.panels.cost.now import sizes
from viz.state.language import say
from viz.state.session import chosen, select
from viz.text import verbatim
from viz.widgets.panel import Panel

VIEW = "picture_cost_table"


def show() -> Panel:
    asked, own = chosen(Why), sizes()
    shown = replace(own, words=asked.cost_words or own.words)
    drawn = table(shown, asked.cost_layer, say)
    drawing.show(drawn, key=VIEW, on_pick=_pick)
    finding, explained = _finding(shown), say("why.cost.table.explained", projections=_projections(shown))
    names = tuple(say(f"why.cost.{column}.named") for column in COLUMNS)
    formula = formulas.filled(asked.cost_layer, shown, names)
    left, right = st.columns([1.5, 1], gap="medium")
    with left:
        st.text(finding)
        if not presenting():
            st.caption(verbatim(explained))
    with right:
        st.caption(say("why.cost.table.formula", row=say(f"why.cost.{asked.cost_layer}")))
        st.latex(formula)
    costs = np.array([cost(row, shown) for row in ROWS])
    arrays = {**vars(shown), "rows": list(ROWS), "columns": list(COLUMNS), "costs": costs}
    return Panel({"why_cost_table": drawn}, arrays, finding, explained, formula, name="why-cost-table")


def _finding(shown: Sizes) -> str:
    """Attention against recurrence: which of the two n and d is larger decides."""
    ours, theirs = (cost(row, shown).products for row in ("attention", "recurrent"))
    less = "fewer" if ours < theirs else "more" if ours > theirs else "even"
    return say(
        f"why.cost.table.{less}", words=count(shown.words), width=count(shown.width), ours=count(ours),
        theirs=count(theirs), times=roughly(max(ours, theirs) / min(ours, theirs)),
    )  # fmt: skip


def _projections(shown: Sizes) -> str:
    return count(4 * shown.words * shown.width**2)


def _pick() -> None:
    if (picked := st.session_state[VIEW]["pick"]) in ROWS:
        select(cost_layer=picked)
