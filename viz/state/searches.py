"""What other ways to search bring on this checkpoint, as it was measured; read once for all visitors."""

import json

import streamlit as st

from model.atlas.searches import pairs_of
from model.atlas.stories.everyday import read_everyday
from model.checkpoint import SEARCHES, find
from model.text.spelling import normalise
from viz.state import runs
from viz.state.models import by_its_model


def beam_examples() -> list[dict]:
    """Sentences for which the size of the beam decides, clearest first; none where nobody has looked."""
    return _searches(runs.checkpoint()).get("beams", [])


def exposure() -> dict | None:
    """What a mistake of its own costs this model; None where nobody has measured it."""
    return _searches(runs.checkpoint()).get("exposure")


def right_translations(text: str) -> list[str]:
    """Those that we know of this sentence; none of a sentence that is not ours."""
    return _pairs(runs.checkpoint()).get(normalise(text), [])


def everyday() -> dict[str, list[str]]:
    """Everyday sentences with their right translations; none for a model of other languages."""
    return read_everyday(runs.translator().config)


@st.cache_resource(show_spinner=False)
@by_its_model
def _pairs(name: str) -> dict[str, list[str]]:
    return pairs_of(runs.translator().config)


@st.cache_resource(show_spinner=False)
def _searches(name: str) -> dict:
    path = find(name) / SEARCHES
    return json.loads(path.read_text("utf-8")) if path.exists() else {}
