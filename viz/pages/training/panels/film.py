"""The film of the model that ships: one head from random to trained, and what the model wrote meanwhile."""

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from viz.components import film as view
from viz.figures.numbers import compact, fixed, percent
from viz.frame.presenter import presenting
from viz.pages.training import Training
from viz.pages.training.numbers import film as numbers
from viz.pages.training.panels.film_files import taken_home
from viz.pages.training.panels.film_scene import Came, Named, Scene, coming
from viz.state import runs
from viz.state.films import current_film
from viz.state.language import say
from viz.state.session import chosen, select, selection
from viz.text import verbatim
from viz.widgets.controls import choose, choose_layer
from viz.widgets.heads import name
from viz.widgets.names import head_in_a_sentence, head_label, named_heads
from viz.widgets.panel import Panel

VIEW = "training_film"  # the key of the view
WRITTEN: Mapping[str, Callable[[float], str]] = {
    "loss": partial(fixed, digits=2),
    "bleu": partial(fixed, digits=1),
    "rate": compact,
}


def controls() -> None:
    filmed = current_film()
    if filmed is None:
        return
    choose("kind")
    choose_layer()
    sentences = filmed.sentences
    st.session_state["filmed"] = min(len(sentences) - 1, chosen(Training).filmed)
    st.selectbox(
        say("filmed.label"), range(len(sentences)), format_func=sentences.__getitem__, key="filmed", width=290
    )


def show() -> Panel:
    filmed = current_film()
    if filmed is None:
        st.info(say("film.none"))
        return Panel()
    asked = chosen(Training)
    scene = Scene(
        filmed, min(len(filmed.sentences) - 1, asked.filmed), filmed.moment(asked.film_at), selection()
    )
    came = coming(runs.checkpoint())
    moments = [(came[head].moment, head) for head in named_heads()]
    named = sorted((moment, head) for moment, head in moments if moment is not None)
    _view(scene, named, begins=asked.film_at is None)
    finding = _finding(scene, came[scene.head], named)
    st.text(finding)
    st.caption(verbatim(explained := say("training.film.explained", count=len(filmed.sentences))))
    return taken_home(scene, named, finding, explained)


def _view(scene: Scene, named: Named, begins: bool) -> None:
    film, here, head = scene.film, scene.here, scene.head
    queries, keys, axes = scene.sides(say)
    view.film(
        scene.maps, queries, keys, key=VIEW, places=numbers.scaled(film.steps, film.steps), steps=scene.steps,
        scale=numbers.scale(film.steps), written=scene.written,
        curves=[
            view.Curve(say(f"film.{which}"), numbers.outline(history, film.steps),
                       [write(history[step]) for step in film.steps], write(max(history.values())))
            for (which, history), write in ((each, WRITTEN[each[0]]) for each in film.histories.items())
        ],
        named=[view.Named(head_label(*who), moment, who) for moment, who in named],
        head=head, names=[head_label(here.kind, here.layer, each) for each in range(scene.maps.shape[1])],
        moment=scene.moment, begins=begins, colour=here.colour, causal=here.kind == "decoder",
        pages=here.present == "on", text=_words(scene, axes), on_moment=_rest, on_pick=_pick,
    )  # fmt: skip


def _words(scene: Scene, axes: tuple[str, str]) -> dict[str, str]:
    """What the view says; what only the browser knows stays in braces."""
    here, unit = scene.here, say("heatmap.weight")
    if here.colour != "linear":
        unit = say("heatmap.scale", unit=unit, scale=say(f"colour.{here.colour}"))
    return {
        "label": say("heatmap.alt", name=name(here)), "sentence": scene.film.sentences[scene.number],
        "looking": axes[0], "looked-at": axes[1], "unit": unit, "time": say("training.film.time"),
        "heads-title": say("training.film.heads", kind=say(f"kind.{here.kind}"), layer=here.layer + 1),
        "named-title": say("training.film.named"), "defined": _aside("defined"),
        "blended": _aside("blended"), "forbidden": say("heatmap.forbidden"),
        "play": say("decoding.steps.play"), "pause": say("decoding.steps.pause"),
        "nothing": say("training.film.nothing"), "recorded": say("training.film.recorded", step="{step}"),
        "between": say("training.film.between", **{"from": "{from}", "to": "{to}"}),
    }  # fmt: skip


def _aside(which: str) -> str:
    """How to read the film: a presenter says that."""
    return "" if presenting() else say(f"training.film.{which}")


def _rest() -> None:
    """The film came to rest at a recorded moment."""
    moment = st.session_state[VIEW]["moment"]
    if isinstance(moment, int):
        select(film_at=moment)


def _pick() -> None:
    """A head was clicked, perhaps together with the moment it appears."""
    picked = st.session_state[VIEW]["pick"]
    if picked:
        kind, layer, head, moment = picked
        select(kind=kind, layer=layer, head=(head,), row=None, column=None)
        if moment is not None:
            select(film_at=moment)


def _finding(scene: Scene, came: Came, named: Named) -> str:
    """When this head came about, and how the named ones follow each other; in this film's numbers."""
    who = head_in_a_sentence(*scene.head)
    if came.moment is None:
        return say("training.film.still", head=who)
    said = say(
        "training.film.finding", head=who, step=scene.steps[came.moment], far=percent(came.far, 0),
        bleu=fixed(float(scene.film.arrays["bleus"][came.moment]), 1),
    )  # fmt: skip
    if len(named) < 2:
        return said
    (early, _), (late, other) = named[0], named[-1]
    return f"{said} " + say(
        "training.film.order", count=len(named), first=sum(moment == early for moment, _ in named),
        early=scene.steps[early], last=head_in_a_sentence(*other), late=scene.steps[late],
    )  # fmt: skip
