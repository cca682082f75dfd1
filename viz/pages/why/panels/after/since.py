"""Since 2017: what heirs of the Transformer keep, what they hide while they learn, and where to see that."""

import numpy as np
import streamlit as st

from viz.components import drawing
from viz.figures.numbers import fixed, percent
from viz.frame.presenter import presenting
from viz.pages.why import Why
from viz.pages.why.figures.after import heirs as figures
from viz.pages.why.numbers.after import heirs as numbers
from viz.state import runs
from viz.state.language import say
from viz.state.session import chosen, go, select
from viz.text import verbatim
from viz.widgets.panel import Panel

VIEW = "why_after_heirs_view"
WAYS = {  # where in this app a part is seen: the page, and what is chosen on it
    "whole": ("home", {}),
    "encoder": ("look", {"kind": "encoder"}),
    "decoder": ("look", {"kind": "decoder"}),
    "cross": ("look", {"kind": "cross"}),
    "decoding": ("decoding", {"decoding": "steps"}),
    "kinds": ("positions", {"positions": "kinds"}),
    "memory": ("why", {"why": "memory"}),
}
SAYS = ("hides", "learns")  # what is said of each heir below its source


def controls() -> None:
    pass  # heirs are chosen on the drawing


def show() -> Panel:
    name = chosen(Why).heir
    heir = numbers.HEIRS[name]
    made, finding = figures.heirs(name, say), _finding(heir)
    told = [say(f"why.after.{about}.{name}") for about in SAYS]
    explained = " ".join([*told, say("why.after.heirs.explained")])
    drawing.show(made, key=VIEW, on_pick=_pick)
    left, right = st.columns([1.5, 1], gap="medium")
    with left:
        st.text(finding)
        for sentence in told:
            st.markdown(verbatim(sentence))
    with right:
        st.caption(say("why.after.source", source=verbatim(heir.source)))
        if not presenting():  # there nobody leaves the panel
            _links(heir)
    st.caption(say("why.after.heirs.explained"))
    states = {each: [heir.state(part) for part in numbers.PARTS] for each, heir in numbers.HEIRS.items()}
    everyone, share = numbers.HEIRS.values(), _share(heir)
    arrays = {
        "parts": list(numbers.PARTS), **states, "year": np.array([each.year for each in everyone]),
        "sources": [each.source for each in everyone], "weights_kept": share.kept, "weights": share.all,
    }  # fmt: skip
    return Panel({"why_after_heirs": made}, arrays, finding, explained)


def _share(heir: numbers.Heir) -> numbers.Share:
    weights = runs.translator().model.named_parameters(remove_duplicate=False)
    return numbers.share(weights, heir.kept)


def _finding(heir: numbers.Heir) -> str:
    """How many parts stay, and what that would leave of the model on this page."""
    share, own = _share(heir), runs.translator().name
    if len(heir.kept) == len(numbers.PARTS):
        millions = fixed(share.all / 1e6, 1)
        return say(
            "why.after.heirs.all", heir=heir.title, year=heir.year, of=len(heir.kept), all=millions, own=own
        )
    kept, every = (fixed(weights / 1e6, 1) for weights in share)
    key = "why.after.heirs.finding" if share.kept < share.all else "why.after.heirs.weightless"
    return say(
        key, heir=heir.title, year=heir.year, parts=len(heir.kept),
        of=len(numbers.PARTS), changed=len(heir.changed), kept=kept, all=every,
        share=percent(share.kept / share.all, 0), own=own,
    )  # fmt: skip


def _links(heir: numbers.Heir) -> None:
    with st.container(gap=None):
        for way in heir.ways:
            label = say(f"why.after.see.{way}")
            st.button(label, key=f"see_{way}", type="tertiary", on_click=_see, args=(way,))


def _see(way: str) -> None:
    """On to where this app shows the part; another kind of attention has other rows."""
    page, choices = WAYS[way]
    select(**choices, **({"row": None, "column": None} if "kind" in choices else {}))
    go(page)


def _pick() -> None:
    picked = st.session_state[VIEW]["pick"]
    if picked in numbers.HEIRS:
        select(heir=picked)
