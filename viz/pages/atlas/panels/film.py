"""The training film: the map of heads scrubbed from random to trained, and when each specialist appears."""

from collections.abc import Mapping
from functools import partial
from html import escape

import numpy as np
import streamlit as st

from model.network.kinds import KINDS
from viz.components.drawing import show
from viz.figures import film as figures
from viz.figures.drawing import Drawing
from viz.pages.atlas import Atlas
from viz.pages.atlas.figures.heads import block
from viz.pages.atlas.numbers import film as films
from viz.pages.atlas.panels.heads import KIND_HUES, choose_measure, pick
from viz.state import atlas as atlases
from viz.state import runs, session
from viz.state.films import Film, current_film
from viz.state.language import say
from viz.state.models import by_its_model
from viz.widgets.names import head_name, name_of
from viz.widgets.panel import Panel

SHOWN = 14  # specialists: those that changed most


@st.cache_resource(show_spinner=False, max_entries=2)
@by_its_model
def _courses(name: str) -> films.Courses:
    filmed = current_film()
    return films.courses(filmed.arrays, runs.translator()) if filmed else {}


def show_film(atlas: Mapping | None, chosen: Atlas) -> Panel:
    """The heads at any moment, beside the loss, the rate and the translations of that moment."""
    filmed = current_film()
    if filmed is None:
        st.info(say("film.none"))
        return Panel()
    film, found, steps = filmed.arrays, _courses(runs.checkpoint()), filmed.steps
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        measure = choose_measure(_offered(atlas, found), "by")
        moment = _scrub(filmed, chosen)
    maps = _maps(atlas, found, measure, moment)
    drawn = dict(maps.pictures)
    left, right = st.columns(2, gap="medium")
    drawn["film_curves"] = curves = figures.film(steps, filmed.histories, moment, say)
    with left:
        show(curves, key="film_curves")
        _translations(film, moment)
    if atlas:
        with right:
            drawn |= _timeline(atlas, found, steps, moment)
    st.caption(say("film.what", count=len(film["sources"])))
    there = {**session.link_to("training"), "training": "film"}
    st.page_link(session.address("training"), label=say("film.play"), query_params=there)
    return Panel(drawn, {**maps.arrays, "steps": film["steps"]})


def _offered(atlas: Mapping | None, found: films.Courses) -> list[str]:
    known = {name for measures in found.values() for name in measures if not name.startswith("offset.")}
    return [name for name in atlases.FIRST if name in known or (name == "offset" and atlas)]


def _scrub(filmed: Film, chosen: Atlas) -> int:
    st.session_state["moment"] = filmed.moment(chosen.moment)
    written = {place: f"{step:,}" for place, step in enumerate(filmed.steps)}
    return st.select_slider(
        say("film.steps"), range(len(written)), format_func=written.__getitem__, key="moment"
    )


def _maps(atlas: Mapping | None, found: films.Courses, measure: str, moment: int) -> Panel:
    courses = {
        kind: films.course(found, kind, measure, atlas["offsets"][kind] if atlas else ()) for kind in KINDS
    }
    known = {kind: course for kind, course in courses.items() if course is not None}
    most = atlases.most_of(measure, list(known.values()))
    drawn = {}
    for column, kind in zip(st.columns(3, gap="medium"), KINDS, strict=True):
        with column:
            if kind not in known:
                st.caption(say("film.not_here", kind=say(f"kind.{kind}"), measure=name_of(measure)))
                continue
            drawn[f"film_{kind}"] = block(known[kind][moment], kind, most, say(f"kind.{kind}"), roles={})
            show(drawn[f"film_{kind}"], key=f"film_{kind}", on_pick=partial(pick, f"film_{kind}"))
    return Panel(drawn, {f"film.{measure}.{kind}": course for kind, course in known.items()})


def _translations(film: Mapping[str, np.ndarray], moment: int) -> None:
    pairs = zip(film["sources"].tolist(), film["translations"][moment].tolist(), strict=True)
    lines = "".join(f"<tr><td>{escape(source)}</td><td>{escape(text)}</td></tr>" for source, text in pairs)
    st.html(f'<div class="wide"><table class="numbers said">{lines}</table></div>')


def _timeline(atlas: Mapping, found: films.Courses, steps: list[int], moment: int) -> dict[str, Drawing]:
    everyone = films.specialists(atlas, found)
    most = sorted(everyone, key=lambda each: -abs(each.after - each.before))[:SHOWN]
    lives = []
    for each in (each for each in everyone if each in most):
        who, does = head_name(each.kind, each.layer, each.head), name_of(each.measure)
        tip = say(
            "film.appeared", head=who, measure=does, step=f"{steps[each.moment]:,}",
            before=f"{each.before:.2f}", after=f"{each.after:.2f}",
        )  # fmt: skip
        lives.append(
            figures.Life(
                f"{does} · {who}",
                each.moment,
                KIND_HUES[each.kind],
                tip,
                [each.kind, each.layer, each.head],
                f"{each.measure}.{each.kind}.{each.layer}.{each.head}",
            )
        )
    st.markdown(f"**{say('film.when')}**")
    left_out = (
        say("film.when.most", shown=len(lives), all=len(everyone)) if len(lives) < len(everyone) else ""
    )
    st.caption(f"{say('film.when.what')} {left_out}")
    drawn = figures.timeline(steps, lives, moment, say("film.when"))
    show(drawn, key="film_when", on_pick=lambda: pick("film_when"))
    return {"film_when": drawn}
