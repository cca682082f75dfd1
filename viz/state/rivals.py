"""The five small networks, loaded when somebody asks for one, and what they make of a sentence.

They stand apart from the checkpoint on screen: whatever that is, they translate English into French.
"""

import json
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from model.checkpoint import SHIPPED
from model.decoding.search import Hypothesis
from model.rivals import FOLDER, RIVALS
from model.rivals.held import held, vector_of
from model.rivals.lengths import FILE
from model.rivals.rival import Rival, RivalTrace, load_rival
from viz.state import runs
from viz.state.language import say
from viz.state.refusals import reason
from viz.text import language_name

NAMES = RIVALS
FIXED = "recurrent"  # it knows a sentence as one vector


class Vector(NamedTuple):
    """All that a decoder without attention gets to know of a sentence."""

    numbers: np.ndarray  # (H)
    held: np.ndarray  # (S): how much of it comes from each source position


def measured() -> dict[str, Any] | None:
    """How well they translate sentences of each length; None where nobody has measured it."""
    return _measured()


def refusal(text: str) -> str | None:
    """Why they cannot read this sentence, in one sentence. None: they can."""
    first, shown = rival(NAMES[0]), runs.translator().config
    if shown.source != first.config.source:
        return say("network.foreign", source=language_name(first.config.source, say))
    try:
        first.read(text)  # all have the same vocabulary, and read as much
    except ValueError as error:
        return reason(error)
    return None


def rival(name: str) -> Rival:
    """The network that all visitors share."""
    return _rival(name)


def pieces(text: str) -> tuple[str, ...]:
    """How they spell a sentence that none of them refuses; all have one vocabulary."""
    return rival(NAMES[0]).read(text).pieces


def written_by(name: str, text: str) -> Hypothesis:
    """Its own translation."""
    return _written(name, text)


def trace_of(name: str, text: str, target: tuple[int, ...]) -> RivalTrace:
    """Where it looks while it reads these pieces: all five spell alike, so one can read another's."""
    return _trace(name, text, target)


def reach_of(name: str, text: str) -> np.ndarray:  # (L, S, S)
    """How much each position of each encoder layer changes with what enters at another."""
    return _reach(name, text)


def vector(text: str) -> Vector:
    """What the one without attention knows of a sentence."""
    return _vector(text)


# Five small networks of 8 MB in single precision.
@st.cache_resource(show_spinner=False)
def _rival(name: str) -> Rival:
    runs.translator()  # which settles that one thread computes one sentence
    return load_rival(name)


@st.cache_resource(show_spinner=False)
def _measured() -> dict[str, Any] | None:
    path = SHIPPED / FOLDER / FILE
    return json.loads(path.read_text("utf-8")) if path.exists() else None


@st.cache_resource(show_spinner=False, max_entries=64 * len(NAMES))
def _written(name: str, text: str) -> Hypothesis:
    return rival(name).translate(text)


@st.cache_resource(show_spinner=False, max_entries=16 * len(NAMES))
def _trace(name: str, text: str, target: tuple[int, ...]) -> RivalTrace:
    return rival(name).trace(text, target)


@st.cache_resource(show_spinner=False, max_entries=16 * len(NAMES))
def _reach(name: str, text: str) -> np.ndarray:
    found = rival(name).reach(text)
    found.setflags(write=False)
    return found


@st.cache_resource(show_spinner=False, max_entries=64)
def _vector(text: str) -> Vector:
    return Vector(vector_of(rival(FIXED), text), held(rival(FIXED), text))
