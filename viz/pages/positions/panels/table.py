"""The table of waves: two positions in it, and how alike they look."""

import numpy as np
import streamlit as st

from model import Trace
from viz.components import drawing
from viz.figures.drawing import Drawing
from viz.pages.positions import Positions, figures, formulas, numbers
from viz.pages.positions.panels import maps
from viz.state.language import say
from viz.state.runs import translator
from viz.state.session import chosen, select
from viz.widgets.panel import Panel

BASE = 10_000  # of every checkpoint's own waves (paper, section 3.5)


def table(trace: Trace, chosen: Positions) -> Panel:
    """The table, two positions in it, and how alike they look."""
    waves = numbers.table(chosen.places, chosen.wave_width, chosen.base)
    alike = numbers.products(waves)
    left, middle, right = st.columns(3, gap="medium")
    with left:
        maps.show_map(
            "positions_table", waves, range(chosen.places), range(chosen.wave_width), most=1,
            columns=say("positions.axis.dimension"), unit=say("positions.unit.value"),
            row=chosen.first, also=(chosen.second,), on_pick=_pick_row,
        )  # fmt: skip
        about = _about_table(chosen)
        st.caption(f"{about} {say('positions.table.how')}")
    pair, row = _vectors(chosen, waves), _likeness(chosen, alike)
    with middle:
        _show_pair(chosen, waves, pair, row)
    with right:
        shown = numbers.sampled(chosen.places)
        step = int(shown[1])
        maps.show_map(
            "positions_products", alike[np.ix_(shown, shown)], shown, shown,
            unit=say("positions.unit.product"), on_pick=_pick_pair,
            row=chosen.first // step, column=chosen.second // step,
        )  # fmt: skip
        distance = abs(chosen.first - chosen.second)
        compared = say("positions.compared", distance=distance)
        st.caption(" ".join([compared, say("positions.compared.how"), *maps.sampling_note(step)]))
    sum_ = f"PE({chosen.first}) · PE({chosen.second}) = {alike[chosen.first, chosen.second]:.4f}"
    return Panel(
        {
            "positions_table": lambda: maps.map_svg(
                "positions_table", waves, 1, say("positions.axis.dimension")
            ),
            "positions_vectors": pair,
            "positions_row": row,
            "positions_products": lambda: maps.map_svg("positions_products", alike),
        },
        {"table": waves, "products": alike},
        said={
            "positions_table": maps.on_paper(about, waves),
            "positions_vectors": compared,
            "positions_row": compared,
            "positions_products": maps.on_paper(compared, alike),
        },
        sums={"positions_vectors": sum_},
    )


def _show_pair(chosen: Positions, waves: np.ndarray, pair: Drawing, row: Drawing) -> None:
    """The two positions to compare, their product term by term, and one of them against all."""
    with st.container(horizontal=True, gap="medium", key="cursors"):
        maps.cursors(chosen.places)
    drawing.show(pair, key="positions_vectors")
    st.latex(formulas.dot_product(waves, chosen.first, chosen.second))
    drawing.show(row, key="positions_row")


def _vectors(chosen: Positions, waves: np.ndarray) -> Drawing:
    first, second = waves[chosen.first], waves[chosen.second]
    one, other = f"PE({chosen.first})", f"PE({chosen.second})"
    return figures.vectors(
        {one: first, other: second, f"{one} ⊙ {other}": first * second}, say("export.positions_vectors")
    )


def _likeness(chosen: Positions, alike: np.ndarray) -> Drawing:
    name = f"PE({chosen.first}) · PE(pos)"
    return figures.likeness(
        alike[chosen.first], chosen.first, chosen.second, title=say("export.positions_row"),
        x_title=say("positions.axis.position"), y_title=name, name=name,
    )  # fmt: skip


def _about_table(chosen: Positions) -> str:
    config = translator().config
    said = [say("positions.table.said", base=f"{chosen.base:,}", width=chosen.wave_width)]
    if config.positions != "sinusoidal":
        said.append(say("positions.table.other", kind=say(f"positions.kind.{config.positions}")))
    elif (chosen.wave_width, chosen.base) == (config.width, BASE):
        said.append(say("positions.table.own"))
    else:
        said.append(say("positions.table.lab", width=config.width, base=f"{BASE:,}"))
    if chosen.places > config.length:
        said.append(say("positions.table.end", length=config.length))
    return " ".join(said)


def _pick_row() -> None:
    """A row of the table was clicked: p stands there."""
    picked = st.session_state["positions_table"]["pick"] or {}
    if picked.get("row") is not None:
        select(first=picked["row"])


def _pick_pair() -> None:
    """A cell was clicked: p and q stand there."""
    picked = st.session_state["positions_products"]["pick"] or {}
    if picked.get("row") is not None:
        shown = numbers.sampled(chosen(Positions).places)
        select(first=int(shown[picked["row"]]), second=int(shown[picked["column"]]))
