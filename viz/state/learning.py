"""One step of training on a pair, computed once for all visitors; only norms and small arrays are kept.

The engine lets one caller in at a time, so that thirty visitors do not copy the weights at once.
"""

import numpy as np
import streamlit as st

from model.inspect.variants import Head
from model.training.one_step.adam import scheduled
from model.training.one_step.difference import Difference, difference
from model.training.one_step.gradients import Part, Reached, part_of, reached
from model.training.one_step.pair import Pair, predictions
from model.training.one_step.taken import Taken, take_steps
from viz.state import runs, searches
from viz.state.models import by_its_model

LONGEST = 64  # pieces of either side; longer pairs take longer than one waits for a click
OTHERS = 12  # sentences that nobody learns from
MANY = 10  # steps


def pair_of(text: str, ids: tuple[int, ...]) -> Pair:
    return Pair(runs.translator().read(text).ids, ids)


def rate_at(step: int) -> float:
    """The learning rate that the paper's schedule gives a model of this width."""
    return scheduled(step, runs.translator().config.width)


def predictions_of(pair: Pair) -> np.ndarray:
    """Log-probabilities of all pieces at every row, (T, V), read-only."""
    return _predictions(runs.checkpoint(), pair)


def reached_of(pair: Pair) -> Reached:
    return _reached(runs.checkpoint(), pair)


def learned_part(pair: Pair, head: Head, matrix: str) -> Part:
    return _part(runs.checkpoint(), pair, head, matrix)


def difference_of(pair: Pair, head: Head, matrix: str, place: tuple[int, int]) -> Difference:
    return _difference(runs.checkpoint(), pair, head, matrix, place)


def taken_of(pair: Pair, step: int, steps: int) -> Taken:
    """One step at the rate of this step of the schedule, or many where more than one was asked for."""
    return _taken(runs.checkpoint(), pair, rate_at(step), 1 if steps <= 1 else MANY)


def others_of(pair: Pair) -> list[Pair]:
    """Pairs of our own that are not this one; none where we have none in these languages."""
    found = (
        pair_of(text, runs.translator().read_target(right[0]).ids)
        for text, right in searches.everyday().items()
    )
    return [each for each in found if each.source != pair.source][:OTHERS]


@st.cache_resource(show_spinner=False, max_entries=16)
@by_its_model
def _predictions(name: str, pair: Pair) -> np.ndarray:
    found = predictions(runs.translator().model, pair)
    found.setflags(write=False)
    return found


@st.cache_resource(show_spinner=False, max_entries=16)
@by_its_model
def _reached(name: str, pair: Pair) -> Reached:
    return reached(runs.translator().model, pair)


@st.cache_resource(show_spinner=False, max_entries=32)
@by_its_model
def _part(name: str, pair: Pair, head: Head, matrix: str) -> Part:
    return part_of(runs.translator().model, pair, head, matrix)


@st.cache_resource(show_spinner=False, max_entries=256)
@by_its_model
def _difference(name: str, pair: Pair, head: Head, matrix: str, place: tuple[int, int]) -> Difference:
    return difference(runs.translator().model, pair, head, matrix, place)


@st.cache_resource(show_spinner=False, max_entries=16)
@by_its_model
def _taken(name: str, pair: Pair, rate: float, steps: int) -> Taken:
    return take_steps(runs.translator().model, pair, rate, steps, others_of(pair))
