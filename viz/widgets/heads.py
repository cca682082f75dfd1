"""The chosen heads as a map, what it says in one sentence, and what a click on a word does."""

from collections.abc import Callable, Mapping

import numpy as np
import streamlit as st

from model.atlas.roles import LOWER
from viz.components.heatmap import Abreast, heatmap
from viz.figures.numbers import fixed
from viz.figures.svg import LETTER, width
from viz.state import runs
from viz.state.atlas import evidence
from viz.state.causal import Where, carriers, entry_of, phenomena
from viz.state.language import say
from viz.state.picture import Picture, picture
from viz.state.runs import current_trace
from viz.state.selection import Selection
from viz.state.session import atlas, go, select, selection
from viz.text import verbatim
from viz.widgets.controls import choose, choose_several
from viz.widgets.names import head_names, phenomenon_name, role_name


def more() -> None:
    """Choices that a first look does not need."""
    with st.popover(say("more.label")):
        choose_several()
        for name in ("weighting", "special", "colour", "combine"):
            choose(name)


def name(chosen: Selection) -> str:
    """Which heads these are, in words; a single one with the names that it has earned."""
    heads = ", ".join(str(head + 1) for head in chosen.head)
    several = "one" if len(chosen.head) == 1 else chosen.combine
    which = say(f"name.{several}", kind=say(f"kind.{chosen.kind}"), layer=chosen.layer + 1, heads=heads)
    names = head_names(chosen.kind, chosen.layer, chosen.head[0]) if several == "one" else []
    return " · ".join([which, *names])


def draw(
    shown: Picture,
    chosen: Selection,
    key: str = "heatmap",
    title: str | None = None,
    main: bool = True,
    on_pick: Callable[[], None] | None = None,
    beside: Picture | None = None,
    off: str = "",
    buttons: bool = True,
) -> None:
    """The map of a picture under its name; the main one is synchronised with the lines.

    `beside` is the picture that it shares the height of its rows with; `off` is what a head that is
    switched off is called, and its map is drawn as one that nobody listens to.
    """
    marked = main or on_pick is not None or bool(beside)
    caption = st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"caption_{key}")
    unit = say(f"heatmap.{chosen.weighting}")
    if chosen.colour != "linear":
        unit = say("heatmap.scale", unit=unit, scale=say(f"colour.{chosen.colour}"))
    heatmap(
        shown.combined, shown.mask, shown.queries, shown.keys, say,
        key=key, label=say("heatmap.alt", name=title or name(chosen)), unit=unit,
        rows=say(shown.query_axis), columns=say(shown.key_axis), most=shown.most, colour=chosen.colour,
        row=shown.row_of(chosen.row) if marked else None,
        column=shown.column_of(chosen.column) if marked else None,
        on_pick=go_inside if main else on_pick,
        abreast=None if beside is None else abreast(shown, beside),
    )  # fmt: skip
    with caption:  # after the map, which is what one waits for
        mark = f" :orange-badge[{verbatim(off)}]" if off else ""
        st.caption(verbatim(title or name(chosen)) + mark, width="stretch")  # a title may have been typed
        if main and buttons:
            if chosen.kind != "encoder":
                choose("reading", labelled=False)
            choose("units", labelled=False)


def abreast(*pictures: Picture) -> Abreast:
    """What maps side by side have to know of each other: rows begin at one height and are as high."""
    keys = [key for each in pictures for key in each.keys]
    return Abreast(
        max(len(each.queries) for each in pictures),
        max(len(each.keys) for each in pictures),
        max(keys, key=lambda key: width(key, LETTER)),
    )


def explanation(chosen: Selection) -> str:
    """What rows and cells are, in one sentence."""
    key = "seen.encoder" if chosen.kind == "encoder" else f"seen.{chosen.kind}.{chosen.reading}"
    return say(key)


def over_the_corpus(chosen: Selection) -> str:
    """What this head is known for over many sentences: one sentence does not name a head."""
    known, where = atlas(), (chosen.kind, chosen.layer, chosen.head[0])
    said = _without(where)
    if not known:
        return said
    count, roles = known["sentences"]["measured"], [_observed(role) for role in evidence(known, *where)]
    if roles:
        return f"{said} {say('look.roles', count=count, roles='; '.join(roles))}".strip()
    return said or say("look.no_role", count=count)


def _without(where: Where) -> str:
    """What breaks without this head, and how much; nothing where it has no name."""
    known = runs.atlas("hand")
    broken: list[str] = []
    for phenomenon in carriers(known).get(where, []):
        told = phenomena(known)[phenomenon]
        entry = entry_of(told, where)
        flips = None if entry["flips"] is None else 100 * entry["flips"]
        values = {"fall": fixed(-entry["silenced"]["value"], 1), "gap": fixed(told["gap"], 1)}
        key = "look.broken.more" if broken else "look.broken"  # what is measured is said once
        broken.append(say(key, name=phenomenon_name(phenomenon), flips=fixed(flips, 0), **values))
    return say("look.without", broken="; ".join(broken)) if broken else ""


def _observed(role: Mapping) -> str:
    """What was seen in where it looks, beside a simple rule; where less is better, that is said."""
    name, sides = role_name(role["role"]), ("value", "baseline")
    if role["measure"].startswith(LOWER):
        return say("look.role.lower", role=name, **{side: fixed(100 * role[side], 0) for side in sides})
    return say("look.role", role=name, **{side: fixed(role[side], 2) for side in sides})


def pick(view: str) -> None:
    """A word was clicked: the selection keeps the pieces it stands for. A cell: on to how it came about."""
    picked = st.session_state[view]["pick"] or {}
    shown = picture(current_trace(), selection(), say)
    row, column = picked.get("row"), picked.get("column")
    select(
        row=None if row is None else shown.query_positions[row][0],
        column=None if column is None else shown.key_positions[column][0],
    )


def go_inside() -> None:
    """A cell was clicked: choose the strongest pair of pieces behind it, in the head that gave it most."""
    picked = st.session_state["heatmap"]["pick"] or {}
    if picked.get("row") is None:
        return
    chosen, trace = selection(), current_trace()
    shown = picture(trace, chosen, say)
    rows, columns = shown.query_positions[picked["row"]], shown.key_positions[picked["column"]]
    weights = trace.attention[chosen.kind][chosen.layer][np.ix_(chosen.head, rows, columns)]
    head, row, column = np.unravel_index(weights.argmax(), weights.shape)
    select(head=(chosen.head[head],), row=rows[row], column=columns[column])
    go("inside")


def solo() -> None:
    """A head was double-clicked: only this one, or, if it is alone already, all of them."""
    head = st.session_state["head_view"]["solo"]
    if head is None:
        return
    every = range(current_trace().attention["encoder"].shape[1])
    select(head=every if selection().head == (head,) else (head,))
