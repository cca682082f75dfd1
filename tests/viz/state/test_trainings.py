"""One training at a time for all visitors: who waits sees it, who leaves frees it, films stay."""

import subprocess
import sys
import threading
import time

import pytest

from model.training.toys import lesson
from model.training.toys.recipe import Recipe
from tests.helpers.paths import ROOT
from viz.state.trainings import FILMS, Seen, Trainings

SMALL = Recipe(width=32, heads=2)
OTHER = Recipe(width=32, heads=2, seed=1)
LONG, SHORT = 100_000, 10
PLACE = ("cross", 0, 1)


@pytest.fixture
def long_films(monkeypatch):
    """Nobody waits for a film of a hundred thousand steps: it ends because somebody leaves."""
    _last(monkeypatch, LONG)


@pytest.fixture
def short_films(monkeypatch):
    _last(monkeypatch, SHORT)


def _last(monkeypatch, steps: int) -> None:
    begin = lesson.Lesson.__init__
    monkeypatch.setattr(lesson.Lesson, "__init__", lambda self, recipe: begin(self, recipe, steps))


def until(what, patience: float = 20.0):
    """What it gives, as soon as it is true."""
    end = time.monotonic() + patience
    while not (found := what()):
        assert time.monotonic() < end, what
        time.sleep(0.01)
    return found


def workers() -> list[threading.Thread]:
    return [each for each in threading.enumerate() if each.name == "trainings"]


def filmed(trainings: Trainings, visitor: str, recipe: Recipe) -> Seen:
    def seen() -> Seen | None:
        (found,) = trainings.follow(visitor, [recipe])
        return found if found.done else None

    return until(seen)


def frames(trainings: Trainings, visitor: str, recipe: Recipe) -> int:
    (seen,) = trainings.follow(visitor, [recipe])
    return len(seen.film.frames) if seen.film else 0


def test_a_finished_film_comes_at_once_and_to_everybody(short_films):
    trainings = Trainings()
    film = filmed(trainings, "one", SMALL).film
    assert [frame.step for frame in film.frames] == [0, 5, 10]
    (seen,) = trainings.follow("two", [SMALL])
    assert seen == Seen(film) and seen.done
    until(lambda: not workers())


def test_the_second_visitor_sees_the_place_and_then_the_film(long_films):
    trainings = Trainings()
    until(lambda: frames(trainings, "one", SMALL))
    assert trainings.follow("two", [OTHER]) == [Seen(None, ahead=1)]
    assert trainings.follow("three", [SMALL, OTHER])[1].ahead == 1
    assert len(workers()) == 1
    trainings.leave("one")
    trainings.leave("three")
    until(lambda: frames(trainings, "two", OTHER))
    assert trainings.follow("two", [OTHER])[0].ahead == 0
    trainings.leave("two")
    until(lambda: not workers())


def test_two_visitors_of_the_same_training_watch_one_film(long_films):
    trainings = Trainings()
    until(lambda: frames(trainings, "one", SMALL))
    (mine,), (yours,) = trainings.follow("one", [SMALL]), trainings.follow("two", [SMALL])
    assert mine.film is yours.film
    trainings.leave("one")
    before = frames(trainings, "two", SMALL)
    until(lambda: frames(trainings, "two", SMALL) > before)
    trainings.leave("two")
    until(lambda: not workers())


def test_whoever_asks_no_more_has_left(long_films):
    trainings = Trainings(patience=0.3)
    until(lambda: frames(trainings, "one", SMALL))
    until(lambda: not workers())
    assert not trainings.jobs


def test_whoever_asks_for_another_training_has_left_the_first(long_films):
    trainings = Trainings()
    until(lambda: frames(trainings, "one", SMALL))
    until(lambda: frames(trainings, "one", OTHER))
    assert [job.recipe for job in trainings.jobs] == [OTHER]
    trainings.leave("one")
    until(lambda: not workers())


def test_a_head_is_switched_while_it_trains(long_films):
    trainings = Trainings()
    until(lambda: frames(trainings, "one", SMALL) > 1)
    changed = trainings.switch("one", SMALL, PLACE, None)
    ((since, number),) = changed.off
    assert SMALL.places()[number] == PLACE
    until(lambda: trainings.follow("one", [changed])[0].film.frames[-1].silent)
    film = trainings.follow("one", [changed])[0].film
    assert film.recipe == changed
    # It went on and did not begin anew: the frames before stand there with the head on.
    assert [frame.silent == (PLACE,) for frame in film.frames] == [
        frame.step >= since for frame in film.frames
    ]
    assert len(trainings.jobs) == 1
    trainings.leave("one")
    until(lambda: not workers())


def test_nobody_switches_a_head_in_a_film_that_somebody_else_watches(long_films):
    trainings = Trainings()
    until(lambda: frames(trainings, "one", SMALL))
    trainings.follow("two", [SMALL])
    changed = trainings.switch("one", SMALL, PLACE, None)
    assert trainings.follow("one", [changed]) == [Seen(None, ahead=1)]
    before = frames(trainings, "two", SMALL)
    until(lambda: frames(trainings, "two", SMALL) > before)
    assert not trainings.follow("two", [SMALL])[0].film.frames[-1].silent
    trainings.leave("one")
    trainings.leave("two")
    until(lambda: not workers())


def test_a_switch_at_a_moment_or_after_the_end_is_a_training_of_its_own(short_films):
    trainings = Trainings()
    filmed(trainings, "one", SMALL)
    assert trainings.switch("one", SMALL, PLACE, 5).off == ((6, 5),)
    assert trainings.switch("one", SMALL, PLACE, None).off == ((1, 5),)
    assert trainings.film_of(SMALL).done and trainings.film_of(OTHER) is None


def test_only_so_many_films_are_kept(short_films):
    trainings = Trainings(films=1)
    filmed(trainings, "one", SMALL)
    filmed(trainings, "one", OTHER)
    assert trainings.film_of(SMALL) is None and trainings.film_of(OTHER).done


def test_all_films_together_are_small(short_films):
    """Even the largest, and as many as are kept: they fit into what one visitor may take."""
    recipe = Recipe(task="dates", layers=2, heads=8)
    film = filmed(Trainings(), "one", recipe).film
    size = sum(each.nbytes for each in film.frames[0].maps.values())
    moments = len([*lesson.moments(recipe.learnt().steps)])
    assert FILMS * moments * size < 25 * 2**20


ENDING = """
import time
from model.training.toys.recipe import Recipe
from viz.state.trainings import Trainings
here = Trainings()
here.follow("somebody", [Recipe("dates")])
time.sleep(1)
"""


def test_the_end_of_the_server_waits_for_the_training_to_stop():
    """Cut off in the middle of a product, its thread would bring down the process with an error."""
    ended = subprocess.run(
        [sys.executable, "-c", ENDING], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 0 and "terminate" not in ended.stderr, ended.stderr
