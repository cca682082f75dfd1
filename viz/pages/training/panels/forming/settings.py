"""What is trained and how: the task, the sizes, what is left out, and a list of one's own."""

from typing import Any

import streamlit as st

from model.training.toys.own import MOST, Refused, read_pairs
from model.training.toys.recipe import OWN, SWITCHES, Recipe
from viz.pages.training import Training
from viz.state.language import say
from viz.state.session import chosen, select
from viz.text import verbatim
from viz.widgets.controls import choose, unfold

BAR = " | "  # between the lines of a list in a link
WITHIN = ("toy_off", "toy_moment", "toy_beside")  # what changes on the way and makes no other training
LONGEST = 600  # letters of a list


def controls() -> None:
    _start_anew()
    choose("toy")
    choose("kind")


def recipe(draw: bool = True) -> Recipe | None:
    """What is asked for; where a list of one's own cannot be learnt, the last that could be."""
    asked = chosen(Training)
    typed = ""
    if asked.toy == OWN:
        lines = (line.strip() for line in asked.toy_pairs.split(BAR.strip()))
        typed = "\n".join(filter(None, lines)) or say("forming.pairs.example")
        if draw:
            _type(typed)
        try:
            _readable(typed, asked.toy_split, draw)
        except Refused as refused:
            last: Recipe | None = st.session_state.get("forming_last")
            if draw:
                why = say(f"forming.refused.{refused.why}", **refused.known)
                st.warning(verbatim(f"{why} {say('forming.refused.kept')}" if last else why))
            return last
    changed = {SWITCHES[number]: not getattr(Recipe, SWITCHES[number]) for number in asked.toy_changed}
    made = Recipe(
        asked.toy, asked.toy_seed, asked.toy_layers, asked.toy_heads, asked.toy_width, asked.toy_positions,
        off=asked.toy_off, pairs=typed, split=asked.toy_split, **changed,
    )  # fmt: skip
    st.session_state["forming_last"] = made
    return made


def _readable(typed: str, split: str, draw: bool) -> None:
    """Refused: a list that cannot be learnt, or one in the box that no link has room for."""
    count = len(_joined(st.session_state.get("forming_typed", ""))) if draw else 0
    if count > LONGEST:
        raise Refused("large", count=count, most=LONGEST)
    read_pairs(typed, split)


def _start_anew() -> None:
    """Another task or other settings are another training: it is followed from its beginning, all heads on.

    What came with a link belongs to the link's own settings.
    """
    asked = chosen(Training)
    decisive = (name for name in Training.names() if name.startswith("toy") and name not in WITHIN)
    now = tuple(getattr(asked, name) for name in decisive)
    before: tuple[Any, Any, Any] | None = st.session_state.get("forming_before")
    if before and before[0] != now:
        stale = {"toy_off": (), "toy_moment": None}
        kept = {"toy_off": before[1], "toy_moment": before[2]}
        select(**{name: value for name, value in stale.items() if getattr(asked, name) == kept[name]})
        st.session_state["forming_playing"] = False
    asked = chosen(Training)
    st.session_state["forming_before"] = (now, asked.toy_off, asked.toy_moment)


def _settings() -> None:
    choose("toy_layers", written=str)
    choose("toy_heads", written=str)
    choose("toy_width", written=str)
    choose("toy_positions")
    st.pills(
        say("toy_changed.label"), range(len(SWITCHES)), selection_mode="multi", key="toy_changed",
        format_func=lambda number: say(f"forming.changed.{SWITCHES[number]}"),
    )  # fmt: skip
    st.caption(say("forming.settings.how"))


def others() -> None:
    """Other settings, the same training from other weights, or with one thing changed beside it."""
    # Not among the controls: on a telephone these are in a sheet, which has no room for so many.
    unfold("forming_settings", say("forming.settings"), _settings)
    about = say("forming.another.help")
    st.button(say("forming.another"), key="forming_another", on_click=_another, help=about)
    options = Training.options("toy_beside")
    labels = {option: say(f"toy_beside.{option}") for option in options}
    st.selectbox(
        say("toy_beside.label"), options, format_func=labels.__getitem__, key="toy_beside", width=230,
        label_visibility="collapsed",
    )  # fmt: skip


def _another() -> None:
    select(toy_seed=chosen(Training).toy_seed + 1)


def _type(typed: str) -> None:
    """The box for one's own pairs; it keeps what was typed, also what was refused."""
    if "forming_typed" not in st.session_state or st.session_state.get("forming_own") != typed:
        st.session_state["forming_typed"] = typed
    st.session_state["forming_own"] = typed
    left, right = st.columns([3, 1], gap="medium")
    with left:
        label = say("forming.pairs", most=MOST, letters=LONGEST)
        st.text_area(label, key="forming_typed", on_change=_write, height=110)
    with right:
        choose("toy_split")


def _write() -> None:
    """What was typed goes into the link, where it has room there."""
    joined = _joined(st.session_state["forming_typed"])
    if len(joined) <= LONGEST:
        select(toy_pairs=joined)


def _joined(typed: str) -> str:
    """The lines of a list as one: a bar stands between two of them, and for nothing else."""
    lines = (line.strip() for line in typed.replace("\t", " = ").replace("|", "¦").splitlines())
    return BAR.join(filter(None, lines))
