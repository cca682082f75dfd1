"""Going on with another model: asked for by a visitor, or needed because the one on screen has gone."""

import logging

import streamlit as st

from viz.state import models, runs

LOG = logging.getLogger(__name__)


def take(model: str) -> None:
    """Look at another model from the next run on."""
    st.session_state.asked_for = model


def asked_for() -> str | None:
    """The model to go on with, if that is another: somebody chose it, or this one can no longer be loaded."""
    asked: str | None = st.session_state.get("asked_for")
    if asked is not None:
        return asked
    now = models.to_link().get("model", "")
    return None if loads(now) else now


def done() -> None:
    """It is on screen."""
    st.session_state.asked_for = None


def loads(model: str) -> bool:
    """Look at this model; at the usual one where there is none of this name, or none that can be loaded."""
    try:
        if models.choose(model):
            runs.translator()
            return True
    except (MemoryError, OSError, RuntimeError, ValueError) as error:
        if not model:
            raise
        LOG.warning("%s cannot be loaded: %s", model, error)  # a folder is no business of visitors
    models.choose("")
    st.session_state.no_model = model
    return False
