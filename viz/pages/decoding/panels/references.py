"""The translation that is given: somebody's own, one that we know to be right, or the model's runner-up."""

from dataclasses import dataclass

import streamlit as st

from model.decoding.search import Hypothesis
from model.text.spelling import normalise
from viz.state import decodings, runs, searches
from viz.state.choices import LONGEST_TEXT
from viz.state.language import say
from viz.text import verbatim
from viz.widgets.typed import last_readable, leave_behind, refusal, target_language

KEY = "reference"
SIZE, PENALTY = 4, 0.6  # of the beam whose second translation stands in


@dataclass(frozen=True)
class Reference:
    text: str
    ids: tuple[int, ...]
    origin: str  # typed · known · rival (of a right one that it writes itself) · runner_up · own


def write_reference(sentence: str, own: Hypothesis) -> Reference:
    """The box, what is wrong with what it holds, and the reference that is shown; a refused text stays."""
    leave_behind(KEY, sentence)
    usual = usual_reference(sentence, own)
    box, about = st.columns([1.3, 1], gap="medium", vertical_alignment="bottom")
    typed = box.text_input(
        say("decoding.given.reference", language=target_language()),
        key=KEY, placeholder=usual.text[:LONGEST_TEXT],  # a box that takes only so many drops the rest unseen
    )  # fmt: skip
    readable, refused = last_readable(KEY, sentence, typed), refusal(typed)
    found = None if readable is None else _reference(readable, "typed")
    about.caption(say(f"decoding.given.origin.{(found or usual).origin}", language=target_language()))
    if refused:
        st.warning(verbatim(refused))
    return found or usual


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
    return Reference(text, runs.translator().read_target(text).ids, origin)
