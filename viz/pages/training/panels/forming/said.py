"""What is said of a small training, in its own numbers."""

from collections.abc import Sequence

import numpy as np

from model.training.toys.film import READABLE, SOLVED, Frame
from model.training.toys.recipe import OWN, SWITCHES, Place, Recipe
from viz.figures.numbers import percent
from viz.pages.training.numbers.forming import verdict
from viz.state.language import say
from viz.state.trainings import Seen


def waiting(seen: Seen) -> str:
    """Why there is nothing to see yet."""
    return say("forming.queue", ahead=seen.ahead) if seen.ahead else say("forming.begins")


def finding(recipes: Sequence[Recipe], films: Sequence[Sequence[Frame]], at: int, done: bool) -> str:
    """How far it is at the frame on screen and, at the end, how it came out."""
    frames = films[0]
    frame, last = frames[at], done and at == len(frames) - 1
    said = _ended(recipes[0], frames) if last else _under_way(recipes[0], frame)
    if frame.silent:
        said = f"{said} {say('forming.silent', heads=', '.join(map(_called, frame.silent)))}"
    elif last and recipes[0].task != OWN:
        said = f"{said} {say('forming.click')}"
    if len(films) > 1:
        said = f"{said} {_beside(recipes, films, frame.step)}"
    return said


def _called(place: Place) -> str:
    kind, layer, head = place
    return f"{say(f'kind.short.{kind}')} {layer + 1}·{head + 1}"


def name_of(recipe: Recipe, recipes: Sequence[Recipe]) -> str:
    """What tells two trainings apart, in words; nothing where there is only one."""
    if len(recipes) == 1:
        return ""
    differs = next(name for name in vars(recipe) if len({getattr(each, name) for each in recipes}) > 1
                   and name != "off")  # fmt: skip
    value = getattr(recipe, differs)
    if differs in SWITCHES:
        return say(f"forming.with.{differs}" if value else f"forming.without.{differs}")
    word = say(f"toy_positions.{value}") if differs == "positions" else value
    return say(f"forming.value.{differs}", value=word)


def settled(recipe: Recipe) -> dict[str, str]:
    """The task and all settings, for paper: the sentence above is not what was learnt."""
    usual, values = Recipe(), vars(recipe)
    told = [say(f"forming.value.{name}", value=values[name]) for name in ("seed", "layers", "heads", "width")]
    told.append(say("forming.value.positions", value=say(f"toy_positions.{recipe.positions}")))
    told += [say(f"forming.changed.{name}") for name in SWITCHES if values[name] != getattr(usual, name)]
    return {say("toy.label"): say(f"toy.{recipe.task}"), say("forming.settings"): ", ".join(told)}


def _numbers(frame: Frame) -> dict[str, object]:
    layer, head = frame.best if not np.isnan(frame.readable) else (0, 0)
    return {
        "step": frame.step, "accuracy": percent(frame.accuracy, 0), "layer": layer + 1, "head": head + 1,
        "readable": percent(frame.readable, 0),
    }  # fmt: skip


def _under_way(recipe: Recipe, frame: Frame) -> str:
    return say("forming.now.own" if recipe.task == OWN else "forming.now", **_numbers(frame))


def _ended(recipe: Recipe, frames: Sequence[Frame]) -> str:
    last = frames[-1]
    firsts = {
        "solved": _first(frames, "accuracy", SOLVED), "read": _first(frames, "readable", READABLE)
    }  # fmt: skip
    return say(f"forming.ended.{verdict(last)}", **_numbers(last), **firsts)


def _first(frames: Sequence[Frame], name: str, least: float) -> int:
    """The step at which it was reached first; the last one where it never was."""
    return next((each.step for each in frames if getattr(each, name) >= least), frames[-1].step)


def _beside(recipes: Sequence[Recipe], films: Sequence[Sequence[Frame]], step: int) -> str:
    """The same moment of the second training."""
    other = max((each for each in films[1] if each.step <= step), key=lambda each: each.step)
    own = "forming.beside.own" if recipes[0].task == OWN else "forming.beside"
    return say(own, name=name_of(recipes[1], recipes), **_numbers(other))
