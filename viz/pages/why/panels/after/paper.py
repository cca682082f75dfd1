"""2017: quality and training cost of the Transformer beside the models before it, as the paper lists them."""

import numpy as np
import streamlit as st

from viz.components import drawing
from viz.figures.numbers import compact, fixed, roughly
from viz.frame.presenter import presenting
from viz.pages.why import Why
from viz.pages.why.figures.after import results as figures
from viz.pages.why.formulas import after as formulas
from viz.pages.why.numbers.after import results as numbers
from viz.state import runs
from viz.state.language import say
from viz.state.session import chosen
from viz.text import verbatim
from viz.widgets.controls import choose
from viz.widgets.panel import Panel

VIEW = "why_after_results_view"
ON_THE_WALL = f"<style>.st-key-{VIEW} {{ --fill: 0.78; }}</style>"


def controls() -> None:
    choose("into")


def show() -> Panel:
    into = chosen(Why).into
    table = numbers.TABLE[into]
    made = figures.chart(table, say)
    finding, explained = _finding(into), _explained()
    formula = formulas.cost({name: say(f"why.after.size.{name}") for name in numbers.TRAININGS})
    if presenting():
        st.html(ON_THE_WALL)
    left, right = st.columns([2 if presenting() else 1.45, 1], gap="medium")
    with left:
        drawing.show(made, key=VIEW)
    with right:
        st.text(finding)
        st.caption(say("why.after.cost"))
        st.latex(formula)
        st.caption(verbatim(explained))
    arrays = {
        "model": [each.name for each in table], "kind": [each.kind for each in table],
        "bleu": np.array([each.bleu for each in table]),
        "cost_flops": np.array([np.nan if each.cost is None else each.cost for each in table]),
        "source": numbers.PAPER,
    }  # fmt: skip
    return Panel({"why_after_results": made}, arrays, finding, explained, formula)


def _finding(into: str) -> str:
    """The big model beside the best before it, and how many the small one beats."""
    found = numbers.compared(into)
    best = say(
        "why.after.paper.finding", bleu=f"{found.big.bleu:g}", cost=compact(found.big.cost or 0),
        ensemble=found.ensemble.name, before=f"{found.ensemble.bleu:g}", times=roughly(found.cheaper),
        single=found.single.name, alone=f"{found.single.bleu:g}",
    )  # fmt: skip
    key = "why.after.paper.base" if found.beaten == found.before else "why.after.paper.base.not"
    base = say(key, bleu=f"{found.base.bleu:g}", beaten=found.beaten, before=found.before)
    return f"{best} {base}"


def _explained() -> str:
    return say(
        "why.after.paper.explained", source=numbers.PAPER, text=fixed(numbers.SAID_IN_TEXT, 1),
        table=fixed(numbers.compared("fr").big.bleu, 1), own=runs.translator().name,
    )  # fmt: skip
