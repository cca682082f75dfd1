"""The film of this checkpoint's training, shared by all visitors: its moments, and curves through them."""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import streamlit as st

from model.checkpoint import find
from model.training.film import read_film
from viz.figures.film import Histories
from viz.state import runs


class Film(NamedTuple):
    """What was recorded; model/training/film.py says which arrays there are."""

    arrays: Mapping[str, np.ndarray]
    histories: Histories

    @property
    def steps(self) -> list[int]:
        return self.arrays["steps"].tolist()

    @property
    def sentences(self) -> list[str]:
        return self.arrays["sources"].tolist()

    def moment(self, asked: int | None) -> int:
        """The moment that somebody asked for; the last one where nobody did."""
        last = len(self.arrays["steps"]) - 1
        return last if asked is None else min(last, asked)


def current_film() -> Film | None:
    """None: nobody filmed how this checkpoint was trained."""
    return _film(runs.checkpoint())


@st.cache_resource(show_spinner=False, max_entries=2)
def _film(name: str) -> Film | None:
    path, log = (find(name) / each for each in ("film.npz", "log.jsonl"))
    if not path.exists():
        return None
    arrays, lines = read_film(path), log.read_text("utf-8").splitlines() if log.exists() else ()
    return Film(arrays, histories(arrays, [*map(json.loads, lines)]))


def histories(film: Mapping[str, np.ndarray], log: Sequence[Mapping[str, float]]) -> Histories:
    """Loss, BLEU and learning rate by step: at each moment of the film, and between them as the log tells.

    A run in parts warms up more than once: a line from moment to moment alone would hide it.
    """
    keys = {"loss": ("dev_losses", "dev_loss"), "bleu": ("bleus", "bleu"), "rate": ("rates", "rate")}
    found = {}
    for name, (filmed, logged) in keys.items():
        told = {int(line["step"]): line[logged] for line in log if logged in line}
        moments = zip(film["steps"].tolist(), film[filmed].tolist(), strict=True)
        found[name] = dict(sorted((told | dict(moments)).items()))
    return found
