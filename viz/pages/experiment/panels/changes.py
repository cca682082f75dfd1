"""What to change in the model: the chips of what was changed, and the form."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from model import Trace
from model.inspect import edits as kinds
from model.inspect.edits import Edit
from model.network.kinds import KINDS
from viz.figures.labels import readable
from viz.pages.experiment.numbers.changes import describe, head_of
from viz.state import runs, session
from viz.state.language import say
from viz.state.picture import picture
from viz.state.selection import Selection
from viz.text import verbatim
from viz.widgets import heads
from viz.widgets.controls import unfold
from viz.widgets.names import head_names

FORMS = (
    "off", "scale", "uniform", "cell", "hide", "temperature", "unscale",
    "positions_off", "positions_shift", "shuffle", "lift_mask", "skip", "copy_head",
)  # fmt: skip


def chips(made: Sequence[Edit], trace: Trace) -> None:
    """What is changed, each removable; and one click back."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="chips"):
        if not made:
            st.caption(say("edits.none"))
        for place, edit in enumerate(made):
            label = f"{verbatim(words_of(edit, trace))}  ✕"
            rest = [other for at, other in enumerate(made) if at != place]
            st.button(
                label, key=f"chip_{place}", on_click=session.change, args=rest, help=say("edits.remove")
            )
        if made:
            st.button(say("edits.clear"), key="clear_edits", on_click=session.change, type="tertiary")


def words_of(edit: Edit, trace: Trace) -> str:
    """What an edit does, and the first name of the head that it is about, if that has one."""
    head = head_of(edit)
    return " · ".join([describe(edit, trace, say), *(head_names(*head)[:1] if head else [])])


def titled(made: Sequence[Edit], trace: Trace) -> str:
    """The question, and what was changed to answer it."""
    listed = "; ".join(words_of(edit, trace) for edit in made)
    return f"{say('experiment.title')} {listed}".strip()


def add(trace: Trace, here: Selection) -> None:
    """Make another change; those of a head are about the head that is chosen above."""
    unfold("add_edit", say("edits.add"), lambda: _add(trace, here))


def _add(trace: Trace, here: Selection) -> None:
    labels = {name: say(f"form.{name}") for name in FORMS}
    form = st.selectbox(say("form.label"), FORMS, format_func=labels.__getitem__, key="edit_form")
    if form in ("off", "scale", "uniform", "cell", "copy_head"):
        st.caption(verbatim(heads.name(here)))
    made = _asked(form, trace, here)
    st.caption(say(f"form.{form}.what"))
    if form == "cell":
        st.caption(say("edits.here"))
    st.button(
        say("edits.make"), key="make_edit", type="primary", disabled=made is None,
        on_click=lambda: session.change(*session.edits(), *(made or ())),
    )  # fmt: skip


def _asked(form: str, trace: Trace, here: Selection) -> tuple[Edit, ...] | None:
    """The edits that the form describes; None while something is missing."""
    where = KINDS[here.kind].format(here.layer)
    every = KINDS[here.kind].format("*")
    stack = "encoder" if here.kind == "encoder" else "decoder"
    match form:
        case "off":
            return tuple(kinds.Scale(where, head, 0.0) for head in here.head)
        case "scale":
            factor = st.slider(say("form.factor"), 0.0, 2.0, 0.5, 0.1, key="edit_factor")
            return tuple(kinds.Scale(where, head, factor) for head in here.head)
        case "uniform":
            return tuple(kinds.Uniform(where, head) for head in here.head)
        case "cell":
            return _cell(trace, here, where)
        case "hide":
            words = [readable(piece, say) for piece in trace.source.pieces]
            position = _word("edit_hide", say("form.word"), words)
            return (kinds.Hide(position),)
        case "temperature":
            value = st.slider(say("form.temperature_value"), 0.1, 5.0, 2.0, 0.1, key="edit_temperature")
            return (kinds.Temperature(every, value),)
        case "unscale":
            return (kinds.Unscale(every),)
        case "positions_off":
            return (kinds.PositionsOff(stack),)
        case "positions_shift":
            by = st.slider(say("form.by"), 1, 100, 10, key="edit_by")
            return (kinds.PositionsShift(by, stack),)
        case "shuffle":
            return (kinds.Shuffle(int(st.number_input(say("form.seed"), 0, 9999, 0, key="edit_seed"))),)
        case "lift_mask":
            return (kinds.LiftMask(),)
        case "skip":
            sublayer = where if st.toggle(say("form.attention"), True, key="edit_attention") else (
                f"{stack}.layers.{here.layer}.feed_forward"
            )  # fmt: skip
            return (kinds.Skip(sublayer),)
    text = st.text_input(say("form.text"), key="edit_text", placeholder=say("form.text.hint"))
    return tuple(kinds.CopyHead(where, head, text) for head in here.head) if text.strip() else None


def _cell(trace: Trace, here: Selection, where: str) -> tuple[Edit, ...]:
    shown = picture(trace, replace(here, units="pieces", special="shown"), say)
    row = _word("edit_row", say("inside.row"), shown.queries, shown.row_of(here.row) or 0)
    column = _word("edit_column", say("inside.column"), shown.keys, shown.column_of(here.column) or 0)
    weight = st.slider(say("form.weight"), 0.0, 1.0, 1.0, 0.05, key="edit_weight")
    return tuple(kinds.Cell(where, head, row, column, weight) for head in here.head)


def _word(key: str, label: str, words: Sequence[str], place: int = 0) -> int:
    labels = {at: f"{at + 1} · {word}" for at, word in enumerate(words)}
    return st.selectbox(
        label, range(len(words)), min(place, len(words) - 1), format_func=labels.__getitem__, key=key
    )


def run(text: str, made: Sequence[Edit], trace: Trace) -> tuple[Trace | None, list[Edit]]:
    """The changed run, and the edits it could be made with; one that cannot be made is named and left out."""
    possible: list[Edit] = []
    for edit in made:
        try:
            runs.edited_trace(text, (*possible, edit))
            possible.append(edit)
        except (ValueError, LookupError):
            st.warning(say("edits.refused", edit=verbatim(describe(edit, trace, say)), why=_why(edit, trace)))
    return (runs.edited_trace(text, tuple(possible)) if possible else None), possible


def _why(edit: Edit, trace: Trace) -> str:
    """What stands in the way, as far as it can be told."""
    pieces = len(trace.source.ids)
    if isinstance(edit, kinds.Hide):
        return say("refused.hide" if edit.position < pieces else "refused.position", pieces=pieces)
    if isinstance(edit, kinds.CopyHead) and runs.refusal(edit.text) is None:
        return say("refused.length", there=len(runs.translator().read(edit.text).ids), here=pieces)
    return say("refused.other")
