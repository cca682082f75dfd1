"""Is looking using? The same edges by weight, by what they hand over, and by what happens without them."""

from dataclasses import replace

import numpy as np
import streamlit as st

from model import Trace
from model.inspect import metrics
from model.inspect.edits import Cell
from model.network.kinds import KINDS
from viz.components.drawing import show
from viz.figures import bars as figures
from viz.pages.experiment.numbers.importance import drops, rank_correlation
from viz.pages.experiment.panels.asking import ask
from viz.state.language import say
from viz.state.picture import picture
from viz.state.session import selection
from viz.widgets.controls import choose_place
from viz.widgets.panel import Panel


def using(trace: Trace) -> Panel:
    """The same edges three ways: how much is looked, how much is handed over, what happens without it."""
    here = selection()
    shown = picture(trace, replace(here, units="pieces", special="shown"), say)
    head, where = here.head[0], KINDS[here.kind].format(here.layer)
    weights, mask = (each[here.kind][here.layer, head] for each in (trace.attention, trace.mask))
    row = here.row if here.row is not None and here.row < len(weights) else None
    # The row that spreads its attention most has most to compare.
    row = int(np.nan_to_num(metrics.entropy(weights, mask).rows).argmax()) if row is None else row
    choose_place("row", say("inside.row"), shown.queries, row)
    places = np.flatnonzero(mask[row])
    if len(places) < 2:
        st.info(say("using.alone"))
        return Panel()
    variants = [(), *((Cell(where, head, row, int(key), 0.0),) for key in places)]
    found = ask(
        trace,
        ("using", here.kind, here.layer, head, row),
        variants,
        say("using.start"),
        key="using_start",
    )
    if found is None:
        return Panel()
    norms = metrics.norm_weighted(weights, trace.transformed[here.kind][here.layer, head])
    columns = {
        "weight": weights[row, places],
        "norm": norms[row, places],
        "effect": drops(found[0], found[1:]),
    }
    keys = [shown.keys[key] for key in places]
    drawn = {
        "edges": figures.edges(keys, columns, say("using.alt"), say),
        "edge_scatter": figures.scatter(
            columns["weight"], columns["effect"], keys, say("using.scatter"), say
        ),
    }
    for column, (key, drawing) in zip(st.columns(2, gap="medium"), drawn.items(), strict=True):
        with column:
            show(drawing, key=key)
    effect = columns["effect"]  # with its sign, as it is drawn: a cut that helps is no sign of use
    pairs = (columns["weight"], effect), (columns["norm"], effect), (columns["weight"], columns["norm"])
    rhos = [rank_correlation(*pair) for pair in pairs]
    said = dict(zip(("weight", "norm", "both"), (f"{rho:.2f}" for rho in rhos), strict=True))
    st.text(say("using.seen", n=len(places), **said))
    st.caption(say("using.caveat"))
    return Panel(drawn, columns | {"keys": places})
