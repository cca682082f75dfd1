"""The film to take home: pictures of the moment, the film as a GIF, and all its numbers."""

from collections.abc import Callable
from functools import partial

from viz.figures.drawing import Drawing
from viz.figures.film import Life, timeline
from viz.figures.film import film as curves_of
from viz.figures.heatmap_svg import heatmap_svg
from viz.figures.moving import Frames, gif, writes_hangul
from viz.figures.numbers import fixed
from viz.pages.training.numbers import film as numbers
from viz.pages.training.panels.film_scene import Named, Scene
from viz.state.language import say
from viz.text import translate
from viz.widgets.heads import name
from viz.widgets.names import head_label
from viz.widgets.panel import Panel


def taken_home(scene: Scene, named: Named, finding: str, explained: str) -> Panel:
    film, here, moment = scene.film, scene.here, scene.moment
    queries, keys, axes = scene.sides(say)
    weights = scene.maps[:, here.head[0]] / 255
    lives = [
        Life(head_label(*who), each, f"head:{who[2]}", "", who, ".".join(map(str, who)))
        for each, who in named
    ]
    at = say("training.film.recorded", step=scene.steps[moment])
    pictures: dict[str, Drawing | Callable[[], str]] = {
        "training_map": partial(
            heatmap_svg, weights[moment], queries, keys, rows=axes[0], columns=axes[1], mask=scene.seen,
            title=f"{name(here)} · {at}", scale=say("heatmap.weight"), colour=here.colour,
        ),
        "film_curves": curves_of(film.steps, film.histories, moment, say),
        "film_named": timeline(film.steps, lives, moment, say("training.film.named")),
    }  # fmt: skip
    arrays = {
        **{each: film.arrays[each] for each in ("steps", "dev_losses", "bleus", "rates")},
        "translations": scene.written, "moment": moment, "queries": queries, "keys": keys,
        "named_heads": [".".join(map(str, who)) for _, who in named],
        "named_from_step": [film.steps[each] for each, _ in named], "weights": weights,
    }  # fmt: skip
    told = {say("filmed.label"): film.sentences[scene.number]}
    films = {"training_film": partial(gif, _frames(scene))}
    return Panel(
        pictures, arrays, finding, explained, told=told, films=films,
        said={"film_named": say("training.film.defined"), "film_curves": at},
    )  # fmt: skip


def _frames(scene: Scene) -> Frames:
    """What the GIF shows: the head, the sentence and its translation of each moment, above the map."""
    speak = say if writes_hangul() else translate("en")
    film, (kind, layer, head) = scene.film, scene.head
    queries, keys, _ = scene.sides(speak)
    who = speak("head.name", kind=speak(f"kind.short.{kind}"), layer=layer + 1, head=head + 1)
    lines = []
    for moment, written in enumerate(scene.written):
        step = speak("training.film.recorded", step=scene.steps[moment])
        bleu = fixed(float(film.arrays["bleus"][moment]), 1)
        lines.append([f"{who} · {step} · BLEU {bleu}", film.sentences[scene.number], f"→ {written}"])
    places = numbers.scaled(film.steps, film.steps)
    return Frames(scene.maps[:, head] / 255, scene.seen, queries, keys, lines, places)
