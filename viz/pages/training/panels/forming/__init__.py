"""Watch heads form: a small Transformer learns a task here and now, and its film can be gone through."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from model.training.toys.film import Film, Frame
from model.training.toys.recipe import OWN, Recipe
from viz.components import drawing
from viz.figures.drawing import Drawing
from viz.figures.moving import gif, writes_hangul
from viz.pages.training import Training
from viz.pages.training.figures.forming.curves import Run, progress
from viz.pages.training.figures.forming.film import frames
from viz.pages.training.figures.forming.heads import Shown, heads
from viz.pages.training.numbers import forming as numbers
from viz.pages.training.panels.forming import player, settings
from viz.pages.training.panels.forming.lessons import lessons
from viz.pages.training.panels.forming.said import finding, name_of, settled, waiting
from viz.state import trainings
from viz.state.language import say
from viz.state.session import chosen, select, selection
from viz.state.trainings import Seen
from viz.text import Say, translate, verbatim
from viz.widgets.panel import Panel

PACE = 0.5  # seconds from one look at a training to the next


@dataclass(frozen=True)
class Now:
    """The trainings on screen, the frame of the first that is looked at, and what is drawn of it."""

    seen: Sequence[Seen]
    at: int
    pictures: dict[str, Drawing]
    said: str

    @property
    def done(self) -> bool:
        return all(each.done for each in self.seen)

    @property
    def state(self) -> tuple[bool, ...]:
        """What the rest of the page depends on: which films have begun, which have ended."""
        return tuple(each.film is not None and bool(each.film.frames) for each in self.seen) + tuple(
            each.done for each in self.seen
        )


def controls() -> None:
    settings.controls()


def show() -> Panel:
    recipe = settings.recipe()
    if recipe is None:
        return Panel()
    beside = chosen(Training).toy_beside
    recipes = [recipe] if beside == "nothing" else [recipe, numbers.variant(recipe, beside)]
    now = _now(recipes)
    player.row(now.seen[0], now.at)
    moving = player.playing() or not now.done
    st.session_state["forming_shown"] = time.monotonic()
    st.fragment(_live, run_every=PACE if moving else None)(recipes, now.state)
    if taught := lessons(recipes, say):
        st.text(taught)
    explained, measured = _explained(recipe), _measured(recipe)
    st.caption(verbatim(f"{explained} {measured} {say('forming.explained.hand')}"))
    film, films = now.seen[0].film, [each.film for each in now.seen if each.film and each.film.frames]
    said = {"forming_heads": f"{now.said} {taught} {explained}", "forming_curves": measured}
    if not film or not film.frames:
        return Panel(now.pictures, {}, now.said, explained, said=said)
    speak = translate(st.session_state.language if writes_hangul() else "en")  # made when this run is over
    return Panel(
        now.pictures, numbers.arrays(films), now.said, f"{taught} {explained} {measured}".strip(), said=said,
        told=settled(recipe), films={"forming_film": partial(_film, film, selection().kind, speak)},
    )  # fmt: skip


def _film(film: Film, kind: str, speak: Say) -> bytes:
    return gif(frames(film, kind, speak))


def _live(recipes: Sequence[Recipe], before: tuple[bool, ...]) -> None:
    """The part that looks again by itself: Streamlit runs it alone, and the link only with the whole page."""
    late = time.monotonic() - st.session_state["forming_shown"] > PACE / 2
    if late and player.playing():  # the page's own run draws this first, and too early
        player.advance()
    now = _now(recipes)
    player.count(now.seen[0])
    if st.session_state.pop("forming_picked", False) or player.ended() or now.state != before:
        st.rerun(scope="app")
    _draw(now)


def _now(recipes: Sequence[Recipe]) -> Now:
    seen = trainings.follow(recipes)
    first, *others = seen
    if first.film is None or not first.film.frames:
        return Now(seen, 0, {}, waiting(first))
    frames = list(first.film.frames)
    at = player.place(len(frames))
    runs = [(each.film, name_of(recipe, recipes)) for each, recipe in zip(seen, recipes, strict=True)
            if each.film and each.film.frames]  # fmt: skip
    shown = [
        Shown(film, _nearest(list(film.frames), frames[at].step), selection().kind, name, picks=not number)
        for number, (film, name) in enumerate(runs)
    ]
    pictures = {
        "forming_heads": heads(shown, say),
        "forming_curves": progress([Run(*each) for each in runs], at, say),
    }
    said = finding(recipes, [list(film.frames) for film, _ in runs], at, first.done)
    if len(runs) < len(recipes) and others:
        said = f"{said} {waiting(others[0])}"
    return Now(seen, at, pictures, said)


def _nearest(frames: Sequence[Frame], step: int) -> Frame:
    """The last frame of another film that is not later than this step; films take the same moments."""
    return max((each for each in frames if each.step <= step), key=lambda each: each.step)


def _draw(now: Now) -> None:
    st.text(now.said)
    if not now.pictures:
        return
    left, right = st.columns([1.75, 1], gap="medium")
    with left:
        drawing.show(now.pictures["forming_heads"], key="view_forming_heads", on_pick=_switch)
    with right:
        drawing.show(now.pictures["forming_curves"], key="view_forming_curves", on_pick=_go)


def _switch() -> None:
    """A head was clicked: from the moment on screen on it is off, or on again."""
    picked = (st.session_state.get("view_forming_heads") or {}).get("pick")
    recipe = settings.recipe(draw=False)
    if not picked or recipe is None:
        return
    asked = chosen(Training)
    film, step = trainings.film_of(recipe), None
    if asked.toy_moment is not None and film and film.frames:
        step = film.frames[player.place(len(film.frames))].step
    kind, layer, head = picked
    changed = trainings.switch(recipe, (kind, layer, head), step)
    select(toy_off=changed.off, toy_moment=None)
    st.session_state["forming_picked"] = True


def _go() -> None:
    picked = (st.session_state.get("view_forming_curves") or {}).get("pick")
    if isinstance(picked, int):
        player.stop_at(picked)
        st.session_state["forming_picked"] = True


def _explained(recipe: Recipe) -> str:
    """What the maps show."""
    kind = selection().kind
    told = say(f"forming.explained.{kind}")
    if kind == "cross" and recipe.task != OWN:
        told = f"{told} {say('forming.explained.true')}"
    return told


def _measured(recipe: Recipe) -> str:
    """What the curves show."""
    return say("forming.explained.own" if recipe.task == OWN else "forming.explained.measured")
