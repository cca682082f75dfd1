"""The opening: sixty seconds in five steps, played on the page itself with its real views.

It covers nothing. Whoever types, or chooses anything on the page, has ended it.
"""

from collections.abc import Callable, Mapping
from functools import partial
from html import escape

import streamlit as st

from model import Trace
from viz.figures.changes import marked
from viz.figures.labels import readable
from viz.frame import opening_words, sheet
from viz.state import runs, session
from viz.state.language import say
from viz.state.narration import Narration, tell
from viz.state.opening import SENTENCE, story

PAGE = "look"  # where it plays
STEPS = ("type", "tokens", "lines", "name", "switch", "off")
SHORT = STEPS[:3]  # where no head has a story


def arrive(page: str) -> None:
    """Who comes without a link sees the opening; who comes by a link sees it where the link says so."""
    came = st.session_state.pop("came_by", None)
    if page != PAGE:
        return
    if came is not None and not came & session.parameters():
        play(1)
    elif came is not None and playing():
        play(min(step(), len(_steps())))


def begin() -> None:
    """From the beginning, from wherever one is."""
    session.reset()
    session.go(PAGE)
    play(1)


def play(number: int) -> None:
    """Show this step. Only before the widgets of this run are drawn, or in a callback."""
    told, name, usual = story(), _steps()[number - 1], session.opening()
    view: dict[str, object] = {"kind": usual.kind, "layer": usual.layer, "head": usual.head, "row": None}
    if told and name not in STEPS[:2]:
        view = {"kind": told.kind, "layer": told.layer, "head": (told.head,), "row": None}
        if name != "lines":
            view["row"] = told.row
    session.select(column=None, reading="predicted", **view)
    session.write(told.sentence if told else SENTENCE)
    tell(opening=number)


def end(focus: str | None = None) -> None:
    """The page stays as it is; what was asked for next has the focus."""
    st.session_state["focus"] = focus
    tell()


def playing() -> bool:
    return bool(step())


def step() -> int:
    return session.chosen(Narration).opening


def by_keys() -> range:
    """The steps that keys lead to: a head is switched off by hand."""
    return range(1, max(step(), len(_steps()) - (1 if story() else 0)) + 1)


def stage(trace: Trace) -> None:
    """The step that plays: one sentence, what belongs to it, and what to do next."""
    with st.container(key="opening", gap="small"):  # always there: else what follows would start anew
        if not playing():
            return
        name = _steps()[step() - 1]
        sheet.put("opening")
        with st.container(horizontal=True, vertical_alignment="center", key="opening_line"):
            said = escape(opening_words.sentence(name, trace, story()))
            shown = _tokens(trace) if name == "tokens" else _translations(name, trace)
            st.html(f'<div class="told {name}">{_dots(name)}<p aria-live="polite">{said}</p>{shown}</div>')
            with st.container(horizontal=True, width="content", gap="small", key="opening_keys"):
                _next(name)


def _next(name: str) -> None:
    """What to do next; the last step leads on."""
    if name not in ("off", SHORT[-1] if story() is None else ""):
        st.button(say("opening.skip"), key="opening_skip", type="tertiary", on_click=end)
        label = "opening.switch" if name == "switch" else "opening.next"
        st.button(say(label), key="opening_next", type="primary", on_click=play, args=(step() + 1,))
        return
    onwards: Mapping[str, Callable[[], None]] = {"more": _to_the_atlas} if story() else {"all": _to_all_heads}
    for key, go in onwards.items():
        st.button(say(f"opening.{key}"), key=f"opening_{key}", on_click=go)
    own = partial(end, focus="sentence")
    st.button(say("opening.own"), key="opening_own", type="primary", on_click=own)


def _to_the_atlas() -> None:
    end()
    session.select(chart="named")
    session.go("atlas")


def _to_all_heads() -> None:
    end()
    session.go("all_heads")


def _steps() -> tuple[str, ...]:
    return STEPS if story() else SHORT


def _dots(name: str) -> str:
    """Where one is; a head that is off is still the last step."""
    steps = [each for each in _steps() if each != "off"]
    here = min(_steps().index(name), len(steps) - 1)
    dots = "".join(f"<i{' class=on' if place == here else ''}></i>" for place in range(len(steps)))
    where = say("opening.place", step=here + 1, steps=len(steps))
    return f'<span class="dots" role="img" aria-label="{escape(where)}">{dots}</span>'


def _tokens(trace: Trace) -> str:
    """What the model reads: each token over its id."""
    pairs = zip(trace.source.pieces, trace.source.ids, strict=True)
    cells = (f"<li><b>{escape(readable(piece, say))}</b><i>{id}</i></li>" for piece, id in pairs)
    return f'<ol class="ids">{"".join(cells)}</ol>'


def _translations(name: str, trace: Trace) -> str:
    """Once the head is off, the translation before and after."""
    told, before = story(), runs.translation_of(trace).text
    if name != "off" or told is None:
        return ""
    after = runs.translation_of(runs.edited_trace(told.sentence, told.edits)).text
    return (
        f'<div class="changed was">{marked(before, after)}</div>'
        f'<div class="changed now">{marked(after, before)}</div>'
    )
