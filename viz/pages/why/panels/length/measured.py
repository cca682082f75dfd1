"""What was measured of the five: quality by length, what follows from it, and how fair the comparison is."""

from functools import partial

import numpy as np
import streamlit as st

from viz.components import drawing
from viz.figures.numbers import fixed, signed
from viz.pages.why import Why
from viz.pages.why.figures.length.curves import curves
from viz.pages.why.numbers import length as numbers
from viz.pages.why.numbers.length import FIXED, LOOKING, OURS, Measured
from viz.pages.why.panels.length.fair import show_fairness
from viz.pages.why.panels.length.own import pick
from viz.state import rivals
from viz.state.language import say
from viz.state.session import chosen
from viz.widgets.panel import Panel

VIEW = "picture_why_length"


def show() -> Panel:
    """The curves, and what follows from them."""
    found = rivals.measured()
    if found is None:
        st.info(say("why.length.none"))
        return Panel()
    measured, longest = numbers.read(found), found["longest"]
    place = numbers.place_of(longest, measured.buckets)
    beyond = None if place is None else (place, say("why.length.longest", words=longest))
    drawn = curves(measured, chosen(Why).network, beyond, say)
    drawing.show(drawn, key=VIEW, on_pick=partial(pick, VIEW))
    st.text(finding := " ".join([_attention(measured), *_against_ours(measured)]))
    explained = say("why.length.explained", longest=longest)
    return Panel({"why_length": drawn}, _arrays(measured), finding, explained)


def show_fair() -> None:
    """How fair the comparison is, and what others have measured."""
    if found := rivals.measured():
        with st.expander(say("why.length.fair")):
            show_fairness(found)
            st.caption(say("why.length.published"))


def _attention(measured: Measured) -> str:
    """What attention adds to the same network, among short sentences and among long ones."""
    first, last = measured.buckets[0], measured.buckets[-1]
    fixed_scores, looking = (measured.scores[name, "bleu"][:, 0] for name in (FIXED, LOOKING))
    gaps = measured.difference(LOOKING, FIXED, "bleu")
    return say(
        "why.length.finding", first=first.label, last=last.label,
        fixed_first=fixed(fixed_scores[0], 1), fixed_last=fixed(fixed_scores[-2], 1),
        looks_first=fixed(looking[0], 1), looks_last=fixed(looking[-2], 1), **_gap(gaps[-2]),
    )  # fmt: skip


def _against_ours(measured: Measured) -> list[str]:
    """Where the Transformer is clearly ahead of all others, and where one of them is ahead of it."""
    others = [name for name in measured.models if name != OURS]
    ahead = [set(measured.ahead(OURS, name, "bleu")) for name in others]
    told = []
    if everywhere := sorted(set.intersection(*ahead)):
        words = numbers.words_in(measured.buckets, everywhere)
        told.append(say("why.length.wins.ours", words=words))
    for name in others:
        if where := measured.ahead(name, OURS, "bleu"):
            gaps = measured.difference(name, OURS, "bleu")
            most = max(where, key=lambda place: gaps[place, 0])
            told.append(
                say(
                    "why.length.wins.rival", name=say(f"network.{name}"), **_gap(gaps[most]),
                    words=numbers.words_in(measured.buckets, where), at=measured.buckets[most].label,
                )
            )  # fmt: skip
    return told or [say("why.length.wins.nobody")]


def _gap(gap: np.ndarray) -> dict[str, str]:
    value, low, high = gap
    return {"gap": signed(value, 1), "low": signed(low, 1), "high": signed(high, 1)}


def _arrays(measured: Measured) -> dict[str, object]:
    """Scores as (networks, buckets and all, [value, low, high])."""
    return {
        "networks": list(measured.models),
        "words_from": np.array([each.first for each in measured.buckets]),
        "words_to": np.array([each.last for each in measured.buckets]),
        "sentences": np.array([each.sentences for each in measured.buckets]),
        **{
            measure: np.stack([measured.scores[name, measure] for name in measured.models])
            for measure in numbers.MEASURES
        },
    }
