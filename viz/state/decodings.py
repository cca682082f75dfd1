"""Other ways to write the translation of a sentence, computed once for all visitors.

A path is the greedy translation in which somebody may have forced tokens: each as its step and its id.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import streamlit as st
import torch

from model import Trace, Translator
from model.decoding.beam import Beam
from model.decoding.remembered import Measured, measure
from model.decoding.search import UNWRITTEN, Hypothesis, Sampling, chances, length_penalty
from viz.state import runs
from viz.state.models import by_its_model

Forced = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Path:
    """A translation as it was written: with every step's whole distribution."""

    text: str  # the source sentence
    forced: Forced  # those that could be followed
    written: Hypothesis
    log_probs: np.ndarray  # (steps, V), read-only

    @property
    def ids(self) -> tuple[int, ...]:
        return self.written.ids

    @cached_property
    def hesitant(self) -> int:
        """The step at which the translation was likeliest to go another way: its second best is likeliest.

        Not where the best is least likely: what it loses may lie on thousands of tokens.
        """
        return int(np.partition(self.log_probs, -2, axis=-1)[:, -2].argmax())

    @property
    def trace(self) -> Trace:
        """Where every head looked while this was written."""
        if not self.forced:
            return runs.trace_of(self.text)
        return runs.edited_trace(self.text, (), self.ids)

    @property
    def chosen_steps(self) -> tuple[int, ...]:
        """The steps at which somebody chose."""
        return tuple(step for step, _ in self.forced)


def current_path(forced: Forced = ()) -> Path:
    """Of the sentence that is on screen."""
    return path_of(st.session_state.shown, forced)


def path_of(text: str, forced: Forced = ()) -> Path:
    """The translation of a sentence with these tokens forced; one that lies beyond its end is left out."""
    return _path(runs.checkpoint(), text, tuple(sorted(forced)))


def beam_of(text: str, size: int, penalty: float) -> Beam:
    """The recorded search. The penalty ranks what was found and changes nothing before: no second search."""
    found = _beam(runs.checkpoint(), text, size)
    scored = [
        replace(each, score=sum(each.log_probs) / length_penalty(len(each.ids), penalty))
        for each in found.hypotheses
    ]
    ranked = sorted(scored, key=lambda each: (not each.finished, -each.score))
    return replace(found, hypotheses=tuple(ranked))


def given_of(text: str, ids: tuple[int, ...]) -> np.ndarray:
    """What the model says at each step of a translation that is given: log-probabilities, (steps, V)."""
    return _given(runs.checkpoint(), text, ids)


def draws_of(text: str, sampling: Sampling, count: int, prefix: tuple[int, ...] = ()) -> list[Hypothesis]:
    """As many translations, drawn at random with seeds that count up from the sampling's."""
    return _draws(runs.checkpoint(), text, sampling, count, prefix)


def measured_of(path: Path) -> Measured:
    """What each step takes, with the KV cache and without: measured once, for all visitors."""
    return _measured(runs.checkpoint(), path.text, path.ids)


def measure_again(path: Path) -> None:
    _measured.clear(runs.checkpoint(), path.text, path.ids)


def chances_of(log_probs: np.ndarray, sampling: Sampling) -> np.ndarray:  # (V)
    """How likely each token is to be drawn, by the arithmetic that draws it."""
    return chances(torch.tensor(log_probs), sampling).numpy()


@st.cache_resource(show_spinner=False, max_entries=64)
@by_its_model
def _path(name: str, text: str, forced: Forced) -> Path:
    translator = runs.translator()
    if not forced:
        written = runs.translation_of(runs.trace_of(text))
    else:
        earlier, last = _last_in_a_row(forced)
        before, (step, ids) = _path(name, text, earlier), last
        if step >= len(before.ids) or not _can_be_written(translator, step, ids):
            return before
        written = translator.translate(text, prefix=(*before.ids[:step], *ids))
        forced = (*before.forced, *forced[len(earlier) :])
    log_probs = translator.distributions(text, written.ids)
    log_probs.setflags(write=False)
    return Path(text, forced, written, log_probs)


def _can_be_written(translator: Translator, step: int, ids: tuple[int, ...]) -> bool:
    """Whether the model could write these tokens from this step on; a link may ask for any."""
    known = max(ids) < len(translator.tokenizer) and not set(ids) & set(UNWRITTEN)
    return known and step + len(ids) < translator.config.length


def _last_in_a_row(forced: Forced) -> tuple[Forced, tuple[int, tuple[int, ...]]]:
    """What was forced before, and the last choice: where it begins, and its tokens.

    >>> _last_in_a_row(((1, 70), (4, 20), (5, 21)))
    (((1, 70),), (4, (20, 21)))
    """
    first = len(forced) - 1
    while first and forced[first - 1][0] == forced[first][0] - 1:
        first -= 1
    return forced[:first], (forced[first][0], tuple(id for _, id in forced[first:]))


@st.cache_resource(show_spinner=False, max_entries=64)
@by_its_model
def _beam(name: str, text: str, size: int) -> Beam:
    return runs.translator().search(text, size=size)


@st.cache_resource(show_spinner=False, max_entries=64)
@by_its_model
def _given(name: str, text: str, ids: tuple[int, ...]) -> np.ndarray:
    log_probs = runs.translator().distributions(text, ids)
    log_probs.setflags(write=False)
    return log_probs


@st.cache_resource(show_spinner=False, max_entries=128)
@by_its_model
def _draws(name: str, text: str, sampling: Sampling, count: int, prefix: tuple[int, ...]) -> list[Hypothesis]:
    return runs.translator().draw(text, sampling, count, prefix)


@st.cache_resource(show_spinner=False, max_entries=64)
@by_its_model
def _measured(name: str, text: str, ids: tuple[int, ...]) -> Measured:
    translator = runs.translator()
    return measure(translator.model, translator.read(text).ids, ids)
