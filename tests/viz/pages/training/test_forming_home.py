"""A small training to take home as a film, and what each of its settings teaches."""

from dataclasses import replace

import numpy as np
import pytest

from model.training.toys.film import Film
from model.training.toys.lesson import Lesson
from model.training.toys.recipe import HEADS, POSITIONS, SWITCHES, WIDTHS, Recipe
from viz.pages.training.figures.forming.film import MOMENTS, frames
from viz.pages.training.panels.forming.lessons import lessons
from viz.text import translate

say = translate("en")
USUAL = Recipe()
CHANGES = [
    *({name: not getattr(USUAL, name)} for name in SWITCHES),
    *({"positions": each} for each in POSITIONS[1:]),
    *({"heads": each} for each in HEADS if each != USUAL.heads),
    *({"width": each} for each in WIDTHS if each != USUAL.width), {"layers": 2}, {"off": ((1, 2),)},
]  # fmt: skip


@pytest.fixture(scope="module")
def film() -> Film:
    made = Lesson(Recipe(width=32, heads=2), 10)
    assert [*made.frames()]
    return made.film


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_the_film_to_take_home_shows_every_head_from_the_first_frame_to_the_last(film, kind):
    made = frames(film, kind, say)
    assert made.maps.shape == (len(film.frames), len(made.queries), len(made.keys))
    columns = film.frames[0].maps[kind].shape[-1]
    for moment, head in ((0, 0), (-1, 1)):
        place = slice(head * (columns + 1), head * (columns + 1) + columns)
        np.testing.assert_array_equal(made.maps[moment][:, place], film.frames[moment].maps[kind][0, head])
    assert not made.seen[:, columns].any() and made.keys[columns] == ""
    assert made.seen[0, :columns].sum() == (1 if kind == "decoder" else columns)
    assert (made.places[0], made.places[-1]) == (0, 1)
    assert all(str(each.step) in lines[0] for each, lines in zip(film.frames, made.lines, strict=True))


def test_of_many_heads_the_film_to_take_home_shows_those_that_look_best(film):
    looks, maps = np.array([[0.1, 0.9, 0.3, 0.2, 0.4, 0.0]]), np.arange(6.0).reshape(1, 6, 1, 1)
    every = {kind: maps.repeat(7, 2).repeat(7, 3) for kind in ("encoder", "decoder", "cross")}
    many = replace(film, frames=[replace(film.frames[0], looks=looks, maps=every)])
    shown = {kind: frames(many, kind, say).maps[0, 0, ::8].tolist() for kind in ("encoder", "cross")}
    assert shown == {"encoder": [0, 1, 2, 3], "cross": [1, 2, 3, 4]}


def test_a_long_film_is_thinned_for_its_file(film):
    long = replace(film, frames=[replace(film.frames[0], step=step) for step in range(0, 400, 5)], steps=395)
    made = frames(long, "cross", say)
    assert len(made.maps) == MOMENTS
    assert (made.places[0], made.places[-1]) == (0, 1)


@pytest.mark.parametrize("changed", CHANGES, ids=str)
def test_every_setting_teaches_something(changed):
    assert lessons([USUAL], say) == ""
    other = replace(USUAL, **changed)
    taught = lessons([USUAL, other], say)
    assert taught == lessons([other, other], say) != ""
    assert "{" not in taught
