"""2015: attention is added to a recurrent network that had one vector for the whole sentence."""

import numpy as np
import streamlit as st

from viz.components import drawing
from viz.figures.numbers import fixed
from viz.pages.why.figures.after import before as figures
from viz.pages.why.numbers.after import before as numbers
from viz.state.language import say
from viz.text import verbatim
from viz.widgets.panel import Panel


def controls() -> None:
    pass


def show() -> Panel:
    made, finding, explained = figures.scores(say), _finding(), _explained()
    st.text(finding)
    drawing.show(made, key="why_after_before_view")
    st.caption(verbatim(explained))
    table = numbers.TABLE
    arrays = {
        "system": [each.name for each in table], "way": [each.way for each in table],
        "bleu_all": np.array([each.all for each in table]),
        "bleu_known": np.array([each.known for each in table]), "source": numbers.PAPER,
    }  # fmt: skip
    return Panel({"why_after_before": made}, arrays, finding, explained)


def _finding() -> str:
    gains = {f"gain_{longest}": fixed(numbers.gain(longest), 2) for longest in (30, 50)}
    return say("why.after.before.finding", **gains)


def _explained() -> str:
    """Where attention did not win yet is said as well."""
    scores = {
        f"{way}_{column}": fixed(getattr(numbers.best(column, way), column), 2)
        for way in ("attention", "phrases")
        for column in ("all", "known")
    }
    return say("why.after.before.explained", source=numbers.PAPER, **scores)
