"""Every head by its measures: the map, two measures against each other, a table."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import streamlit as st

from model.network.kinds import KINDS
from viz.components.drawing import show
from viz.pages.atlas import Atlas
from viz.pages.atlas.figures import heads as figures
from viz.state import atlas as atlases
from viz.state.language import say
from viz.state.session import select, selection
from viz.widgets.names import head_name, name_of, role_name
from viz.widgets.panel import Panel

KIND_HUES = {kind: f"series:{number}" for number, kind in enumerate(KINDS)}


def choose_measure(offered: Sequence[str], field: str) -> str:
    """One of the measures that there are."""
    now = st.session_state[field] if st.session_state[field] in offered else offered[0]
    st.session_state[field] = now
    labels = {name: name_of(name) for name in offered}
    return st.selectbox(say(f"atlas.{field}"), offered, format_func=labels.__getitem__, key=field, width=240)


def choose_role(atlas: Mapping) -> str:
    offered = ["", *atlases.roles(atlas)]
    st.session_state["role"] = st.session_state["role"] if st.session_state["role"] in offered else ""
    labels = {role: role_name(role) if role else say("atlas.any_role") for role in offered}
    return st.selectbox(say("atlas.role"), offered, format_func=labels.__getitem__, key="role", width=220)


def show_map(atlas: Mapping, chosen: Atlas) -> Panel:
    """Layers × heads of the three kinds in the colours of a measure."""
    here, found = selection(), {kind: atlases.values(atlas, chosen.by, kind) for kind in KINDS}
    most = atlases.most_of(chosen.by, list(found.values()))
    drawn = {}
    for column, kind in zip(st.columns(3, gap="medium"), KINDS, strict=True):
        entries = [entry for entry in atlas["heads"] if entry["kind"] == kind]
        place = {(entry["layer"], entry["head"]): entry["roles"] for entry in entries}
        drawn[f"atlas_{kind}"] = figures.block(
            found[kind], kind, most, say(f"kind.{kind}"),
            roles={at: len(roles) for at, roles in place.items()},
            chosen=(here.layer, here.head[0]) if here.kind == kind else None,
            shown={at: chosen.role in roles for at, roles in place.items()} if chosen.role else None,
        )  # fmt: skip
        with column:
            show(drawn[f"atlas_{kind}"], key=f"atlas_{kind}", on_pick=partial(pick, f"atlas_{kind}"))
    st.caption(say("atlas.map.what", measure=name_of(chosen.by)))
    return Panel(drawn, {f"{chosen.by}.{kind}": found[kind] for kind in KINDS})


def pick(view: str) -> None:
    kind, layer, head = st.session_state[view]["pick"]
    select(kind=kind, layer=layer, head=(head,))


def show_scatter(atlas: Mapping, chosen: Atlas) -> Panel:
    """Every head by two measures."""
    points = []
    for kind in KINDS:
        across, up = (atlases.values(atlas, name, kind) for name in (chosen.against, chosen.by))
        points += [
            (f"{kind}.{layer}.{head}", float(across[layer, head]), float(up[layer, head]), KIND_HUES[kind])
            for layer, head in np.ndindex(across.shape)
        ]
    here = "{0.kind}.{0.layer}.{0.head[0]}".format(selection())
    names = name_of(chosen.against), name_of(chosen.by)
    title = say("atlas.scatter.alt", x=names[0], y=names[1])
    drawn = figures.scatter(points, *names, here, title, head_name)
    show(drawn, key="atlas_scatter", on_pick=lambda: pick("atlas_scatter"))
    st.caption(say("atlas.scatter.what"))
    columns = dict(zip(("heads", "x", "y"), list(zip(*points, strict=True))[:3], strict=True))
    return Panel({"atlas_scatter": drawn}, {name: list(column) for name, column in columns.items()})


def show_table(atlas: Mapping, chosen: Atlas) -> Panel:
    """All heads and some measures as a table that sorts by a click on a column."""
    offered = [name for name in atlases.names(atlas) if not name.startswith("relation.")]
    rows = [
        {say("atlas.head"): head_name(entry["kind"], entry["layer"], entry["head"]),
         say("atlas.roles"): ", ".join(map(role_name, entry["roles"]))}
        | {name_of(name): entry["measures"].get(name, {}).get("value") for name in offered}
        for entry in atlas["heads"]
        if not chosen.role or chosen.role in entry["roles"]
    ]  # fmt: skip
    st.dataframe(rows, hide_index=True, key="atlas_table", height=420)
    st.caption(say("atlas.table.what"))
    return Panel({}, {column: [row[column] for row in rows] for column in (rows[0] if rows else ())})
