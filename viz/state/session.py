"""What this visitor has chosen, and the link that carries it.

What is on screen lives in Streamlit's session state under the names that widgets and links use. Which
names there are, the shared `Selection` and the choices of every page declare.
"""

from collections.abc import Mapping
from typing import TypeVar
from urllib.parse import urlencode

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from model.inspect.edits import Edit
from model.inspect.edits_json import from_json, to_json
from viz.state import models, runs, taking
from viz.state.choices import Choices, Limits
from viz.state.examples import EXAMPLES
from viz.state.first_view import first_view
from viz.state.narration import TOLD, Narration
from viz.state.page import Page
from viz.state.selection import Selection
from viz.state.walking import arriving, walking
from viz.state.within import keep, stay_within
from viz.text import LANGUAGES

EXAMPLE = EXAMPLES["she"]
PAST, SENTENCES = 50, 8  # how far undo goes back, how many last sentences are offered
Chosen = TypeVar("Chosen", bound=Choices)


def begin(pages: Mapping[str, Page], addresses: Mapping[str, StreamlitPage], here: str) -> None:
    """Put the link's view on screen where one was opened or gone back to; keep it from page to page."""
    st.session_state.update(declared_pages=pages, addresses=addresses, here=here)
    if "shown" not in st.session_state:
        asked = st.query_params.to_dict()
        st.session_state.came_by = {*asked}  # whoever came by a link wants to see what it shows
        st.session_state.refused = _apply({"s": EXAMPLE} | asked)
        st.session_state.shown = EXAMPLE
        st.session_state.past, st.session_state.sentences = [], []
        if asked.get("page") and asked["page"] not in pages:
            st.session_state.refused.append("page")
    elif walking():
        st.session_state.refused = _apply({"s": EXAMPLE} | st.query_params.to_dict())
    elif (name := taking.asked_for()) is not None:
        # What the other model lacks of this view is no news; that it cannot be shown is.
        st.session_state.refused = [each for each in _apply(_carried(name)) if each == "model"]
        taking.done()
    if runs.refusal(st.session_state.shown) is not None:  # this model reads less than the last one did
        st.session_state.shown = EXAMPLE
    for choices in _declared():
        usual = _usual(choices)
        for name in choices.names():
            # Streamlit forgets what a widget held once a page without it is shown, unless we say it again.
            value, options = st.session_state[name], choices.options(name)
            st.session_state[name] = getattr(usual, name) if options and value not in options else value
    keep("sentence", "several", "edits")
    _move_on()


def rest() -> None:
    """This run has come to its end: what it showed is what the next click starts from."""
    st.session_state["rested"] = list(st.session_state["head"])
    st.session_state["rested_at"] = st.session_state.here


def _move_on() -> None:
    """Clicks on heads add up only where several are wanted; else the new one stays alone.

    Counted from the last run that came to its end: one that the next click cuts short leaves the browser
    with both, and a callback would have forgotten which of them is new.
    """
    chosen, before = st.session_state["head"], st.session_state.get("rested") or []
    added = [head for head in chosen if head not in before]
    if not chosen:
        st.session_state["head"] = before or list(opening().head)
    elif added and before and set(before) <= set(chosen) and not st.session_state["several"]:
        st.session_state["head"] = added[-1:]


def selection() -> Selection:
    """What this visitor is looking at."""
    return chosen(Selection)


def chosen(choices: type[Chosen]) -> Chosen:
    """What this visitor has chosen of the fields that somebody declared."""
    usual, found = _usual(choices), {}
    for name in choices.names():
        value = st.session_state[name]
        several = isinstance(getattr(usual, name), tuple)
        found[name] = (tuple(sorted(value)) or getattr(usual, name)) if several else value
    return choices(**found)


def options(name: str) -> tuple:
    """What a field may be, on whatever page it was declared."""
    return next(each.options(name) for each in _declared() if name in each.names())


def edits() -> tuple[Edit, ...]:
    """What this visitor has changed in the model, in the order it was changed."""
    return from_json(st.session_state.edits)


def change(*made: Edit) -> None:
    """Change this and nothing else. Only before the widgets of this run are drawn, or in a callback."""
    st.session_state.edits = to_json(made)


def select(**changes: object) -> None:
    """Look at something else. Only before the widgets of this run are drawn, or in a callback."""
    for name, value in changes.items():
        st.session_state[name] = list(value) if isinstance(value, tuple | range) else value
    if "head" in changes:
        st.session_state["several"] = len(st.session_state["head"]) > 1
    stay_within()


def go(page: str) -> None:
    """On to another page, before this one draws anything. Only in a callback, or as the first thing."""
    st.session_state["going"] = page


def address(page: str) -> StreamlitPage:
    """Where a page of this name is, for links."""
    return st.session_state.addresses[page]


def destination() -> str | None:
    """The page that a click leads to, told once."""
    return st.session_state.pop("going", None)


def opening() -> Selection:
    """What one sees first of this model."""
    return first_view()


def atlas() -> dict | None:
    """What every head of this checkpoint does over the chosen corpus; None where nobody has measured it."""
    return runs.atlas(selection().over)


def link() -> dict[str, str]:
    """Everything on screen, as the parameters of a link; apart from the page."""
    written = {"s": st.session_state.sentence, "lang": st.session_state.language, **models.to_link()}
    for choices in _declared():
        # What a checkpoint opens on may change with it: kind, layer and head are always written.
        usual = Selection(kind="", layer=-1, head=()) if choices is Selection else choices()
        written |= chosen(choices).to_link(usual)
    if st.session_state["several"] and len(st.session_state["head"]) == 1:
        written["several"] = "on"  # clicks would add up
    if edits():
        written["edits"] = st.session_state.edits
    return written


def link_to(page: str | None = None) -> dict[str, str]:
    """What is on screen, seen on another page or on this one."""
    return {"page": page or st.session_state.here, **link()}


def write_link() -> str:
    """Show the link in the browser's address, as a step of the browser's history.

    When a link was just opened nobody has done anything yet, and there is no step to make: then the address
    is given back, for the browser to exchange (`viz/components/address.py`).
    """
    state, first = link_to(), "opened" not in st.session_state
    st.session_state.opened = True
    if first:
        return f"?{urlencode(state)}"
    if arriving() or st.query_params.to_dict() != state:  # again: an overtaken run may have written its own
        st.query_params.from_dict(state)
    return ""


def remember(here: Mapping[str, str]) -> None:
    """Note the view that this link shows, so that undo can come back to it."""
    view = {name: value for name, value in here.items() if name not in ("lang", *TOLD)}
    if not st.session_state.past or st.session_state.past[-1] != view:
        st.session_state.past = [*st.session_state.past, view][-PAST:]


def show(text: str) -> None:
    """Make this the sentence that pages show."""
    st.session_state.shown = text
    others = [other for other in st.session_state.sentences if other != text]
    st.session_state.sentences = [text, *others][:SENTENCES]


def undo() -> None:
    *before, _ = st.session_state.past
    if before:
        st.session_state.past = before
        _apply(before[-1])


def reset() -> None:
    _apply({"s": EXAMPLE, "model": models.chosen()})


def write(text: str) -> None:
    """Put another sentence into the box."""
    st.session_state.sentence = text


def parameters() -> set[str]:
    """Every name that a link of ours may hold."""
    return {"s", "lang", "page", "edits", "model"}.union(*(choices.names() for choices in _declared()))


def _declared() -> list[type[Choices]]:
    return [Selection, Narration, *(page.choices for page in st.session_state.declared_pages.values())]


def _usual(choices: type[Chosen]) -> Chosen:
    return opening() if choices is Selection else choices()  # type: ignore[return-value]


def _apply(view: Mapping[str, str]) -> list[str]:
    """Put a link's view on screen; the names of the parameters that could not be read."""
    refused = [] if taking.loads(view.get("model", "")) else ["model"]
    limits = Limits.of(runs.translator().config)
    for choices in _declared():
        found, unread = choices.from_link(view, _usual(choices), limits)
        select(**{name: getattr(found, name) for name in choices.names()})
        refused += unread
    if view.get("several") == "on":
        st.session_state["several"] = True
    try:
        change(*from_json(view.get("edits", "[]")))
    except ValueError:
        change()
        refused.append("edits")
    write(view["s"])
    st.session_state.narrated = None
    if view.get("lang", LANGUAGES[0]) not in LANGUAGES:
        refused.append("lang")
    return refused


def _carried(model: str) -> dict[str, str]:
    """This view, seen on another model: without what stands for tokens, places and names of this one's."""
    own = {"edits", *TOLD}.union(*(choices.own() for choices in _declared()))
    return {name: value for name, value in link().items() if name not in own} | {"model": model}
