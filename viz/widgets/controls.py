"""Widgets that pages share. What is chosen lives in the session under the widget's key."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import streamlit as st

from viz.state import runs, session
from viz.state.causal import Where
from viz.state.language import say
from viz.state.session import selection
from viz.text import verbatim
from viz.widgets.names import named_heads


def choose(
    name: str,
    options: Sequence | None = None,
    written: Callable[[Any], str] | None = None,
    labelled: bool = True,
) -> Any:
    """A row of buttons, one of which is always chosen. Options are those of a selection's field."""
    options = session.options(name) if options is None else options
    labels = {option: (written or _said(name))(option) for option in options}
    return st.segmented_control(
        say(f"{name}.label"),
        options,
        required=True,
        format_func=labels.__getitem__,
        key=name,
        label_visibility="visible" if labelled else "collapsed",
        wrap=True,  # on a telephone, rows of buttons break instead of scrolling sideways
    )


def choose_layer() -> int:
    """A layer of the chosen kind: the two stacks need not be equally deep."""
    return choose("layer", range(runs.translator().config.depth(selection().kind)), number)


def choose_heads(heads: int, off: Collection[Where] = ()) -> tuple[int, ...]:
    """Each head in its colour. A click moves on to that head, or adds it where several are wanted.

    Those that are switched `off` say so.

    What a click means, session.begin decides: it knows what the last whole run showed.
    """
    here = selection()
    silent = {head for kind, layer, head in off if (kind, layer) == (here.kind, here.layer)}
    labels = {
        head: say("head.off", head=head + 1) if head in silent else number(head) for head in range(heads)
    }
    with st.container(key="heads", width="content"):
        st.segmented_control(
            say("head.label"), range(heads), selection_mode="multi", format_func=labels.__getitem__,
            key="head",
        )  # fmt: skip
        if named := _named(heads):
            with st.container(key="named_heads"):
                st.caption(verbatim(named))
    return selection().head


def _named(heads: int) -> str:
    """The heads of this layer that have a name, each with its first; they stand beside the label."""
    here, known = selection(), named_heads()
    found = {head: known.get((here.kind, here.layer, head)) for head in range(heads)}
    return " · ".join(
        say("head.named", head=head + 1, name=names[0]) for head, names in found.items() if names
    )


def choose_several() -> None:
    """Whether clicks on heads add up."""

    def settle() -> None:
        if not st.session_state["several"]:
            st.session_state["head"] = st.session_state["head"][:1]

    st.toggle(say("several.label"), key="several", on_change=settle)


def choose_place(field: str, label: str, words: Sequence[str], place: int) -> None:
    """A word of the sentence by its place; a sentence may say "the" twice, so places are numbered."""
    labels = {at: f"{at + 1} · {word}" for at, word in enumerate(words)}

    def settle() -> None:
        st.session_state[field] = st.session_state[f"{field}_place"]

    st.session_state[f"{field}_place"] = place
    st.selectbox(
        label, range(len(words)), format_func=labels.__getitem__, key=f"{field}_place", on_change=settle
    )


def unfold(name: str, label: str, fill: Callable[[], None]) -> None:
    """A button that unfolds; what is inside is made only once it is open."""
    opened = st.popover(label, key=name, width="content", on_change="rerun")
    if opened.open:
        with opened:
            fill()


def number(place: int) -> str:
    return str(place + 1)


def _said(name: str) -> Callable[[str], str]:
    return lambda option: say(f"{name}.{option}")
