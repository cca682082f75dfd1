"""The map of named heads, and beside it the card of the one that is chosen."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from model.network.kinds import KINDS
from viz.components.drawing import show
from viz.pages.atlas import Atlas
from viz.pages.atlas.figures import named as figures
from viz.pages.atlas.panels.causal_card import causal_card, show_about, show_examples
from viz.pages.atlas.panels.heads import pick
from viz.state import causal
from viz.state.language import say
from viz.state.session import select, selection
from viz.widgets.names import family_name, head_name, phenomenon_name, role_name
from viz.widgets.panel import Panel


def show_named(atlas: Mapping, chosen: Atlas) -> Panel:
    """Every head under the name that it has earned; most have none."""
    told, here = causal.phenomena(atlas), selection()
    where = here.kind, here.layer, here.head[0]
    if not told:
        st.info(say("named.none"))
        return Panel()
    carried, (layers, heads) = causal.carriers(atlas), causal.shape(atlas)
    quiet = {causal.where(entry): entry["roles"] for entry in atlas["heads"] if entry["roles"]}
    drawn = {}
    left, right = st.columns([3, 2], gap="medium")
    with left:
        for kind in KINDS:
            drawn[f"named_{kind}"] = figures.block(
                kind, layers, heads,
                {(layer, head): [(phenomenon_name(name), told[name]["family"]) for name in names]
                 for (of, layer, head), names in carried.items() if of == kind},
                {(layer, head): ", ".join(role_name(role).partition(" (")[0] for role in roles)
                 for (of, layer, head), roles in quiet.items() if of == kind},
                say(f"kind.{kind}"), (here.layer, here.head[0]) if here.kind == kind else None, head_name,
            )  # fmt: skip
            show(drawn[f"named_{kind}"], key=f"named_{kind}", on_pick=partial(_pick, f"named_{kind}"))
        families = {told[name]["family"]: None for names in carried.values() for name in names}
        listed = [(family, family_name(family)) for family in sorted(families)]
        show(figures.family_legend(listed, say("named.families")), key="named_families")
        st.caption(_summary(atlas, carried))
    with right:
        card = causal_card(atlas, where, chosen.phenomenon)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        show_examples(atlas, where, chosen.phenomenon)
    with right:
        show_about(atlas, where, chosen.phenomenon)
    pictures = {**drawn, **card.pictures}
    heads_lost, names, lost = causal.losses(atlas)
    arrays = {"heads": [".".join(map(str, head)) for head in heads_lost], "phenomena": names, "lost": lost}
    return Panel(pictures, arrays, finding=card.finding)


def choose_named(atlas: Mapping) -> None:
    """The heads that have a name, in words: on a telephone the map is too small to read them."""
    carried = causal.carriers(atlas)
    offered = [head for kind in KINDS for head in sorted(carried) if head[0] == kind]
    here = selection()
    now = here.kind, here.layer, here.head[0]
    labels = {head: " · ".join([head_name(*head), *map(phenomenon_name, carried[head])]) for head in offered}
    st.session_state["named_head"] = now if now in offered else None

    def settle() -> None:
        if head := st.session_state["named_head"]:
            select(kind=head[0], layer=head[1], head=(head[2],), phenomenon="")

    st.selectbox(
        say("named.choose"), offered, None, format_func=labels.__getitem__, key="named_head",
        placeholder=say("named.choose.nobody"), on_change=settle, width=340, label_visibility="collapsed",
    )  # fmt: skip


def _pick(view: str) -> None:
    """Another head: its card is about what it carries itself."""
    pick(view)
    select(phenomenon="")


def _summary(atlas: Mapping, carried: Mapping[causal.Where, list[str]]) -> str:
    """How many were asked, how many heads have a name, out of how many hypotheses."""
    told, tried = causal.phenomena(atlas), atlas["causal_method"]["hypotheses"]
    having = {name for names in carried.values() for name in names}
    return say(
        "named.summary", rows=sum(each["given"] for each in told.values()), phenomena=len(told),
        carried=len(having), heads=len(carried), tested=tried["tested"], held=tried["held"],
    )  # fmt: skip
