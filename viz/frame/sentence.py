"""The sentence box, examples, what was typed before, and what cannot be read."""

from html import escape

import streamlit as st

from viz.frame import opening
from viz.frame.scenes import choose_scene, read_scene
from viz.state import models, runs, session
from viz.state.language import say
from viz.text import language_name, verbatim
from viz.widgets.controls import unfold

LETTER = 0.6  # of a line's height: about as wide as one is
LONGEST_NAME = 60  # letters of a model's name, as a link may have it
MOST_SIGNS = 8  # of those the vocabulary lacks, so many are named


def sentence_box() -> None:
    """The sentence, examples, and the way back. A refused sentence stays in its box."""
    config = runs.translator().config
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="sentence_row"):
        with st.container(key="sentence_field", gap=None):
            text = st.text_input(
                say("sentence.label", source=language_name(config.source, say)),
                placeholder=say("sentence.placeholder"),
                key="sentence",
            )
            _whole(text)
        if (problem := runs.refusal(text)) is None:
            session.show(text)
        unfold("examples", say("examples.label"), _examples)
        unfold("history", say("history.label"), _history)
        st.button(
            say("undo.label"), key="undo", on_click=session.undo, disabled=len(st.session_state.past) < 2
        )
    notice = st.container(gap=None)  # always there, so that a warning does not make the picture start anew
    with notice:
        read_scene()
    if problem:
        notice.warning(problem)
    elif runs.outside_vocabulary(text):
        _foreign(notice, language_name(config.source, say))
    elif read := runs.read_otherwise(text):
        notice.info(say("sentence.capitals", read=verbatim(read)))
    elif signs := runs.unknown_signs(text):
        notice.info(say("sentence.unknown", signs=verbatim(" ".join(signs[:MOST_SIGNS]))))
    if refused := st.session_state.refused:
        notice.info(_refused(refused))
        st.session_state.refused = []


def _refused(names: list[str]) -> str:
    """What of the link could not be shown, in one sentence."""
    if "model" in names:  # what else is missing follows from it
        asked = st.session_state.no_model[:LONGEST_NAME]
        return say("link.no_model", name=verbatim(asked), shown=verbatim(models.chosen()))
    if names == ["page"]:
        return say("link.no_page", name=verbatim(st.query_params["page"]))
    return say("link.refused", names=", ".join(names))


def _whole(text: str) -> None:
    """All of a sentence, under its box where the box is too narrow for it: CSS alone knows how wide it is."""
    wide = f"{LETTER * len(text):.0f}em"
    st.html(f"<style>@container sentence (max-width: {wide}) {{ .whole {{ display: block; }} }}</style>")
    st.html(f'<p class="whole">{escape(text)}</p>')


def _examples() -> None:
    st.button(say("opening.label"), key="opening_again", on_click=_again, icon=":material/play_arrow:")
    choose_scene()


def _again() -> None:
    st.session_state["examples"] = False  # the list closes
    opening.begin()


def _history() -> None:
    for number, text in enumerate(st.session_state.sentences):
        short = text if len(text) <= 80 else text[:79] + "…"
        st.button(
            verbatim(short), key=f"past_{number}", on_click=session.write, args=(text,), type="tertiary"
        )
    st.button(say("reset.label"), key="reset", on_click=session.reset)


def _foreign(notice: st.delta_generator.DeltaGenerator, language: str) -> None:
    with notice.container(horizontal=True, vertical_alignment="center", key="foreign"):
        st.info(say("sentence.foreign", language=language))
        st.button(session.EXAMPLE, key="foreign_example", on_click=session.write, args=(session.EXAMPLE,))
