"""What a film of a small training comes to: its curves, how it ended, and a second one beside it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from model.network.kinds import KINDS
from model.training.toys.film import READABLE, SOLVED, Film, Frame
from model.training.toys.recipe import SWITCHES, Recipe


class Curves(NamedTuple):
    """Over all frames so far; `readable` is NaN where nobody knows the true positions."""

    steps: np.ndarray
    loss: np.ndarray
    accuracy: np.ndarray
    readable: np.ndarray


def curves(frames: Sequence[Frame]) -> Curves:
    told = ([getattr(each, name) for each in frames] for name in ("step", "loss", "accuracy", "readable"))
    return Curves(*map(np.array, told))


def variant(recipe: Recipe, setting: str) -> Recipe:
    """The same training but for one setting.

    >>> variant(Recipe(), "norm").norm, variant(Recipe(positions="none"), "positions").positions
    (False, 'sinusoidal')
    """
    if setting in SWITCHES:
        return replace(recipe, **{setting: not getattr(recipe, setting)})  # type: ignore[arg-type]
    others = {
        "positions": "none" if recipe.positions != "none" else "sinusoidal",
        "heads": 1 if recipe.heads != 1 else 4,
        "width": 32 if recipe.width != 32 else 128,
        "layers": 3 - recipe.layers,
        "seed": recipe.seed + 1,
    }
    # Heads are counted through: with other sizes a number would mean another head.
    off = () if setting in ("heads", "layers") else recipe.off
    return replace(recipe, off=off, **{setting: others[setting]})  # type: ignore[arg-type]


def verdict(frame: Frame) -> str:
    """Whether the task is solved at this moment, and whether a head shows how."""
    solved = frame.accuracy >= SOLVED
    if np.isnan(frame.readable):
        return "learnt" if solved else "unlearnt"
    readable = frame.readable >= READABLE
    return ("both" if readable else "solved") if solved else ("readable" if readable else "neither")


def arrays(films: Sequence[Film]) -> dict[str, object]:
    """The films as plain arrays, the second's under names of its own."""
    named = zip(("", "beside."), films, strict=False)
    return {f"{begin}{name}": values for begin, film in named for name, values in _arrays(film).items()}


def _arrays(film: Film) -> dict[str, object]:
    """A whole film: maps are (frames, layers, heads, rows, columns)."""
    told = curves(film.frames)._asdict()
    maps = {f"maps_{kind}": np.stack([each.maps[kind] for each in film.frames]) for kind in KINDS}
    return {
        **told, **maps,
        "looks": np.stack([each.looks for each in film.frames]),
        "written": [" ".join(each.written) for each in film.frames],
        "source": list(film.example.source), "target": list(film.example.target),
        "true": np.array([-1 if place is None else place for place in film.example.true]),
        "off": np.array(film.recipe.off, int).reshape(-1, 2),
    }  # fmt: skip
