"""Sentences for which the size of the beam decides: found by a search over our own, and measured."""

import streamlit as st

from viz.figures.numbers import fixed
from viz.pages.decoding import Decoding
from viz.state.language import say
from viz.state.searches import beam_examples
from viz.state.session import select, selection, write

KINDS = "repaired", "worse"


def offer() -> None:
    """A button for every kind that this checkpoint has; on a wall there is no room for it."""
    known = {each["kind"] for each in beam_examples()}
    if not known or selection().present == "on":
        return
    with st.container(horizontal=True, gap="small", key="beam_examples"):
        for kind in KINDS:
            if kind in known:
                label = say(f"decoding.beam.example.{kind}")
                st.button(label, key=f"beam_{kind}", type="tertiary", on_click=_take, args=(kind,))


def measured(text: str, size: int) -> str:
    """What was measured of a sentence that we offer, where one of its two beams is on screen."""
    for each in beam_examples():
        kind, sizes = each["kind"], (each["other"], each["size"])
        if each["sentence"] == text and size in sizes:
            smaller, larger = (fixed(each["scores"][str(beam)], 0) for beam in sizes)
            about = {"reference": each["reference"], "smaller": smaller, "larger": larger}
            return say(f"decoding.beam.measured.{kind}", other=sizes[0], size=sizes[1], **about)
    return ""


def _take(kind: str) -> None:
    """The first sentence of this kind, or the one after that on screen, searched with its larger beam."""
    found = [each for each in beam_examples() if each["kind"] == kind]
    sentences = [each["sentence"] for each in found]
    shown = st.session_state.shown
    taken = found[(sentences.index(shown) + 1) % len(found) if shown in sentences else 0]
    write(taken["sentence"])
    select(beam=taken["size"], penalty=Decoding().penalty, node=None, at=None, forced=())
