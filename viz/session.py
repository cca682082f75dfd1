"""The only bridge between the pages and the model: its cached runs, and what this visitor chose."""

import os

import streamlit as st
import torch

from model import Trace, Translator, load
from model.tokenizer import BlankText, BrokenText, TextTooLong
from viz.text import LANGUAGES, translate

EXAMPLE = "The animal didn't cross the street because it was too tired."


def say(key: str, **values: object) -> str:
    """A sentence in this visitor's language."""
    return translate(st.session_state.language)(key, **values)


def choose_language() -> None:
    """Until somebody chooses, speak as their browser does."""
    browser = (st.context.locale or "")[:2]
    st.session_state.setdefault("language", browser if browser in LANGUAGES else LANGUAGES[0])


def translator() -> Translator:
    """The model that all visitors share; HEADLIGHT_CHECKPOINT names another, or its folder."""
    return _translator(_checkpoint())


def refusal(text: str) -> str | None:
    """Why this text cannot be translated. None: it can, and it is now the sentence on show."""
    try:
        translator().read(text)
    except BlankText:
        return say("sentence.blank")
    except TextTooLong as error:
        return say("sentence.too_long", pieces=error.pieces, longest=error.longest)
    except BrokenText:
        return say("sentence.broken")
    st.session_state.shown = text
    return None


def current_trace() -> Trace:
    """The run of the last sentence that could be translated."""
    return _trace(_checkpoint(), st.session_state.get("shown", EXAMPLE))


def _checkpoint() -> str:
    return os.environ.get("HEADLIGHT_CHECKPOINT", "en-fr")


@st.cache_resource(show_spinner=False)
def _translator(checkpoint: str) -> Translator:
    # Visitors already run side by side. A sentence is too small to split among cores as well, and
    # where cores are scarce the parts wait for each other: ten times slower was measured.
    torch.set_num_threads(1)
    return load(checkpoint)


# A trace is frozen and its arrays are read-only, so visitors can share one without a copy each.
@st.cache_resource(max_entries=32, show_spinner=False)
def _trace(checkpoint: str, text: str) -> Trace:
    return _translator(checkpoint).trace(text, keep=("attention", "mask"))
