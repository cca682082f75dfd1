"""One weight, step by step: where it stands, the picture of a step, the formula, the lines of code."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from viz.components.drawing import show
from viz.components.heatmap import heatmap
from viz.pages.inside import QUESTIONS, WAY, Inside, figures
from viz.pages.inside.code import code_lines
from viz.pages.inside.formulas import formula
from viz.pages.inside.numbers import Cell
from viz.pages.inside.panels.guess import ask, is_asked, is_guessed
from viz.state import telling
from viz.state.language import say
from viz.state.picture import Picture
from viz.state.rows import Rows
from viz.state.selection import Selection
from viz.state.session import select
from viz.text import verbatim
from viz.widgets.controls import choose_place
from viz.widgets.heads import name

SURE = 0.9


def place(shown: Picture, chosen: Selection) -> tuple[int, int]:
    """The chosen cell; where nothing was chosen: a clear look of a word at a word that is not all.

    A softmax that has given everything to one position has nothing left to show.
    """
    row = chosen.row if chosen.row is not None and chosen.row < len(shown.queries) else None
    column = chosen.column if chosen.column is not None and chosen.column < len(shown.keys) else None
    if row is not None and column is not None:
        return row, column
    if row is None and column is None and (pair := telling.clearest(shown, SURE)):
        return pair
    undecided = replace(shown, combined=np.where(shown.combined > SURE, 0, shown.combined))
    return undecided.strongest(row, column)


def choose_cell(rows: Sequence[str], keys: Sequence[str], at: tuple[int, int]) -> None:
    """Who looks, and who is looked at."""
    for field, words, where in (("row", rows, at[0]), ("column", keys, at[1])):
        choose_place(field, say(f"inside.{field}"), words, where)


def cell_map(shown: Picture, chosen: Selection, at: tuple[int, int]) -> None:
    """The head's whole map: where this number stands; a click moves on to another."""
    with st.container(key="map_caption"):
        st.caption(verbatim(name(chosen)))
    heatmap(
        shown.combined, shown.mask, shown.queries, shown.keys, say, key="heatmap",
        label=say("heatmap.alt", name=name(chosen)), unit=say("heatmap.weight"),
        rows=say(shown.query_axis), columns=say(shown.key_axis), row=at[0], column=at[1], on_pick=_pick,
    )  # fmt: skip


def _pick() -> None:
    picked = st.session_state["heatmap"]["pick"] or {}
    if picked.get("row") is not None:
        select(row=picked["row"], column=picked["column"])


def strip(cell: Cell, chosen: Inside) -> None:
    """All steps; a click or the arrow keys move on."""
    now = WAY.index(chosen.step) if chosen.step in WAY else len(WAY)

    def covered(step: str) -> bool:
        ahead = WAY.index(step) > now or (step == chosen.step and not is_guessed(cell, step))
        return chosen.guess == "on" and ahead and is_asked(step, cell)

    listed = [(step, say(f"step.{step}"), figures.small(step, cell, covered(step))) for step in WAY]
    questions = [(step, say(f"step.{step}")) for step in QUESTIONS]
    show(figures.strip(listed, questions, chosen.step, say("inside.strip")), key="strip", on_pick=_go)


def _go() -> None:
    if (step := st.session_state["strip"]["pick"]) in (*WAY, *QUESTIONS):
        select(step=step)


def step(cell: Cell, keys: Sequence[str], looking: Rows, chosen: Inside, beside: bool) -> None:
    """The active step, large; its formula under the picture, or `beside` it where nothing else is."""
    hidden = chosen.guess == "on" and is_asked(chosen.step, cell) and not is_guessed(cell, chosen.step)
    made = formula(chosen.step, cell, say("formula.more"), hidden)
    st.markdown(f"**{say(f'step.{chosen.step}.title')}**")
    if whose := looking.said(cell.row, say):
        st.caption(verbatim(whose))
    drawn, written = st.columns(2, gap="medium") if beside else (st.container(), st.container())
    with drawn:
        show(figures.large(chosen.step, cell, looking.read, keys, say, hidden), key="step_picture")
    with written:
        st.latex(made.latex)
        if chosen.guess == "on":
            ask(cell, chosen.step, made)
        seen = say(f"step.{chosen.step}.seen")
        # Said once, at the first step, and on screen only: nothing on paper can be pointed at.
        st.caption(f"{seen} {say('step.point')}" if chosen.step == WAY[0] else seen)


def code(step: str, here: Selection) -> None:
    """The lines that computed it."""
    with st.expander(say("inside.code")):
        for lines in code_lines(step, here.kind, here.layer):
            st.code(lines.code, language="python", wrap_lines=True)
            st.caption(say("inside.where", file=verbatim(lines.file), line=lines.first))
