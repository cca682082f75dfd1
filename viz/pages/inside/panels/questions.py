"""Two questions about the way to a weight: why ÷ √d_k, and one query at a time or all at once?"""

import math
from time import perf_counter

import numpy as np
import streamlit as st

from model import Trace
from model.inspect import metrics
from viz.components.drawing import show
from viz.pages.inside import Inside, figures
from viz.pages.inside.numbers import Cell, all_at_once, clearest_row, of_this_head, row_by_hand, simulated
from viz.state.language import say
from viz.state.picture import Picture
from viz.state.rows import Rows
from viz.state.selection import Selection
from viz.text import verbatim


def lesson(trace: Trace, here: Selection) -> int:
    """The row to open on: where the division keeps most of a choice that would be lost without it."""
    query, key, mask = (
        each[here.kind][here.layer, here.head[0]] for each in (trace.query, trace.key, trace.mask)
    )
    return clearest_row(query, key, mask)


def why(
    trace: Trace, shown: Picture, looking: Rows, cell: Cell, here: Selection, chosen: Inside
) -> dict[str, np.ndarray]:
    """Why ÷ √d_k: how a softmax saturates as d_k grows, simulated and with this head's own numbers."""
    query, key = (each[here.kind][here.layer, cell.head] for each in (trace.query, trace.key))
    mask = trace.mask[here.kind][here.layer, cell.head]
    widths = Inside.options("key_width")
    own_widths = [width for width in widths if width <= query.shape[-1]]
    st.markdown(f"**{say('step.why.title')}**")
    st.select_slider(say("saturation.axis"), widths, key="key_width")
    numbers: dict[str, np.ndarray] = {"d_k": np.array(widths)}
    curves = {
        scaled: (
            np.array([_simulated(width, scaled) for width in widths]),
            np.array([of_this_head(query, key, mask, width, scaled) for width in own_widths]),
        )
        for scaled in (True, False)
    }
    row, *charts = st.columns(3, gap="medium")
    for column, (part, what) in zip(charts, enumerate(("entropy", "gradient")), strict=True):
        simulation, own = ({scaled: curves[scaled][n][:, part] for scaled in curves} for n in (0, 1))
        drawn = figures.saturation(widths, simulation, own, chosen.key_width, what, say)
        with column:
            show(drawn, key=f"saturation_{what}")
        numbers |= {f"{what}.{scaled}": simulation[scaled] for scaled in simulation}
        numbers |= {f"{what}.own.{scaled}": own[scaled] for scaled in own}
    width = min(chosen.key_width, query.shape[-1])
    scores = key[:, :width] @ query[cell.row, :width]
    scaled, unscaled = (metrics.masked_softmax(scores / root, cell.mask) for root in (math.sqrt(width), 1.0))
    most = {"scaled": f"{scaled.max():.2f}", "unscaled": f"{unscaled.max():.2f}"}
    with row:
        st.caption(say("saturation.row", word=verbatim(looking.options()[cell.row]), width=width, **most))
        show(figures.two_softmaxes(scaled, unscaled, shown.keys, say), key="saturation_row")
    st.caption(say("step.why.seen"))
    return numbers | {"row.scaled": scaled, "row.unscaled": unscaled}


@st.cache_data(show_spinner=False, max_entries=64)
def _simulated(width: int, scaled: bool) -> tuple[float, float]:
    entropy, gradient = simulated(width, scaled)
    return entropy, gradient


def rows(trace: Trace, cell: Cell, here: Selection) -> dict[str, np.ndarray]:
    """One query at a time, or all at once: the same numbers, and how long each takes here."""
    query, key, value, mask = (
        each[here.kind][here.layer, cell.head] for each in (trace.query, trace.key, trace.value, trace.mask)
    )
    plain = [each.tolist() for each in (query, key, value, mask)]
    began = perf_counter()
    by_hand = np.array(
        [row_by_hand(q, plain[1], plain[2], m, cell.root) for q, m in zip(plain[0], plain[3], strict=True)]
    )
    middle = perf_counter()
    at_once = all_at_once(query, key, value, mask, cell.root)
    ended = perf_counter()
    mixed = trace.mixed[here.kind][here.layer, cell.head]
    st.markdown(f"**{say('step.rows.title')}**")
    listed = (("by_hand", (middle - began), by_hand), ("at_once", (ended - middle), at_once))
    lines = [f"| | {say('rows.time')} | {say('rows.first')} | {say('rows.off')} |", "|---|---|---|---|"]
    for which, seconds, found in listed:
        first = ", ".join(f"{number:.4f}" for number in found[cell.row, :3])
        off = f"{abs(found - mixed).max():.1e}"
        lines.append(
            f"| {say(f'rows.{which}', rows=len(query))} | {1000 * seconds:.2f} ms | {first}, … | {off} |"
        )
    first = ", ".join(f"{number:.4f}" for number in mixed[cell.row, :3])
    lines.append(f"| {say('rows.model')} | | {first}, … | |")
    st.markdown("\n".join(lines))
    st.caption(say("step.rows.seen", times=f"{(middle - began) / max(ended - middle, 1e-9):.0f}"))
    return {"by_hand": by_hand, "at_once": at_once, "mixed": mixed}
