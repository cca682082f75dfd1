"""From a phenomenon to its heads: all of them as a table of colours that sorts by a click on a column."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from viz.components.drawing import show
from viz.pages.atlas import Atlas
from viz.pages.atlas.figures import named as figures
from viz.pages.atlas.panels.ranking import show_ranking
from viz.state import causal
from viz.state.language import say
from viz.state.session import select, selection
from viz.widgets.names import head_name, phenomenon_name
from viz.widgets.panel import Panel

SHOWN = 0.1  # heads that take less than this share of every gap are left out


def choose_sort(atlas: Mapping) -> None:
    """By which phenomenon the heads are sorted; by none: as they stand in the model."""
    offered = ["", *causal.ordered(atlas)]
    now = st.session_state["phenomenon"]
    st.session_state["phenomenon"] = now if now in offered else ""
    labels = {name: phenomenon_name(name) if name else say("matrix.by_place") for name in offered}
    st.selectbox(
        say("matrix.sort"), offered, format_func=labels.__getitem__, key="phenomenon", width=220
    )  # fmt: skip


def show_matrix(atlas: Mapping, chosen: Atlas) -> Panel:
    """Heads × phenomena; the colour is the share of the gap that goes with the head."""
    heads, names, lost = causal.losses(atlas)
    if not heads:
        st.info(say("named.none"))
        return Panel()
    here = selection()
    where = here.kind, here.layer, here.head[0]
    roles = {(head, name) for head, carried in causal.carriers(atlas).items() for name in carried}
    rows = _rows(heads, names, lost, chosen.phenomenon, roles)
    drawn = figures.matrix(
        [(heads[row], head_name(*heads[row])) for row in rows],
        [(name, phenomenon_name(name)) for name in names], lost[rows], roles, say("matrix.alt"),
        chosen=where, sort=chosen.phenomenon, say=say,
    )  # fmt: skip
    show(drawn, key="matrix", on_pick=_pick)
    finding = _finding(atlas, chosen.phenomenon, heads, names, lost)
    how = "" if chosen.phenomenon in names else say("matrix.any.how")
    st.markdown(f"{finding} {how}".strip())
    st.caption(say("matrix.what", shown=len(rows), all=len(heads), least=f"{SHOWN:.0%}"))
    pictures = {"matrix": drawn}
    if chosen.phenomenon in names:
        told, title = causal.phenomena(atlas)[chosen.phenomenon], phenomenon_name(chosen.phenomenon)
        pictures["matrix_heads"] = show_ranking(
            chosen.phenomenon, told, say("matrix.ranking", name=title), "matrix_heads"
        )
    arrays = {"heads": [".".join(map(str, head)) for head in heads], "phenomena": names, "lost": lost}
    return Panel(pictures, arrays, finding=finding)


def _rows(
    heads: list[causal.Where], names: list[str], lost: np.ndarray, sort: str,
    roles: set[tuple[causal.Where, str]],
) -> list[int]:  # fmt: skip
    """The heads that take anything worth a row, in the order asked for."""
    named = {head for head, _ in roles}
    worth = [
        row for row, head in enumerate(heads) if head in named or np.nanmax(lost[row], initial=0) >= SHOWN
    ]
    if sort not in names:
        return worth
    column = np.nan_to_num(lost[:, names.index(sort)])
    return sorted(worth, key=lambda row: -column[row])


def _finding(atlas: Mapping, sort: str, heads: list[causal.Where], names: list[str], lost: np.ndarray) -> str:
    """Who carries the phenomenon that the table is sorted by, in one sentence."""
    if sort not in names:
        return say("matrix.any", count=len(causal.carriers(atlas)), phenomena=len(names))
    having = [head_name(*head) for head, carried in causal.carriers(atlas).items() if sort in carried]
    column = lost[:, names.index(sort)]
    best = int(np.nanargmax(column))
    values = {"name": phenomenon_name(sort), "share": f"{column[best]:.0%}", "best": head_name(*heads[best])}
    if having:
        return say("matrix.carried", heads=", ".join(having), **values)
    return say("matrix.nobody", **values)


def _pick() -> None:
    what, *rest = st.session_state["matrix"]["pick"]
    if what == "sort":
        (name,) = rest
        st.session_state["phenomenon"] = "" if st.session_state["phenomenon"] == name else name
    else:
        kind, layer, head = rest
        select(kind=kind, layer=layer, head=(head,))
