"""Change the model and watch: the chips of what was changed, before and after, and what matters."""

from collections.abc import Sequence
from dataclasses import replace
from html import escape

import numpy as np
import streamlit as st

from model import Trace
from model.inspect import edits as kinds
from model.inspect.edits import Edit
from model.inspect.trace import KINDS
from model.text.tokenizer import Tokenizer
from viz.components.drawing import show
from viz.figures import bars as figures
from viz.figures.drawing import Drawing
from viz.figures.ink import parts
from viz.figures.labels import SPACE, readable
from viz.figures.numbers import in_formula
from viz.pages.experiment.numbers.changes import READY, changed_words, describe, ready
from viz.state import session
from viz.state.examples import EXAMPLES
from viz.state.picture import picture
from viz.state.selection import Selection
from viz.state.session import say, select
from viz.text import verbatim
from viz.widgets import heads
from viz.widgets.controls import unfold

HARDLY = 0.0005  # of log-probability: a change that three digits do not show
FORMS = (
    "off", "scale", "uniform", "cell", "hide", "temperature", "unscale",
    "positions_off", "positions_shift", "shuffle", "lift_mask", "skip", "copy_head",
)  # fmt: skip


def starts() -> None:
    """Experiments to start from: each one click and one question."""
    with st.container(horizontal=True, gap="small", key="starts"):
        for name in READY:
            label = say(f"ready.{name}")
            st.button(label, key=f"ready_{name}", on_click=_begin, args=(name,), type="tertiary")


def _begin(name: str) -> None:
    if name == "gender":
        session.write(EXAMPLES["she"])
        session.change()
        row, rival = gender(session.trace_of(EXAMPLES["she"]), session.translator().tokenizer)
        select(test="contrast", kind="cross", row=row, rival=rival)
        return
    session.change(*ready(name, session.current_trace()))
    select(test="compare")


def gender(trace: Trace, tokenizer: Tokenizer) -> tuple[int | None, int | None]:
    """The row that says il or elle, and the piece it did not say; nothing where it says neither."""
    pairs = {"il": "elle", "elle": "il", "ils": "elles", "elles": "ils"}
    for row, piece in enumerate(tokenizer.spelled(trace.target.predicted_ids)):
        if (word := piece.removeprefix(SPACE)) in pairs:
            other = piece.removesuffix(word) + pairs[word]
            return row, tokenizer.piece_id(other)
    return None, None


def chips(made: Sequence[Edit], trace: Trace) -> None:
    """What is changed, each removable; and one click back."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="chips"):
        if not made:
            st.caption(say("edits.none"))
        for place, edit in enumerate(made):
            label = f"{verbatim(describe(edit, trace, say))}  ✕"
            rest = [other for at, other in enumerate(made) if at != place]
            st.button(
                label, key=f"chip_{place}", on_click=session.change, args=rest, help=say("edits.remove")
            )
        if made:
            st.button(say("edits.clear"), key="clear_edits", on_click=session.change, type="tertiary")


def titled(made: Sequence[Edit], trace: Trace) -> str:
    """The question, and what was changed to answer it."""
    listed = "; ".join(describe(edit, trace, say) for edit in made)
    return f"{say('experiment.title')} {listed}".strip()


def add(trace: Trace, chosen: Selection) -> None:
    """Make another change; those of a head are about the head that is chosen above."""
    unfold("add_edit", say("edits.add"), lambda: _add(trace, chosen))


def _add(trace: Trace, chosen: Selection) -> None:
    labels = {name: say(f"form.{name}") for name in FORMS}
    form = st.selectbox(say("form.label"), FORMS, format_func=labels.get, key="edit_form")
    if form in ("off", "scale", "uniform", "cell", "copy_head"):
        st.caption(heads.name(chosen))
    made = _asked(form, trace, chosen)
    st.caption(say(f"form.{form}.what"))
    if form == "cell":
        st.caption(say("edits.here"))
    st.button(
        say("edits.make"), key="make_edit", type="primary", disabled=made is None,
        on_click=lambda: session.change(*session.edits(), *(made or ())),
    )  # fmt: skip


def _asked(form: str, trace: Trace, chosen: Selection) -> tuple[Edit, ...] | None:
    """The edits that the form describes; None while something is missing."""
    where = KINDS[chosen.kind].format(chosen.layer)
    every = KINDS[chosen.kind].format("*")
    stack = "encoder" if chosen.kind == "encoder" else "decoder"
    match form:
        case "off":
            return tuple(kinds.Scale(where, head, 0.0) for head in chosen.head)
        case "scale":
            factor = st.slider(say("form.factor"), 0.0, 2.0, 0.5, 0.1, key="edit_factor")
            return tuple(kinds.Scale(where, head, factor) for head in chosen.head)
        case "uniform":
            return tuple(kinds.Uniform(where, head) for head in chosen.head)
        case "cell":
            return _cell(trace, chosen, where)
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
                f"{stack}.layers.{chosen.layer}.feed_forward"
            )  # fmt: skip
            return (kinds.Skip(sublayer),)
    text = st.text_input(say("form.text"), key="edit_text", placeholder=say("form.text.hint"))
    return tuple(kinds.CopyHead(where, head, text) for head in chosen.head) if text.strip() else None


def _pick_cell() -> None:
    """A cell of the map was clicked: its weight is what is going to be set."""
    heads.pick("heatmap")
    st.session_state["edit_form"], st.session_state["add_edit"] = "cell", True


def _cell(trace: Trace, chosen: Selection, where: str) -> tuple[Edit, ...]:
    shown = picture(trace, replace(chosen, units="pieces", special="shown"), say)
    row = _word("edit_row", say("inside.row"), shown.queries, shown.row_of(chosen.row) or 0)
    column = _word("edit_column", say("inside.column"), shown.keys, shown.column_of(chosen.column) or 0)
    weight = st.slider(say("form.weight"), 0.0, 1.0, 1.0, 0.05, key="edit_weight")
    return tuple(kinds.Cell(where, head, row, column, weight) for head in chosen.head)


def _word(key: str, label: str, words: Sequence[str], place: int = 0) -> int:
    labels = {at: f"{at + 1} · {word}" for at, word in enumerate(words)}
    return st.selectbox(label, range(len(words)), min(place, len(words) - 1), format_func=labels.get, key=key)


def run(text: str, made: Sequence[Edit], trace: Trace) -> tuple[Trace | None, list[Edit]]:
    """The changed run, and the edits it could be made with; one that cannot be made is named and left out."""
    possible: list[Edit] = []
    for edit in made:
        try:
            session.edited_trace(text, (*possible, edit))
            possible.append(edit)
        except (ValueError, LookupError):
            st.warning(say("edits.refused", edit=verbatim(describe(edit, trace, say)), why=_why(edit, trace)))
    return (session.edited_trace(text, tuple(possible)) if possible else None), possible


def _why(edit: Edit, trace: Trace) -> str:
    """What stands in the way, as far as it can be told."""
    pieces = len(trace.source.ids)
    if isinstance(edit, kinds.Hide):
        return say("refused.hide" if edit.position < pieces else "refused.position", pieces=pieces)
    if isinstance(edit, kinds.CopyHead) and session.refusal(edit.text) is None:
        return say("refused.length", there=len(session.translator().read(edit.text).ids), here=pieces)
    return say("refused.other")


def compare(
    trace: Trace, changed: Trace | None, made: Sequence[Edit], chosen: Selection
) -> tuple[dict[str, Drawing], dict[str, np.ndarray]]:
    """Before and after, side by side; the drawings and numbers to take home."""
    after = changed or trace
    ids = tuple(trace.target.predicted_ids)
    again = session.edited_trace(st.session_state.shown, tuple(made), ids) if made else trace
    _verdict(trace, after, again, made)
    for column, (name, seen, other) in zip(
        st.columns(2, gap="medium"), (("before", trace, after), ("after", after, trace)), strict=True
    ):
        with column:
            st.caption(say(f"experiment.{name}"))
            st.html(f'<p class="ink {name}">{marked(seen, other)}</p>')
            key = "heatmap" if name == "before" else "heatmap_after"
            pick = _pick_cell if name == "before" else None
            heads.draw(picture(seen, chosen, say), chosen, key, main=False, on_pick=pick)
    left, right = st.columns(2, gap="medium")
    drawn = {
        "chances": figures.probabilities(_chances(trace), _chances(after), say),
        "cost": _cost(trace, again),
    }
    for column, (key, drawing) in zip((left, right), drawn.items(), strict=True):
        with column:
            st.caption(drawing.title)
            show(drawing, key=key)
    numbers = {"before": trace.log_probs, "after": after.log_probs, "again": again.log_probs}
    return drawn, numbers | {
        "attention.before": trace.attention[chosen.kind],
        "attention.after": after.attention[chosen.kind],
    }


def _verdict(trace: Trace, after: Trace, again: Trace, made: Sequence[Edit]) -> None:
    """What the change did, in one sentence; that it did nothing, or could not act, is said as well."""
    change = float(again.log_probs.sum() - trace.log_probs.sum())
    same = tuple(after.target.predicted_ids) == tuple(trace.target.predicted_ids)
    if not made:
        key = "verdict.none" if session.edits() else "verdict.start"
        st.text(say(key))
    elif abs(trace.log_probs - again.log_probs).max() < 1e-6 and same:
        st.text(say("verdict.nothing"))
    elif same and abs(change) < HARDLY:
        st.text(say("verdict.hardly"))
    else:
        key = "verdict.same" if same else "verdict.other"
        factor = float(np.exp(min(abs(change), 700.0)))  # beyond it, a double has no number for it
        times = f"{factor:,.0f}" if 1000 <= factor < 100_000 else in_formula(factor)
        way = say("verdict.less" if change < 0 else "verdict.more")
        st.text(say(key, change=f"{change:+.3f}", times=times, way=way))
    if after.replay_only:
        named = ", ".join(describe(edit, trace, say) for edit in after.replay_only)
        st.info(verbatim(say("verdict.replay_only", edits=named)))


def _cost(trace: Trace, again: Trace) -> Drawing:
    """How much likelier or less likely each piece of the first translation is now."""
    words = [readable(piece, say) for piece in trace.target.predicted]
    names = [f"cost.{place}" for place in range(len(words))]
    values = [float(value) for value in again.log_probs - trace.log_probs]
    return figures.effects(words, values, say("experiment.cost"), names=names)


def _chances(trace: Trace) -> list[tuple[str, float]]:
    words = [readable(piece, say) for piece in trace.target.predicted]
    return [(word, float(np.exp(value))) for word, value in zip(words, trace.log_probs, strict=True)]


def marked(trace: Trace, other: Trace) -> str:
    """A translation in ink as HTML; what the other one does not say is marked."""
    changed, _ = changed_words(trace.target.predicted_ids, other.target.predicted_ids)
    written = []
    for place, (part, differs) in enumerate(_parts(trace, changed)):
        space = "" if part.joined or not place else " "
        name = "mark" if differs else "span"
        written.append(f'{space}<{name} title="{part.probability:.4f}">{escape(part.text)}</{name}>')
    return "".join(written) or escape(say("translation.empty"))


def _parts(trace: Trace, changed: Sequence[bool]):
    """The visible parts, each with whether any of its pieces changed."""
    found, pieces, scores, touched = [], [], [], False
    for piece, score, differs in zip(trace.target.predicted, trace.log_probs, changed, strict=True):
        pieces, scores, touched = [*pieces, piece], [*scores, float(score)], touched or differs
        made = parts(pieces, scores)
        if made and "\ufffd" not in made[-1].text:
            found.append((made[-1], touched))
            pieces, scores, touched = [], [], False
    return found
