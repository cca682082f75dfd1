"""The only bridge between the pages and the model: its cached runs, and what this visitor chose.

What is on screen lives in Streamlit's session state under the names that widgets and links use.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import fields

import numpy as np
import streamlit as st
import torch

from model import Trace, Translator, load
from model.checkpoint import ATLASES, find
from model.inspect.edits import Edit
from model.inspect.edits_json import from_json, to_json
from model.inspect.padding import Padded, padded
from model.text.tokenizer import BYTE, BlankText, BrokenText, TextTooLong
from viz.pages.look.comparison import Comparison
from viz.state.atlas import aligner
from viz.state.examples import EXAMPLES
from viz.state.runs import TraceCache
from viz.state.selection import CHOICES, Selection, from_link, to_link
from viz.text import LANGUAGES, translate

EXAMPLE = EXAMPLES["she"]
PAST, SENTENCES = 50, 8  # how far undo goes back, how many last sentences are offered
LONG = 128  # pieces; of longer sentences only what every picture needs is kept


def say(key: str, **values: object) -> str:
    """A sentence in this visitor's language."""
    return translate(st.session_state.language)(key, **values)


def choose_language() -> None:
    """The link's language; else, until somebody chooses, as their browser speaks."""
    spoken = (st.query_params.get("lang"), (st.context.locale or "")[:2], LANGUAGES[0])
    if st.session_state.get("language") not in LANGUAGES:  # a control may lose its value on the way
        st.session_state["language"] = next(each for each in spoken if each in LANGUAGES)


def begin(pages: Mapping[str, st.Page]) -> None:
    """Put the link's view on screen at a visitor's first run; keep the view from page to page."""
    if "shown" not in st.session_state:
        asked = st.query_params.to_dict()
        refused = _apply({"s": EXAMPLE} | asked)
        st.session_state.shown = EXAMPLE
        st.session_state.past, st.session_state.sentences = [], []
        page = asked.get("page")
        st.session_state.refused = [*refused, *(["page"] if page and page not in pages else [])]
        if page in pages:
            st.switch_page(pages[page])
    kept = ("sentence", "several", "edits")
    for name in (*(field.name for field in fields(Selection)), *Comparison._fields, *kept):
        # Streamlit forgets what a widget held once a page without it is shown, unless we say it again.
        value = st.session_state[name]
        lost = name in CHOICES and value not in CHOICES[name]
        st.session_state[name] = getattr(opening(), name) if lost else value
    _move_on()


def rest() -> None:
    """This run has come to its end: what it showed is what the next click starts from."""
    st.session_state["rested"] = list(st.session_state["head"])


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
    state, usual = st.session_state, opening()
    chosen = {field.name: state[field.name] for field in fields(Selection)}
    chosen["head"] = tuple(sorted(chosen["head"])) or usual.head
    chosen["waves"] = tuple(sorted(chosen["waves"]))
    return Selection(**chosen)


def comparison() -> Comparison:
    return Comparison(*(st.session_state[name] for name in Comparison._fields))


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


def opening() -> Selection:
    """The first view: the cross-attention head that looks at the word it is about to translate.

    Where the atlas knows none, the one that is surest of where to look in our example. It depends on
    the checkpoint alone, so that everybody opens the same one.
    """
    return _opening(checkpoint())


def link() -> dict[str, str]:
    """Everything on screen, as the parameters of a link; apart from the page."""
    # What a checkpoint opens on may change with it: kind, layer and head are always written.
    usual = Selection(kind="", layer=-1, head=())
    written = to_link(selection(), usual) | comparison().to_link()
    if edits():
        written["edits"] = st.session_state.edits
    return {"s": st.session_state.sentence, "lang": st.session_state.language} | written


def write_link(page: str | None) -> None:
    """Show the link in the browser's address."""
    state = {**({"page": page} if page else {}), **link()}
    if st.query_params.to_dict() != state:
        st.query_params.from_dict(state)


def remember() -> None:
    """Note the view, so that undo can come back to it."""
    view = {name: value for name, value in link().items() if name != "lang"}
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
    _apply({"s": EXAMPLE})


def write(text: str) -> None:
    """Put another sentence into the box."""
    st.session_state.sentence = text


def translator(untrained: bool = False) -> Translator:
    """The model that all visitors share; HEADLIGHT_CHECKPOINT names another, or its folder."""
    return _translator(checkpoint(), untrained)


def checkpoint() -> str:
    return os.environ.get("HEADLIGHT_CHECKPOINT", "en-fr")


def refusal(text: str) -> str | None:
    """Why this text cannot be translated. None: it can."""
    try:
        translator().read(text)
    except BlankText:
        return say("sentence.blank")
    except TextTooLong as error:
        return say("sentence.too_long", pieces=error.pieces, longest=error.longest)
    except BrokenText:
        return say("sentence.broken")
    return None


def outside_vocabulary(text: str) -> bool:
    """Whether most of it can only be spelled byte by byte: another script, or none."""
    *pieces, _ = translator().read(text).pieces
    return sum(map(bool, map(BYTE.fullmatch, pieces))) > len(pieces) / 2


def unknown_signs(text: str) -> list[str]:
    """The signs one can see that have no piece of their own and are spelled byte by byte, each once.

    Plain letters and digits are one byte and one piece, and no English text lacks them: not worth a word.
    """
    spelled = filter(None, map(BYTE.fullmatch, translator().read(text).pieces))
    signs = bytes(int(byte[1], 16) for byte in spelled).decode("utf-8", "ignore")
    return [
        sign
        for sign in dict.fromkeys(signs)
        if sign.isprintable() and not (sign.isascii() and sign.isalnum())
    ]


def current_trace() -> Trace:
    """The run of the last sentence that could be translated."""
    return trace_of(st.session_state.shown)


def trace_of(text: str, untrained: bool = False) -> Trace:
    """The run of any sentence; the untrained twin replays the trained model's translation."""
    name = checkpoint()

    def run() -> Trace:
        keep = None if len(translator().read(text).ids) <= LONG else ("attention", "mask", "value")
        target = trace_of(text).translation.ids if untrained else None
        return translator(untrained).trace(text, target, keep=keep)

    return _traces().get((name, untrained, text), run)


def edited_trace(text: str, made: tuple[Edit, ...], target: tuple[int, ...] | None = None) -> Trace:
    """The run under these edits; with `target` those ids are read again instead of translating anew.

    Raises ValueError or LookupError where this sentence cannot be changed so.
    """
    kept = ("attention", "mask", "value", "query", "key", "scores")
    keep = kept[:3] if len(translator().read(text).ids) > LONG else kept
    return _traces().get(
        (checkpoint(), False, text, to_json(made), target),
        lambda: translator().trace(text, target, made, keep),
    )


def atlas() -> dict | None:
    """What every head of this checkpoint does over the chosen corpus; None where nobody has measured it."""
    return _atlas(checkpoint(), selection().over)


def padded_pair(text: str, other: str) -> Padded:
    return padded(translator().model, translator().tokenizer, (text, other))


def _apply(view: Mapping[str, str]) -> list[str]:
    """Put a link's view on screen; the names of what it asks for in vain."""
    config = translator().config
    chosen, refused = from_link(view, opening(), config.layers, config.heads)
    select(**{field.name: getattr(chosen, field.name) for field in fields(Selection)})
    compared = Comparison.from_link(view.get("compare", ""), config.layers, config.heads)
    if compared is None:
        refused.append("compare")
    select(**(compared or Comparison())._asdict())
    try:
        change(*from_json(view.get("edits", "[]")))
    except ValueError:
        change()
        refused.append("edits")
    write(view["s"])
    if view.get("lang", LANGUAGES[0]) not in LANGUAGES:
        refused.append("lang")
    return refused


@st.cache_resource(show_spinner=False)
def _translator(name: str, untrained: bool) -> Translator:
    # Visitors already run side by side. A sentence is too small to split among cores as well, and
    # where cores are scarce the parts wait for each other: ten times slower was measured.
    torch.set_num_threads(1)
    return load(name, untrained)


@st.cache_resource(show_spinner=False)
def _atlas(name: str, corpus: str) -> dict | None:
    path = find(name) / ATLASES[corpus]
    return json.loads(path.read_text("utf-8")) if path.exists() else None


@st.cache_resource(show_spinner=False)
def _traces() -> TraceCache:
    return TraceCache()


@st.cache_resource(show_spinner=False)
def _opening(name: str) -> Selection:
    measured = _atlas(name, "hand")
    place = measured and aligner(measured)
    if not place:
        surest = trace_of(EXAMPLE).attention["cross"].max(-1).mean(-1)  # (L, H)
        place = np.unravel_index(surest.argmax(), surest.shape)
    layer, head = place
    return Selection(layer=int(layer), head=(int(head),))
