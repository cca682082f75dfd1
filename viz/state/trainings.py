"""Small trainings that visitors watch: one at a time for the whole server, and the films of those that ended.

A thread of its own trains and never speaks to Streamlit. Pages ask again and again for what they show; a
training that nobody has asked for in a while is given up, and so is one that its visitor has left.
"""

import atexit
import os
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import uuid4

import streamlit as st

from model.training.toys.film import Film
from model.training.toys.lesson import Lesson
from model.training.toys.recipe import Place, Recipe
from viz.state.kept import Kept
from viz.state.turns import TURNS

FILMS = 24  # of about a megabyte at most
WAIT = 10.0  # seconds that the end of the server waits for a training's
PATIENCE = 6.0  # seconds without a question, after which a visitor has left
KINDLY = 10  # how much later than others the trainer gets its turn on a busy machine


class Seen(NamedTuple):
    """What there is of a training: its film so far, and how many others come before it."""

    film: Film | None
    ahead: int = 0

    @property
    def done(self) -> bool:
        return self.film is not None and self.film.done


@dataclass
class Job:
    recipe: Recipe
    watchers: dict[str, float] = field(default_factory=dict)  # when each of them last asked
    film: Film | None = None  # once it has begun
    next_step: int = 0  # of the frame that is being made
    coming: Recipe | None = None  # to go on by after that frame


class Trainings:
    """All trainings of this server."""

    def __init__(self, patience: float = PATIENCE, films: int = FILMS) -> None:
        self.patience, self.films = patience, Kept(films)
        self.lock = threading.Lock()
        self.jobs: list[Job] = []  # the first is under way
        self.worker: threading.Thread | None = None
        atexit.register(self.close)

    def follow(self, visitor: str, recipes: Sequence[Recipe]) -> list[Seen]:
        """Want these trainings and no others, and see how far they are."""
        with self.lock:
            self._forget(visitor, recipes)
            found = [self._seen(visitor, recipe) for recipe in recipes]
            if self.jobs and not (self.worker and self.worker.is_alive()):
                self.worker = threading.Thread(target=self._work, daemon=True, name="trainings")
                self.worker.start()
        return found

    def film_of(self, recipe: Recipe) -> Film | None:
        """What there is of a film, for somebody who does not mean to wait."""
        with self.lock:
            job = self._job(recipe)
            return self.films.get(recipe) or (job.film if job else None)

    def close(self) -> None:
        """The server ends: a thread that is cut off in the middle of a product brings down the process."""
        with self.lock:
            worker = self.worker
            for job in self.jobs:
                job.watchers.clear()
        if worker:
            worker.join(WAIT)

    def leave(self, visitor: str) -> None:
        with self.lock:
            self._forget(visitor, ())

    def switch(self, visitor: str, recipe: Recipe, place: Place, step: int | None) -> Recipe:
        """Switch a head off or on from the step after this one on; None: as soon as can be.

        Where only this visitor watches a training that is under way, it goes on with the head switched.
        Else the new recipe is a training of its own: up to that step it is the same, bit for bit. One that
        has ended begins anew, with the head off throughout.
        """
        with self.lock:
            if step is not None:
                return recipe.switched(place, step + 1)
            job = self._job(recipe)
            if job is None:
                return recipe.always(place)
            changed = (job.coming or job.recipe).switched(place, job.next_step + 1)
            if {*job.watchers} <= {visitor}:
                job.coming = changed
            return changed

    def _seen(self, visitor: str, recipe: Recipe) -> Seen:
        if film := self.films.get(recipe):
            return Seen(film)
        job = self._job(recipe)
        if job is None:
            job = Job(recipe)
            self.jobs.append(job)
        job.watchers[visitor] = time.monotonic()
        return Seen(job.film, self.jobs.index(job))

    def _job(self, recipe: Recipe) -> Job | None:
        return next((each for each in self.jobs if recipe in (each.recipe, each.coming)), None)

    def _forget(self, visitor: str, recipes: Sequence[Recipe]) -> None:
        for job in self.jobs:
            if job.recipe not in recipes and job.coming not in recipes:
                job.watchers.pop(visitor, None)

    def _work(self) -> None:
        """Train what is wanted, one after the other; when nothing is, this thread ends."""
        if sys.platform == "linux":  # elsewhere a thread has no priority of its own
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), KINDLY)
        while job := self._first():
            self._train(job)

    def _first(self) -> Job | None:
        """The first training that somebody still wants; this thread is done where there is none."""
        with self.lock:
            self.jobs = [job for job in self.jobs if self._wanted(job)]
            if not self.jobs:
                self.worker = None
            return self.jobs[0] if self.jobs else None

    def _wanted(self, job: Job) -> bool:
        return any(time.monotonic() - asked < self.patience for asked in job.watchers.values())

    def _train(self, job: Job) -> None:
        lesson = Lesson(job.recipe)
        job.film = lesson.film
        for frame in lesson.frames(TURNS.give_way):
            with self.lock:
                job.next_step = lesson.after(frame.step)
                if not self._wanted(job):
                    self.jobs.remove(job)
                    return
                if job.coming:
                    lesson.switch(job.coming)
                    job.recipe, job.coming, job.film = job.coming, None, lesson.film
        with self.lock:
            self.films.put(job.recipe, lesson.film)
            self.jobs.remove(job)


def follow(recipes: Sequence[Recipe]) -> list[Seen]:
    return _trainings().follow(_visitor(), recipes)


def film_of(recipe: Recipe) -> Film | None:
    return _trainings().film_of(recipe)


def switch(recipe: Recipe, place: Place, step: int | None) -> Recipe:
    return _trainings().switch(_visitor(), recipe, place, step)


def leave() -> None:
    _trainings().leave(_visitor())


def _visitor() -> str:
    return st.session_state.setdefault("visitor", uuid4().hex)


@st.cache_resource(show_spinner=False)
def _trainings() -> Trainings:
    return Trainings()
