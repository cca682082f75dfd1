"""In front of a class: one panel in large type, keys that step through it, and nothing else on screen."""

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from model import Trace
from viz.components.keys import keys
from viz.figures.ink import ink
from viz.frame import moves, opening
from viz.state import runs
from viz.state.language import say
from viz.state.page import Page
from viz.state.session import options, select, selection
from viz.widgets.names import heads_label


def presenting() -> bool:
    return selection().present == "on"


def button() -> None:
    st.button(say("present.label"), key="start_presenting", on_click=_start, help=say("present.help"))


def leave() -> None:
    """For those who have no keyboard: a telephone that followed a presenter's link."""
    st.button("✕", key="stop_presenting", on_click=_stop, help=say("present.leave"))


def style() -> str:
    """What hides everything but the panel."""
    return f"<style>{Path(__file__).with_name('presenter.css').read_text('utf-8')}</style>"


def headline(page: Page, trace: Trace) -> None:
    """What the class looks at, in one line; and which keys lead on."""
    here, written = selection(), runs.translation_of(trace)
    parts = [
        f'<span title="{escape(st.session_state.shown)}">{escape(st.session_state.shown)}</span>',
        f'<span class="ink" title="{escape(written.text)}">{ink(written.pieces, written.log_probs)}</span>',
    ]
    if page.names_head:
        parts.append(f"<b>{escape(heads_label(here.kind, here.layer, here.head))}</b>")
    with st.container(key="headline", gap=None):
        st.html(f'<p class="headline">{"".join(parts)}</p>')
        st.html(f'<p class="hint">{escape(_keys(page))}</p>')


def _keys(page: Page) -> str:
    if not page.names_head:
        return say("present.how")
    return say("present.keys", heads=min(9, runs.translator().config.heads))


def step_keys(page: Page) -> None:
    """Listen for the keys of this page; while the opening plays, they are the opening's."""
    playing = opening.playing()
    keys(
        steps=playing or presenting() or page.always_steps, leave=playing or presenting(),
        on_leave=opening.end if playing else _stop, enter=playing, moves=presenting() and not playing,
        focus=st.session_state.pop("focus", None),
    )  # fmt: skip


def following(options: Sequence, now: object, by: int) -> object:
    """The option one step on or back; at either end, the end.

    >>> following("abc", "b", 1), following("abc", "c", 1)
    ('c', 'c')
    """
    return options[max(0, min(len(options) - 1, options.index(now) + by))]


class Rest(NamedTuple):
    """Where the last whole run of a page left off: how many keys had been pressed, and what was shown."""

    listener: float | None
    presses: int  # of all keys,
    pressed: int  # and how far they led
    page: str  # and its field, or the opening
    value: object


def follow_keys(page: Page) -> None:
    """Step as far as keys were pressed since the last whole run.

    Keys may come faster than pages, and a run that the next key cuts short leaves nothing behind. So the
    browser counts keys, and we count from the last run that came to its end.
    """
    moves.follow()
    pressed = (st.session_state.get("keys") or {}).get("step")
    rest: Rest | None = st.session_state.get("rest")
    if not pressed:
        return
    counted = rest is not None and rest.listener == pressed["listener"]
    presses, by = (
        pressed[name] - (before if counted else 0)
        for name, before in (("presses", rest and rest.presses), ("count", rest and rest.pressed))
    )
    value = rest.value if rest and rest.page == _stepped(page) else _shown(page)
    if not presses:  # there and back again is a step, too: a run cut short may have left the page between
        return
    offered = _offered(page)
    target: Any = following(offered, value if value in offered else _shown(page), by)
    if opening.playing():
        opening.play(target)
    else:
        field = _field(page)
        select(**{field: (target,) if field == "head" else target})


def rest(page: Page) -> None:
    """This run has come to its end: count from here."""
    moves.rest()
    pressed = (st.session_state.get("keys") or {}).get("step") or {"listener": None, "presses": 0, "count": 0}
    listener, presses, count = (pressed[name] for name in ("listener", "presses", "count"))
    st.session_state["rest"] = Rest(listener, presses, count, _stepped(page), _shown(page))


def _stepped(page: Page) -> str:
    """What keys step through now."""
    return "opening" if opening.playing() else f"{page.name}.{_field(page)}"


def _field(page: Page) -> str:
    return page.stepped() if page.stepped else page.steps


def _offered(page: Page) -> Sequence:
    """Heads are numbered as the checkpoint has them, words as the sentence; else a field has its options."""
    if opening.playing():
        return opening.by_keys()
    if page.places:
        return page.places()[0]
    field = _field(page)
    return range(runs.translator().config.heads) if field == "head" else options(field)


def _shown(page: Page) -> object:
    if opening.playing():
        return opening.step()
    if page.places:
        return page.places()[1]
    field = _field(page)
    return selection().head[0] if field == "head" else st.session_state[field]


def _start() -> None:
    select(present="on")


def _stop() -> None:
    select(present="off")
