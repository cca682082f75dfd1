"""Inside a head: how does this number come about? One weight, from the stream back to the stream."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from viz.export.handout import Section
from viz.figures.numbers import in_formula
from viz.frame.presenter import presenting
from viz.pages.inside import WAY, Inside, figures
from viz.pages.inside.formulas import formula
from viz.pages.inside.numbers import Cell, cell
from viz.pages.inside.panels import questions, steps
from viz.state.language import say
from viz.state.picture import Picture, picture
from viz.state.rows import Rows, rows
from viz.state.runs import current_trace
from viz.state.selection import Selection
from viz.state.session import chosen, selection
from viz.widgets import heads
from viz.widgets.controls import choose, choose_heads, choose_layer
from viz.widgets.panel import Panel


def show() -> Panel | None:
    trace = current_trace()
    head_count = trace.attention["encoder"].shape[1]

    with st.container(horizontal=True, vertical_alignment="bottom", key="question"):
        st.title(say("inside.title"), anchor=False, width="content")
        st.caption(say("inside.what" if len(selection().head) == 1 else "inside.first"))
        choose("guess", labelled=False)
    if not trace.scores:
        st.info(say("inside.long"))
        return None

    # One head, between pieces, as the model computes: the choices of Look do not apply here.
    here = replace(selection(), head=selection().head[:1], units="pieces", special="shown")
    here = replace(here, weighting="weight", colour="linear")
    shown = picture(trace, here, say)
    looking = rows(trace, here.kind, say)
    if chosen(Inside).step == "why" and here.row is None:
        here = replace(here, row=questions.lesson(trace, here))
    at = steps.place(shown, here)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="controls"):
        choose("kind")
        choose_layer()
        choose_heads(head_count)
        steps.choose_cell(looking.options(), shown.keys, at)
        choose("step")  # where there is no room for the strip

    found, asked = cell(trace, here.kind, here.layer, here.head[0], *at), chosen(Inside)
    steps.strip(found, asked)
    more = {}
    with st.container(key="panel"):
        if asked.step == "why":
            more = questions.why(trace, shown, looking, found, here, asked)
        elif asked.step == "rows":
            more = questions.rows(trace, found, here)
        else:
            _step(found, shown, looking, here, asked)
    steps.code(asked.step, here)
    return Panel(
        {f"step.{step}": _picture(step, found, looking, shown.keys) for step in WAY},
        _arrays(found) | more,
        title=f"{say('inside.title')} {heads.name(here)}",
        sections=lambda: _sections(found, looking, shown.keys),
    )


def _step(found: Cell, shown: Picture, looking: Rows, here: Selection, asked: Inside) -> None:
    """The step beside the map; without the map where it would give the answer away."""
    if asked.guess == "on" or presenting():
        steps.step(found, shown.keys, looking, asked, beside=True)
        return
    step, whole = st.columns([3, 2], gap="medium")
    with whole:
        steps.cell_map(shown, here, (found.row, found.column))
    with step:
        steps.step(found, shown.keys, looking, asked, beside=False)


def _picture(step: str, found: Cell, looking: Rows, keys: Sequence[str]) -> Callable[[], str]:
    return lambda: figures.large(step, found, looking.read, keys, say).svg()


def _sections(cell: Cell, looking: Rows, keys: Sequence[str]) -> list[Section]:
    """Every step for a handout: with a question for the class, and the answers at its end."""
    made = []
    for each in WAY:
        full = formula(each, cell, say("formula.more"))
        asked = formula(each, cell, say("formula.more"), hidden=True)
        drawn = figures.large(each, cell, looking.read, keys, say, hidden=full.answer is not None)
        made.append(
            Section(
                say(f"step.{each}.title"),
                drawn.svg(),
                f"{looking.said(cell.row, say)} {say(f'step.{each}.seen')}".strip(),
                asked.plain,
                question="" if full.answer is None else say("guess.question"),
                answer="" if full.answer is None else in_formula(full.answer),
            )
        )
    return made


def _arrays(cell: Cell) -> dict[str, object]:
    """The numbers of every step under the names of the page."""
    fields = {name: getattr(cell, name) for name in cell.__dataclass_fields__ if name != "projected"}
    return fields | {"terms": cell.terms, "total": cell.total, "mean": cell.mean, "spread": cell.spread}
