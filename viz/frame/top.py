"""What stands above every page: where one is, the sentence, its translation, and what belongs to them."""

import streamlit as st

from model import Trace
from viz.figures.ink import ink
from viz.frame import presenter
from viz.frame.about import about
from viz.frame.sharing import share
from viz.state import session
from viz.state.examples import EXAMPLES
from viz.state.session import say
from viz.text import LANGUAGES, language_name, verbatim
from viz.widgets.controls import unfold

MOST_SIGNS = 8  # of those the vocabulary lacks, so many are named


def brand(pages: list) -> None:
    """The name, the pages, the language."""
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="brand"
    ):
        with st.container(horizontal=True, vertical_alignment="center", width="content", key="pages"):
            st.markdown(f"**{say('app.title')}**", width="content")
            for page in pages:
                st.page_link(page, query_params=session.link() if "shown" in st.session_state else None)
        st.segmented_control(
            say("language.label"),
            LANGUAGES,
            required=True,
            format_func={language: say(f"language.{language}") for language in LANGUAGES}.get,
            key="language",
            label_visibility="collapsed",
        )


def sentence_box() -> None:
    """The sentence, examples, and the way back. A refused sentence stays in its box."""
    config = session.translator().config
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="sentence_row"):
        text = st.text_input(
            say("sentence.label", source=language_name(config.source, say)),
            placeholder=say("sentence.placeholder"),
            key="sentence",
        )
        if (problem := session.refusal(text)) is None:
            session.show(text)
        for name, fill in (("examples", _examples), ("history", _history)):
            unfold(name, say(f"{name}.label"), fill)
        st.button(
            say("undo.label"), key="undo", on_click=session.undo, disabled=len(st.session_state.past) < 2
        )
    notice = st.container(gap=None)  # always there, so that a warning does not make the picture start anew
    if problem:
        notice.warning(problem)
    elif session.outside_vocabulary(text):
        _foreign(notice, language_name(config.source, say))
    elif signs := session.unknown_signs(text):
        notice.info(say("sentence.unknown", signs=verbatim(" ".join(signs[:MOST_SIGNS]))))
    if refused := st.session_state.refused:
        notice.info(say("link.refused", names=", ".join(refused)))
        st.session_state.refused = []


def translation(trace: Trace) -> None:
    """What the model wrote, in ink; then the self-check, the link and the model."""
    config = session.translator().config
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="translation_row"):
        with st.container(key="translation", gap=None, width="stretch"):
            st.caption(say("translation.label", target=language_name(config.target, say)))
            if trace.translation.text:
                st.html(f'<p class="ink">{ink(trace.translation.pieces, trace.translation.log_probs)}</p>')
            else:
                st.text(say("translation.empty"))
        with st.container(horizontal=True, width="content", gap="small", key="tools"):
            _checks(trace)
            presenter.button()
            if st.button(say("share.label"), key="share"):
                share()
            if st.button(session.translator().name, key="about", help=say("about.title")):
                about()


def _examples() -> None:
    st.caption(say("examples.what"))
    for name, text in EXAMPLES.items():
        st.button(text, key=f"example_{name}", on_click=session.write, args=(text,), type="tertiary")
        st.caption(say(f"example.{name}"))


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


def _checks(trace: Trace) -> None:
    """Is this picture true? The badge, and what was checked."""
    failed = any(check.passed is False for check in trace.checks)
    unfold("checks", say("checks.failed" if failed else "checks.passed"), lambda: _checked(trace))


def _checked(trace: Trace) -> None:
    st.markdown(say("checks.what"))
    for check in trace.checks:
        mark = {True: "✓", False: "✗", None: "–"}[check.passed]
        st.markdown(f"{mark} {say(f'check.{check.name}')}")
        if check.value is None:
            st.caption(say("checks.not_applicable"))
        else:
            st.caption(say("checks.largest", value=f"{check.value:.1e}", limit=f"{check.limit:.0e}"))
