"""A film is a function of its recipe, and every switch of a recipe really acts while it trains."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from model.inspect.edits import Scale
from model.network.kinds import KINDS, sides
from model.training.toys.film import Frame
from model.training.toys.lesson import HELD_OUT, Lesson
from model.training.toys.recipe import HEADS, LAYERS, POSITIONS, WIDTHS, Recipe

STEPS = 10
SMALL = Recipe(width=32, heads=2)


def filmed(recipe: Recipe, steps: int = STEPS):
    lesson = Lesson(recipe, steps)
    assert [*lesson.frames()] == lesson.film.frames
    assert lesson.film.done
    return lesson


def same(first, second) -> bool:
    return (first.loss, first.accuracy, first.written) == (
        second.loss,
        second.accuracy,
        second.written,
    ) and all(np.array_equal(first.maps[kind], second.maps[kind]) for kind in KINDS)


def test_the_same_recipe_gives_the_same_film_whatever_else_is_drawn():
    first = filmed(SMALL)
    torch.manual_seed(7)
    torch.rand(3)
    again = filmed(SMALL)
    assert [frame.step for frame in first.film.frames] == [0, 5, 10]
    assert all(map(same, first.film.frames, again.film.frames))
    for weight, other in zip(first.model.parameters(), again.model.parameters(), strict=True):
        assert torch.equal(weight, other)


def test_nothing_else_is_drawn_from():
    before = torch.get_rng_state()
    Lesson(SMALL, 0).look(0)
    drawn = torch.rand(1)
    torch.set_rng_state(before)
    Lesson(SMALL, 0)
    assert torch.equal(torch.rand(1), drawn)  # a model always draws as much, and training draws nothing


def test_another_seed_gives_another_film():
    first, other = filmed(SMALL), filmed(replace(SMALL, seed=1))
    assert not same(first.film.frames[0], other.film.frames[0])
    assert first.held_out == other.held_out  # what is measured on is the same


def test_what_is_measured_on_is_never_trained_on():
    lesson = Lesson(SMALL, 1)
    seen = {lesson._fresh_example() for _ in range(3_000)}
    assert len(lesson.held_out) == HELD_OUT
    assert not seen & {*lesson.held_out, lesson.task.shown}


CHANGES = [
    *({"layers": each} for each in LAYERS[1:]), *({"heads": each} for each in HEADS if each != 2),
    *({"width": each} for each in WIDTHS[1:]), *({"positions": each} for each in POSITIONS[1:]),
    {"scaled": False}, {"residual": False}, {"norm": False}, {"warm": False}, {"smoothed": True},
    {"off": ((1, 0),)},
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_every_setting_makes_another_film_of_finite_numbers(change):
    usual, changed = (filmed(each, 3).film.frames[-1] for each in (SMALL, replace(SMALL, **change)))
    assert np.isfinite(changed.loss)
    assert changed.loss != usual.loss


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_every_map_sum_to_one_and_fit_the_example(kind):
    lesson = filmed(replace(SMALL, layers=2), 1)
    example, maps = lesson.film.example, lesson.film.frames[-1].maps[kind]
    rows, columns = sides(len(example.source) + 1, len(example.target) + 1)[kind]
    assert maps.shape == (2, 2, rows, columns)
    np.testing.assert_allclose(maps.astype(float).sum(-1), 1, atol=2e-3)


def test_a_head_that_is_off_contributes_nothing_and_learns_nothing():
    """What it would pass on is its slice of W_V: without a way out there is no gradient either."""
    off = SMALL.switched(("cross", 0, 1), 1)
    lesson = Lesson(off, 3)
    before = lesson.model.attention(KINDS["cross"].format(0)).to_value.weight.detach().clone()
    assert [*lesson.frames()]
    after = lesson.model.attention(KINDS["cross"].format(0)).to_value.weight.detach()
    half = off.width // off.heads
    assert torch.equal(after[half:], before[half:])
    assert not torch.equal(after[:half], before[:half])
    assert off.edits(1) == [Scale(KINDS["cross"].format(0), 1)] and not off.edits(0)


def test_a_head_switched_while_it_trains_gives_the_film_of_the_recipe_that_says_so():
    lesson = Lesson(SMALL, STEPS)
    frames = lesson.frames()
    next(frames), next(frames)
    changed = SMALL.switched(("decoder", 0, 0), 6)
    lesson.switch(changed)
    assert [*frames]
    assert lesson.film.recipe == changed
    planned = filmed(changed)
    assert all(map(same, lesson.film.frames, planned.film.frames))
    assert planned.film.frames[-1].silent == (("decoder", 0, 0),)
    assert planned.film.frames[1].silent == ()
    assert same(planned.film.frames[1], filmed(SMALL).film.frames[1])
    assert not same(planned.film.frames[2], filmed(SMALL).film.frames[2])


def test_a_head_can_be_switched_on_again():
    place = ("encoder", 0, 1)
    twice = SMALL.switched(place, 3).switched(place, 6)
    assert [twice.silent(step) for step in (2, 3, 5, 6)] == [(), (place,), (place,), ()]
    assert SMALL.switched(place, 3).switched(place, 3) == SMALL
    assert SMALL.always(place).silent(1) == (place,) and twice.always(place) == SMALL


def test_without_positions_a_shuffled_source_is_the_same_source():
    """Why reversing cannot be learnt then: of two orders of the same letters, neither is known."""
    lesson = Lesson(replace(SMALL, task="reverse", positions="none"), 1)
    letters = torch.tensor([[5, 6, 7, 8]])
    read = torch.tensor([[1, 9, 10]])
    moved = lesson.model(letters[:, [2, 0, 3, 1]], read)
    torch.testing.assert_close(lesson.model(letters, read), moved)
    usual = Lesson(replace(SMALL, task="reverse"), 1).model
    assert not torch.allclose(usual(letters, read), usual(letters[:, [2, 0, 3, 1]], read), atol=1e-3)


def test_a_list_of_ones_own_is_learnt_by_heart_and_has_no_true_positions():
    own = Recipe(task="own", pairs="안녕 = hello\n고마워 = thank you\n잘 자 = good night", seed=3)
    film = filmed(own, 60).film
    assert film.frames[-1].accuracy == 1 > film.frames[0].accuracy
    assert film.frames[-1].written == film.example.target
    assert np.isnan(film.frames[-1].readable)
    assert film.first("accuracy") is not None and film.first("readable") is None


@pytest.mark.slow
def test_the_toy_grammar_is_solved_and_readable_and_needs_positions():
    film = filmed(Recipe(), 200).film
    assert film.first("accuracy") and film.first("readable")
    assert film.frames[-1].written == film.example.target
    lost = filmed(Recipe(positions="none"), 200).film
    assert lost.first("accuracy") is None


def test_a_head_that_is_off_is_never_the_one_that_shows_how():
    looks = np.array([[0.4, 0.97, 0.8]])
    off = Frame(1, 0.1, 1.0, looks, (), {}, (("cross", 0, 1), ("encoder", 0, 2)))
    assert (off.readable, off.best) == (0.8, (0, 2))
    assert (replace(off, silent=()).readable, replace(off, silent=()).best) == (0.97, (0, 1))
    assert np.isnan(replace(off, looks=np.full((1, 3), np.nan)).readable)
