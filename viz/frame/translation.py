"""What the model wrote, whether the picture is true, and the tools that belong to both."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model import Trace
from viz.figures.ink import ink
from viz.frame import presenter
from viz.frame.about import about
from viz.frame.sharing import share
from viz.state import models, runs
from viz.state.language import say
from viz.text import language_name, verbatim
from viz.widgets.controls import unfold


def translation(trace: Trace) -> DeltaGenerator:
    """What the model wrote, in ink; beside it the place of the tools, which `tools` fills."""
    config, written = runs.translator().config, runs.translation_of(trace)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="translation_row"):
        with st.container(key="translation", gap=None, width="stretch"):
            st.caption(say("translation.label", target=language_name(config.target, say)))
            if written.text:
                st.html(f'<p class="ink">{ink(written.pieces, written.log_probs)}</p>')
            else:
                st.text(say("translation.empty"))
        return st.container(horizontal=True, width="content", gap="small", key="tools")


def tools(place: DeltaGenerator, trace: Trace) -> None:
    """The self-check, the link and the model: after the picture, which is what one waits for."""
    with place:
        _checks(trace)
        presenter.button()
        if st.button(say("share.label"), key="share"):
            share()
        several = len(models.names()) > 1
        name, what = verbatim(models.chosen()), say("model.choose" if several else "about.title")
        if st.button(f"{name} ▾" if several else name, key="about", help=what):
            about()


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
