"""Step by step: the decoder at one row, where heads look there, what may come next, and what is chosen."""

import time
from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from model.text.spelling import normalise
from model.text.tokenizer import BYTE
from viz.components import drawing
from viz.components.heatmap import heatmap
from viz.figures.labels import readable
from viz.frame.presenter import presenting
from viz.pages.decoding import steps
from viz.pages.decoding.figures import steps as figures
from viz.pages.decoding.figures.choosing import share
from viz.pages.decoding.numbers import steps as numbers
from viz.pages.decoding.panels.here import Here, force, go_to, let_go, spelled, take_back
from viz.pages.decoding.panels.strip import show_strip
from viz.state import runs
from viz.state.language import say
from viz.state.picture import sides
from viz.state.session import select, selection
from viz.text import verbatim
from viz.widgets.controls import choose
from viz.widgets.heads import name
from viz.widgets.panel import Panel

PACE = 1.2  # seconds a step while it plays
WORD, QUOTED = "own_word", 40  # the box for a word of one's own; letters of it that are quoted
FEW = 4  # rows of a map beside which there is no room for the name of its axis
MANY, MANY_ON_THE_WALL, TALL = 20, 10, 340  # rows from which on a map grows no taller, and its pixels


def controls(now: Here) -> None:
    choose("kind")
    _buttons(now)


def show(now: Here) -> Panel:
    found = numbers.likeliest(now.log_probs, now.path.ids[now.at])
    labels = spelled(found.ids)
    words = show_strip(now, "decoding_strip")
    left, right = st.columns([1, 1.6], gap="medium")
    with left:
        drawn = figures.next_tokens(found, labels, say)
        drawing.show(drawn, key="decoding_next", on_pick=partial(_choose, now.at))
        finding = _finding(now, found, labels)
        st.text(finding)
        if not presenting():
            _own_word(now)
    with right:
        heads, looked = _heads(now)
        drawing.show(heads, key="decoding_heads", on_pick=_choose_head)
        _growing_map(now)
        if not presenting():  # there the presenter explains
            st.caption(say("decoding.steps.explained"))
    arrays = {
        "ids": np.array(now.path.ids), "log_probs": np.array(now.path.written.log_probs),
        "tokens": list(now.labels), "step": now.at, "next_ids": np.array(found.ids),
        "next_tokens": list(labels), "next_probabilities": np.array(found.probabilities), **looked,
    }  # fmt: skip
    pictures = {"decoding_strip": words, "decoding_next": drawn, "decoding_heads": heads}
    explained = say("decoding.steps.explained")
    said = {
        "decoding_strip": finding,
        "decoding_next": say("decoding.steps.next.how"),
        "decoding_heads": explained,
    }
    return Panel(pictures, arrays, finding, explained, said=said)


def _finding(now: Here, found: numbers.Next, labels: tuple[str, ...]) -> str:
    """What was chosen here, and from what."""
    wrote, chance = labels[found.written], found.probabilities[found.written]
    read = now.labels[now.at - 1] if now.at else say("piece.start")
    if now.at in now.path.chosen_steps:
        return say(
            "decoding.steps.forced", token=wrote, chance=share(chance), rank=found.rank, best=labels[0]
        )
    rival = 1 if found.written == 0 else 0
    return say(
        "decoding.steps.finding", step=now.at + 1, read=read, token=wrote, chance=share(chance),
        rival=labels[rival], other=share(found.probabilities[rival]),
    )  # fmt: skip


def _heads(now: Here) -> tuple[figures.Drawing, dict[str, np.ndarray]]:
    """All heads of the two kinds that act at this step; the encoder was done before the first word."""
    trace, here = now.path.trace, selection()
    count = runs.translator().config.heads
    kinds, arrays = [], {}
    for kind in ("decoder", "cross"):
        _, looked_at = sides(trace, kind, "read")
        keys = [readable(piece, say) for piece in looked_at.pieces]
        keys = keys[: now.at + 1] if kind == "decoder" else keys
        weights = numbers.looks(trace.attention[kind], now.at, len(keys))
        chosen = here.layer * count + here.head[0] if here.kind == kind else None
        kinds.append(figures.Looking(kind, weights, keys, chosen))
        arrays[f"looks_{kind}"] = weights
    return figures.heads_now(kinds, count, say), arrays


def _growing_map(now: Here) -> None:
    """The chosen head's map as far as it is computed: a row a step. The encoder's is whole from the start."""
    trace, here = now.path.trace, selection()
    looking, looked_at = sides(trace, here.kind, here.reading)
    weights, mask = trace.attention[here.kind][here.layer, here.head[0]], trace.mask[here.kind]
    mask = np.broadcast_to(mask.reshape(-1, *mask.shape[-2:])[0], weights.shape)
    rows, columns = len(looking.pieces), len(looked_at.pieces)
    if here.kind != "encoder":
        rows = now.at + 1
        columns = rows if here.kind == "decoder" else columns
    seen = slice(0, rows), slice(0, columns)
    many = MANY_ON_THE_WALL if presenting() else MANY
    st.caption(verbatim(say(f"decoding.steps.map.{here.kind}", name=name(here))))
    heatmap(
        weights[seen], mask[seen],
        [readable(piece, say) for piece in looking.pieces[:rows]],
        [readable(piece, say) for piece in looked_at.pieces[:columns]], say,
        key="decoding_map", label=say("heatmap.alt", name=name(here)), unit=say("heatmap.weight"),
        rows=say(looking.axis) if rows > FEW else "", columns=say(looked_at.axis),
        row=None if here.kind == "encoder" else now.at, tall=TALL if rows > many else None,
    )  # fmt: skip


def _buttons(now: Here) -> None:
    """Step, play, and the way back from one's own choices."""
    last = len(now.path.ids) - 1
    with st.container(horizontal=True, gap="small", key="decoding_buttons", width="content"):
        st.button("|◀", key="to_first", on_click=_step, args=(0,), disabled=now.at == 0,
                  help=say("decoding.steps.first"))  # fmt: skip
        st.button("◀", key="step_back", on_click=_step_by, args=(-1,), disabled=now.at == 0,
                  help=say("decoding.steps.back"))  # fmt: skip
        playing = st.session_state.get("playing", False) and now.at < last
        st.button(say("decoding.steps.pause" if playing else "decoding.steps.play"), key="play",
                  on_click=_play, args=(not playing, now.asked.at is None or now.at == last))  # fmt: skip
        st.button("▶", key="step_on", on_click=_step_by, args=(1,), disabled=now.at == last,
                  help=say("decoding.steps.on"))  # fmt: skip
        if now.path.forced:
            st.button(say("decoding.steps.take_back"), key="take_back", on_click=take_back)
            st.button(say("decoding.steps.let_go"), key="let_go", on_click=let_go)
    if playing:
        st.session_state["played_at"] = time.monotonic()
        _tick(now.at + 1)


@st.fragment(run_every=PACE)
def _tick(following: int) -> None:
    """While it plays, go on to the following step; the page's own run draws this first, and too early."""
    if time.monotonic() - st.session_state["played_at"] > PACE / 2:
        select(at=following)
        st.rerun()


def _play(on: bool, again: bool) -> None:
    st.session_state["playing"] = on
    if again:
        go_to(0)


def _step(to: int) -> None:
    st.session_state["playing"] = False
    go_to(to)


def _step_by(way: int) -> None:
    """From where one is by now: of two fast clicks the second comes before the page is drawn again."""
    places, at = steps()
    _step(min(len(places) - 1, at + way))


def _choose(step: int) -> None:
    """A token was clicked: write it here instead."""
    picked = st.session_state["decoding_next"]["pick"]
    if isinstance(picked, int):
        st.session_state["playing"] = False
        force(step, picked)


def _choose_head() -> None:
    picked = st.session_state["decoding_heads"]["pick"]
    if picked:
        kind, layer, head = picked
        select(kind=kind, layer=layer, head=(head,), row=None, column=None)


def _own_word(now: Here) -> None:
    """A word that is not among the offered ones; what cannot be written is said under the box, and stays."""
    st.text_input(
        say("decoding.steps.own"), key=WORD, on_change=_write_own, args=(now.at,),
        placeholder=say("decoding.steps.own.placeholder"),
    )  # fmt: skip
    # What could be written has left the box: whatever stands in it was refused.
    typed = normalise(st.session_state[WORD])
    if refused := _refusal(typed, _ids(typed), now.at):
        st.warning(verbatim(refused))


def _write_own(step: int) -> None:
    typed = normalise(st.session_state[WORD])
    ids = _ids(typed)
    if typed and not _refusal(typed, ids, step):
        st.session_state["playing"] = False
        force(step, *ids)
        st.session_state[WORD] = ""


def _ids(typed: str) -> list[int]:
    (ids,) = runs.translator().tokenizer.target.ids([typed])
    return ids


def _refusal(typed: str, ids: Sequence[int], step: int) -> str:
    """Why this cannot be written here, in one sentence; empty where it can."""
    translator = runs.translator()
    if any(BYTE.fullmatch(piece) for piece in translator.tokenizer.spelled(ids)):
        word = typed if len(typed) <= QUOTED else typed[: QUOTED - 1] + "…"
        return say("decoding.steps.unspelled", word=word)
    if step + len(ids) >= translator.config.length:
        return say("decoding.steps.too_long", most=translator.config.length)
    return ""
