"""One weight, step by step: the picture, the formula with its numbers, the lines of code, a guess."""

import math
from dataclasses import replace
from time import perf_counter

import numpy as np
import streamlit as st

from model import Trace
from viz.components.drawing import show
from viz.components.heatmap import heatmap
from viz.export.handout import Section
from viz.figures.numbers import in_formula
from viz.pages.inside import figures as steps
from viz.pages.inside import numbers as arithmetic
from viz.pages.inside.code import code_lines
from viz.pages.inside.formulas import Formula, formula
from viz.pages.inside.numbers import Cell, all_at_once, of_this_head, row_by_hand, simulated
from viz.state.picture import Picture
from viz.state.selection import CHOICES, NUMBERS, Selection
from viz.state.session import say, select, selection
from viz.text import verbatim
from viz.widgets.controls import choose_place
from viz.widgets.heads import name

WAY = CHOICES["step"][:9]  # from the stream back to the stream; what follows are questions about it
SURE = 0.9
CLOSE, NEAR = 0.02, 0.15  # of the number that was asked for


def place(shown: Picture, chosen: Selection) -> tuple[int, int]:
    """The chosen cell; where nothing, or nothing that exists, was chosen: a large weight that is not all.

    A softmax that has given everything to one position has nothing left to show.
    """
    row = chosen.row if chosen.row is not None and chosen.row < len(shown.queries) else None
    column = chosen.column if chosen.column is not None and chosen.column < len(shown.keys) else None
    if row is not None and column is not None:
        return row, column
    undecided = replace(shown, combined=np.where(shown.combined > SURE, 0, shown.combined))
    return undecided.strongest(row, column)


def choose_cell(shown: Picture, at: tuple[int, int]) -> None:
    """Who looks, and who is looked at."""
    for field, words, where in (("row", shown.queries, at[0]), ("column", shown.keys, at[1])):
        choose_place(field, say(f"inside.{field}"), words, where)


def cell_map(shown: Picture, chosen: Selection, at: tuple[int, int]) -> None:
    """The head's whole map: where this number stands; a click moves on to another."""
    st.caption(name(chosen))
    heatmap(
        shown.combined, shown.mask, shown.queries, shown.keys, say, key="heatmap",
        label=say("heatmap.alt", name=name(chosen)), unit=say("heatmap.weight"),
        rows=say(shown.query_axis), columns=say(shown.key_axis), row=at[0], column=at[1], on_pick=_pick,
    )  # fmt: skip


def _pick() -> None:
    picked = st.session_state["heatmap"]["pick"] or {}
    if picked.get("row") is not None:
        select(row=picked["row"], column=picked["column"])


def strip(cell: Cell, chosen: Selection) -> None:
    """All steps; a click or the arrow keys move on."""
    now = WAY.index(chosen.step) if chosen.step in WAY else len(WAY)

    def covered(step: str) -> bool:
        ahead = WAY.index(step) > now or (step == chosen.step and not _guessed(cell, step))
        return chosen.guess == "on" and ahead and _asked(step, cell)

    listed = [(step, say(f"step.{step}"), steps.small(step, cell, covered(step))) for step in WAY]
    questions = [(step, say(f"step.{step}")) for step in CHOICES["step"][len(WAY) :]]
    show(steps.strip(listed, questions, chosen.step, say("inside.strip")), key="strip", on_pick=_go)


def _go() -> None:
    if (step := st.session_state["strip"]["pick"]) in CHOICES["step"]:
        select(step=step)


def step(cell: Cell, shown: Picture, chosen: Selection, beside: bool) -> None:
    """The active step, large; its formula under the picture, or `beside` it where nothing else is."""
    hidden = chosen.guess == "on" and _asked(chosen.step, cell) and not _guessed(cell, chosen.step)
    made = formula(chosen.step, cell, say("formula.more"), hidden)
    st.markdown(f"**{say(f'step.{chosen.step}.title')}**")
    drawn, written = st.columns(2, gap="medium") if beside else (st.container(), st.container())
    with drawn:
        show(steps.large(chosen.step, cell, shown.queries, shown.keys, say, hidden), key="step_picture")
    with written:
        st.latex(made.latex)
        if chosen.guess == "on":
            _guess(cell, chosen.step, made)
        seen = say(f"step.{chosen.step}.seen")
        # Said once, at the first step, and on screen only: nothing on paper can be pointed at.
        st.caption(f"{seen} {say('step.point')}" if chosen.step == WAY[0] else seen)


def code(chosen: Selection) -> None:
    """The lines that computed it."""
    with st.expander(say("inside.code")):
        for lines in code_lines(chosen.step, chosen.kind, chosen.layer):
            st.code(lines.code, language="python", wrap_lines=True)
            st.caption(say("inside.where", file=verbatim(lines.file), line=lines.first))


def _asked(step: str, cell: Cell) -> bool:
    return formula(step, cell, "").answer is not None


def _guessed(cell: Cell, step: str) -> bool:
    return _question(cell, step) in st.session_state.setdefault("guesses", {})


def _question(cell: Cell, step: str) -> tuple:
    chosen = selection()
    return st.session_state.shown, chosen.kind, chosen.layer, cell.head, cell.row, cell.column, step


def _guess(cell: Cell, step: str, made: Formula) -> None:
    """Ask for the number; once somebody has answered, say how close it was."""
    if made.answer is None:
        st.caption(say("guess.nothing"))
        return
    if not _guessed(cell, step):
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


def why(trace: Trace, shown: Picture, cell: Cell, chosen: Selection) -> dict[str, np.ndarray]:
    """Why ÷ √d_k: how a softmax saturates as d_k grows, simulated and with this head's own numbers."""
    query, key = (each[chosen.kind][chosen.layer, cell.head] for each in (trace.query, trace.key))
    mask = trace.mask[chosen.kind][chosen.layer, cell.head]
    widths = NUMBERS["key_width"]
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
    left, right = st.columns(2, gap="medium")
    for column, (part, what) in zip((left, right), enumerate(("entropy", "gradient")), strict=True):
        simulation, own = ({scaled: curves[scaled][n][:, part] for scaled in curves} for n in (0, 1))
        drawn = steps.saturation(widths, simulation, own, chosen.key_width, what, say)
        with column:
            show(drawn, key=f"saturation_{what}")
        numbers |= {f"{what}.{scaled}": simulation[scaled] for scaled in simulation}
        numbers |= {f"{what}.own.{scaled}": own[scaled] for scaled in own}
    width = min(chosen.key_width, query.shape[-1])
    scores = key[:, :width] @ query[cell.row, :width]
    rows = [arithmetic.metrics.masked_softmax(scores / root, cell.mask) for root in (math.sqrt(width), 1.0)]
    st.caption(say("saturation.row", word=verbatim(shown.queries[cell.row]), width=width))
    show(steps.two_softmaxes(*rows, shown.keys, say), key="saturation_row")
    st.caption(say("step.why.seen"))
    return numbers | {"row.scaled": rows[0], "row.unscaled": rows[1]}


@st.cache_data(show_spinner=False, max_entries=64)
def _simulated(width: int, scaled: bool) -> tuple[float, float]:
    return tuple(simulated(width, scaled))


def rows(trace: Trace, cell: Cell, chosen: Selection) -> dict[str, np.ndarray]:
    """One query at a time, or all at once: the same numbers, and how long each takes here."""
    query, key, value, mask = (
        each[chosen.kind][chosen.layer, cell.head]
        for each in (trace.query, trace.key, trace.value, trace.mask)
    )
    plain = [each.tolist() for each in (query, key, value, mask)]
    began = perf_counter()
    by_hand = np.array(
        [row_by_hand(q, plain[1], plain[2], m, cell.root) for q, m in zip(plain[0], plain[3], strict=True)]
    )
    middle = perf_counter()
    at_once = all_at_once(query, key, value, mask, cell.root)
    ended = perf_counter()
    mixed = trace.mixed[chosen.kind][chosen.layer, cell.head]
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


def sections(cell: Cell, shown: Picture) -> list[Section]:
    """Every step for a handout: with a question for the class, and the answers at its end."""
    made = []
    for each in WAY:
        full = formula(each, cell, say("formula.more"))
        asked = formula(each, cell, say("formula.more"), hidden=True)
        drawn = steps.large(each, cell, shown.queries, shown.keys, say, hidden=full.answer is not None)
        made.append(
            Section(
                say(f"step.{each}.title"),
                drawn.svg(),
                say(f"step.{each}.seen"),
                asked.plain,
                question="" if full.answer is None else say("guess.question"),
                answer="" if full.answer is None else in_formula(full.answer),
            )
        )
    return made


def pictures(cell: Cell, shown: Picture) -> dict[str, str]:
    return {f"step.{each}": steps.large(each, cell, shown.queries, shown.keys, say).svg() for each in WAY}


def arrays(cell: Cell) -> dict[str, object]:
    """The numbers of every step under the names of the page."""
    fields = {name: getattr(cell, name) for name in cell.__dataclass_fields__ if name != "projected"}
    return fields | {"terms": cell.terms, "total": cell.total, "mean": cell.mean, "spread": cell.spread}
