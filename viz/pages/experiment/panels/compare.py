"""Before and after a change, side by side: the translation, the map, and what the change cost."""

from collections.abc import Sequence
from html import escape

import numpy as np
import streamlit as st

from model import Trace
from model.inspect.edits import Edit
from viz.components.drawing import show
from viz.figures import bars as figures
from viz.figures.drawing import Drawing
from viz.figures.ink import Part, parts
from viz.figures.labels import readable
from viz.figures.numbers import percent, roughly, signed
from viz.pages.experiment.numbers.changes import changed_words, describe, switched_off
from viz.pages.experiment.panels.starts import invitation, taught
from viz.state import runs, session
from viz.state.language import say
from viz.state.picture import picture
from viz.state.session import selection
from viz.text import verbatim
from viz.widgets import heads
from viz.widgets.panel import Panel

HARDLY = float(np.log(1.05))  # of log-probability: less than a twentieth more or less is no news
HUGE = float(np.log(1e6))  # beyond a million nobody knows what a number of times means


def compare(trace: Trace, changed: Trace | None, made: Sequence[Edit]) -> Panel:
    if not session.edits():
        return _start(trace)
    after, here = changed or trace, selection()
    ids = tuple(trace.target.predicted_ids)
    again = runs.edited_trace(st.session_state.shown, tuple(made), ids) if made else trace
    said = _verdict(trace, after, again, made)
    sides = ("before", trace, after), ("after", after, trace)
    for column, (name, seen, other) in zip(st.columns(2, gap="medium"), sides, strict=True):
        with column:
            st.caption(say(f"experiment.{name}"))
            st.html(f'<p class="ink {name}">{marked(seen, other)}</p>')
    _maps(trace, after, made)
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
    attention = {
        f"attention.{name}": each.attention[here.kind] for name, each in (("before", trace), ("after", after))
    }
    written = runs.translation_of(after).text
    told = {say("experiment.translation_after"): written} if made else {}
    words = {"translation_after": np.array(written)} if made else {}
    return Panel(drawn, numbers | attention | words, finding=said, told=told)


def _start(trace: Trace) -> Panel:
    """Nothing is changed: what is there, and beside it what others have changed with effect."""
    here, said = selection(), say("verdict.start")
    st.text(f"{said} {say('verdict.start.how')}")
    left, right = st.columns(2, gap="medium")
    with left:
        heads.draw(picture(trace, here, say), here, main=False, on_pick=_pick_cell)
    with right:
        invitation()
    drawn = {"chances": figures.probabilities(_chances(trace), _chances(trace), say)}
    numbers = {"before": trace.log_probs, "attention.before": trace.attention[here.kind]}
    return Panel(drawn, numbers, finding=said)


def _maps(trace: Trace, after: Trace, made: Sequence[Edit]) -> None:
    """The chosen head before and after; one that is switched off looks like it."""
    here = selection()
    before, now = (picture(seen, here, say) for seen in (trace, after))
    silent = {head for kind, layer, head in switched_off(made) if (kind, layer) == (here.kind, here.layer)}
    all_off = bool(silent) and silent >= set(here.head)
    left, right = st.columns(2, gap="medium")
    with left:
        heads.draw(before, here, main=False, on_pick=_pick_cell, beside=now)
    with right, st.container(key="switched_off" if all_off else "still_on"):
        heads.draw(
            now, here, "heatmap_after", main=False, beside=before, off=say("head.is_off") if all_off else ""
        )


def _pick_cell() -> None:
    """A cell of the map was clicked: its weight is what is going to be set."""
    heads.pick("heatmap")
    st.session_state["edit_form"], st.session_state["add_edit"] = "cell", True


def _verdict(trace: Trace, after: Trace, again: Trace, made: Sequence[Edit]) -> str:
    """What the change did and what it teaches; that it did nothing, or could not act, is said as well."""
    change = float(again.log_probs.sum() - trace.log_probs.sum())
    same = tuple(after.target.predicted_ids) == tuple(trace.target.predicted_ids)
    if not made:
        said = say("verdict.none")
    elif abs(trace.log_probs - again.log_probs).max() < 1e-6 and same:
        said = say("verdict.nothing")
    elif same and abs(change) < HARDLY:
        said = say("verdict.hardly")
    else:
        key = "verdict.same" if same else "verdict.other"
        said = say(key, about=_about(change), change=signed(change))
    lesson = taught(st.session_state.shown, made)
    if lesson:
        st.markdown(f"**{verbatim(lesson)}**")
    st.text(said)
    if after.replay_only:
        named = ", ".join(describe(edit, trace, say) for edit in after.replay_only)
        st.info(verbatim(say("verdict.replay_only", edits=named)))
    return f"{lesson} {said}".strip()


def _about(change: float) -> str:
    """How much likelier or less likely, as one says it; what has become next to nothing is called so."""
    way = "less" if change < 0 else "more"
    if abs(change) > HUGE:
        return say(f"verdict.{way}.most")
    if -np.log(2) < change < 0:
        return say("verdict.less.little", share=percent(float(np.exp(change)), 0))
    return say(f"verdict.{way}", times=roughly(float(np.exp(abs(change)))))


def _cost(trace: Trace, again: Trace) -> Drawing:
    """How much likelier or less likely each piece of the first translation is now."""
    words = [readable(piece, say) for piece in trace.target.predicted]
    names = [f"cost.{place}" for place in range(len(words))]
    values = [float(value) for value in again.log_probs - trace.log_probs]
    return figures.effects(words, values, say("experiment.cost"), names=names, least=figures.FULL, say=say)


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


def _parts(trace: Trace, changed: Sequence[bool]) -> list[tuple[Part, bool]]:
    """The visible parts, each with whether any of its pieces changed."""
    found: list[tuple[Part, bool]] = []
    pieces: list[str] = []
    scores: list[float] = []
    touched = False
    for piece, score, differs in zip(trace.target.predicted, trace.log_probs, changed, strict=True):
        pieces, scores, touched = [*pieces, piece], [*scores, float(score)], touched or differs
        made = parts(pieces, scores)
        if made and "\ufffd" not in made[-1].text:
            found.append((made[-1], touched))
            pieces, scores, touched = [], [], False
    return found
