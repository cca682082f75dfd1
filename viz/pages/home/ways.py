"""Where a click on a part leads: to another word or layer, or to the page that shows it."""

import streamlit as st

from model.network.kinds import KINDS
from viz.pages.home import words
from viz.state import runs
from viz.state.session import go, select, selection

KEY = "architecture"  # of the drawing


def pick() -> None:
    """A part was clicked; its name says what it is."""
    part, _, rest = str(st.session_state[KEY]["pick"] or "").partition(".")
    if part in WAYS:
        WAYS[part](rest)


def _attention(kind: str) -> None:
    _choose(kind)
    go("look")


def _heads(kind: str) -> None:
    _choose(kind)
    go("all_heads")


def _inside(kind: str) -> None:
    _choose(kind)
    go("inside")


def _choose(kind: str) -> None:
    """This kind of attention, at the word that is being written; another kind has other rows."""
    if kind not in KINDS:
        return
    if kind != "encoder":
        select(kind=kind, row=words()[1], column=None)
    elif selection().kind != kind:
        select(kind=kind, row=None, column=None)


def _layers(panel: str, stack: str, part: str) -> None:
    _choose("cross" if part == "cross" else stack)
    select(layers=panel, part=part)
    go("layers")


def _norm(place: str) -> None:
    stack, _, part = place.partition(".")
    _layers("norm", stack, part)


def _positions(stack: str) -> None:
    select(positions="table")
    go("positions")


def _choosing(_: str) -> None:
    """How the word that is being written is chosen."""
    select(decoding="steps", at=words()[1], forced=())
    go("decoding")


def _read(row: str) -> None:
    select(writes=int(row))


def _step(way: str) -> None:
    rows, now = words()
    select(writes=max(0, min(len(rows) - 1, now + (1 if way == "after" else -1))))


def _layer(layer: str) -> None:
    """Where the chosen kind has no such layer, another one has."""
    config, kind = runs.translator().config, selection().kind
    deep = [each for each in (kind, *KINDS) if config.depth(each) > int(layer)]
    if deep:
        select(kind=deep[0], layer=int(layer))


WAYS = {
    "attention": _attention,
    "heads": _heads,
    "inside": _inside,
    "norm": _norm,
    "feed_forward": lambda stack: _layers("units", stack, "feed_forward"),
    "embedding": lambda stack: _layers("added", stack, "attention"),
    "positions": _positions,
    "linear": lambda _: _layers("vocabulary", "decoder", "feed_forward"),
    "softmax": _choosing,
    "read": _read,
    "step": _step,
    "layer": _layer,
    "go": go,
}
