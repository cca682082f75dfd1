"""The translation that is given: somebody's own, one that we know to be right, or the model's runner-up."""

from dataclasses import dataclass

import streamlit as st

from model.decoding.search import Hypothesis
from model.text.spelling import normalise
from viz.state import decodings, runs, searches
from viz.state.choices import LONGEST_TEXT
from viz.state.language import say
from viz.state.refusals import reason
from viz.text import language_name, verbatim

KEY = "reference"
SIZE, PENALTY = 4, 0.6  # of the beam whose second translation stands in
TYPED_FOR = "reference_typed_for"  # the sentence and the text that stood in the box when it was last drawn
LAST = "reference_last"  # the sentence and the last text that could be read


@dataclass(frozen=True)
class Reference:
    text: str
    ids: tuple[int, ...]
    origin: str  # typed · known · rival (of a right one that it writes itself) · runner_up · own


def write_reference(sentence: str, own: Hypothesis) -> Reference:
    """The box, what is wrong with what it holds, and the reference that is shown; a refused text stays."""
    _leave_behind(sentence)
    usual = usual_reference(sentence, own)
    box, about = st.columns([1.3, 1], gap="medium", vertical_alignment="bottom")
    typed = box.text_input(
        say("decoding.given.reference", language=_language()),
        key=KEY, placeholder=usual.text[:LONGEST_TEXT], max_chars=LONGEST_TEXT,
    )  # fmt: skip
    found, refused = reference_of(sentence, typed), refusal(typed)
    about.caption(say(f"decoding.given.origin.{(found or usual).origin}", language=_language()))
    if refused:
        st.warning(verbatim(refused))
    return found or usual


def reference_of(sentence: str, typed: str) -> Reference | None:
    """What somebody typed, or the last that could be read; None where there is neither."""
    if not typed.strip():
        st.session_state.pop(LAST, None)
        return None
    if refusal(typed) is None:
        st.session_state[LAST] = (sentence, typed)
    last_sentence, last = st.session_state.get(LAST, ("", ""))
    return _reference(last, "typed") if last_sentence == sentence else None


def refusal(typed: str) -> str | None:
    """Why this cannot be a translation, in one sentence. None: it can, or nothing was typed."""
    if not typed.strip():
        return None
    try:
        runs.translator().read(typed)
    except ValueError as error:
        return reason(error)
    return say("decoding.given.foreign", language=_language()) if runs.outside_vocabulary(typed) else None


def usual_reference(sentence: str, own: Hypothesis) -> Reference:
    """A right translation that the model does not write itself; else what it finds second best."""
    known = searches.right_translations(sentence)
    for right in known:
        if right != own.text:
            return _reference(right, "known")
    for each in decodings.beam_of(sentence, SIZE, PENALTY).hypotheses:
        if each.finished and each.text != own.text and normalise(each.text):
            return _reference(each.text, "rival" if known else "runner_up")
    return Reference(own.text, own.ids, "own")


def _reference(text: str, origin: str) -> Reference:
    return Reference(text, runs.translator().read(text).ids, origin)


def _leave_behind(sentence: str) -> None:
    """A translation belongs to its sentence: with another one the box is empty again."""
    typed = st.session_state[KEY]
    before, text = st.session_state.get(TYPED_FOR, (sentence, typed))
    if before != sentence and text == typed:
        st.session_state[KEY] = typed = ""
    st.session_state[TYPED_FOR] = (sentence, typed)


def _language() -> str:
    return language_name(runs.translator().config.target, say)
