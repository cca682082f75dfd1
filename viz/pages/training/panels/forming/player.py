"""Going through a film: play, pause, one frame back or on. While it grows, its end is followed."""

import streamlit as st

from viz.pages.training import Training
from viz.pages.training.panels.forming.settings import others
from viz.state.language import say
from viz.state.session import chosen, select
from viz.state.trainings import Seen

LOOKS = 24  # that a film is played in: one every half second is all a page can be drawn anew


def place(frames: int) -> int:
    """The frame that is looked at: the last one where none is chosen."""
    moment = chosen(Training).toy_moment
    return frames - 1 if moment is None else min(moment, frames - 1)


def playing() -> bool:
    return bool(st.session_state.get("forming_playing"))


def ended() -> bool:
    """Whether playing has just come to the end: told once."""
    return bool(st.session_state.pop("forming_ended", False))


def advance() -> None:
    """To the next frame of those that are played; from the last one on the end is followed."""
    frames = st.session_state["forming_frames"]
    following = place(frames) + max(1, frames // LOOKS)
    if following >= frames - 1:
        st.session_state["forming_playing"], st.session_state["forming_ended"] = False, True
        st.session_state["toy_moment"] = None
    else:
        st.session_state["toy_moment"] = following


def stop_at(frame: int) -> None:
    """Look at this frame. Only in a callback."""
    st.session_state["forming_playing"] = False
    select(toy_moment=frame)


def count(seen: Seen) -> int:
    """How many frames there are, and remember it for the buttons."""
    frames = len(seen.film.frames) if seen.film else 0
    st.session_state["forming_frames"] = frames
    return frames


def row(seen: Seen, at: int) -> None:
    """The buttons of a film, and which of its moments is on screen."""
    frames = count(seen)
    live = not seen.done and chosen(Training).toy_moment is None
    moving = playing() or live
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="forming_player"):
        st.button("◀", key="forming_back", on_click=_step, args=(-1,), help=say("forming.back"),
                  disabled=not frames)  # fmt: skip
        word = "forming.pause" if moving else "forming.play"
        st.button(say(word), key="forming_play", on_click=_play, args=(not moving, seen.done),
                  disabled=not frames)  # fmt: skip
        st.button("▶", key="forming_on", on_click=_step, args=(1,), help=say("forming.on"),
                  disabled=not frames)  # fmt: skip
        if chosen(Training).toy_moment is not None:
            st.button(say("forming.end" if seen.done else "forming.live"), key="forming_end", on_click=_end)
        if chosen(Training).toy_off:
            st.button(say("forming.all_on"), key="forming_all_on", on_click=_all_on)
        others()


def _step(by: int) -> None:
    frames = st.session_state["forming_frames"]
    stop_at(max(0, min(frames - 1, place(frames) + by)))


def _play(on: bool, done: bool) -> None:
    frames = st.session_state["forming_frames"]
    at = place(frames)
    if not on:
        stop_at(at)
    elif done or at < frames - 1:
        st.session_state["forming_playing"] = True
        select(toy_moment=0 if at == frames - 1 else at)
    else:
        _end()


def _end() -> None:
    st.session_state["forming_playing"] = False
    select(toy_moment=None)


def _all_on() -> None:
    select(toy_off=(), toy_moment=None)
