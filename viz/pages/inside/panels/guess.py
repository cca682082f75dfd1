"""Guess first: the next number is hidden until a student has typed one."""

import math

import streamlit as st

from viz.figures.numbers import in_formula
from viz.pages.inside.formulas import Formula, formula
from viz.pages.inside.numbers import Cell
from viz.state import runs
from viz.state.language import say
from viz.state.session import selection

CLOSE, NEAR = 0.02, 0.15  # of the number that was asked for


def is_asked(step: str, cell: Cell) -> bool:
    return formula(step, cell, "").answer is not None


def is_guessed(cell: Cell, step: str) -> bool:
    return _question(cell, step) in st.session_state.setdefault("guesses", {})


def _question(cell: Cell, step: str) -> tuple:
    chosen = selection()
    where = chosen.kind, chosen.layer, cell.head, cell.row, cell.column
    return runs.checkpoint(), st.session_state.shown, *where, step


def ask(cell: Cell, step: str, made: Formula) -> None:
    """Ask for the number; once somebody has answered, say how close it was."""
    if made.answer is None:
        st.caption(say("guess.nothing"))
        return
    if not is_guessed(cell, step):
        with st.form("guess_form", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
            typed = st.text_input(say("guess.question"), key="guess_text")
            sent = st.form_submit_button(say("guess.check"), key="guess_check")
        if not sent:
            return
        guess = read_number(typed)
        if guess is None:
            st.warning(say("guess.unreadable"))
            return
        st.session_state.guesses[_question(cell, step)] = guess
        st.rerun()
    guess = st.session_state.guesses[_question(cell, step)]
    key = f"guess.{verdict(guess, made.answer)}"
    st.info(say(key, guess=in_formula(guess), answer=in_formula(made.answer)))


def read_number(typed: str) -> float | None:
    """What somebody typed as a number; a comma is a point, and −∞ is no answer."""
    try:
        value = float(typed.strip().replace("−", "-").replace(",", "."))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def verdict(guess: float, answer: float) -> str:
    """right: to about two digits; near: the right size; far."""
    off = abs(guess - answer)
    if off <= max(0.005, CLOSE * abs(answer)):
        return "right"
    return "near" if off <= max(0.05, NEAR * abs(answer)) else "far"
