"""What the film shows just now: a sentence, a head, a moment; and when every head of the film appears."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import streamlit as st

from model.network.kinds import KINDS
from viz.figures.labels import readable
from viz.figures.numbers import count
from viz.pages.training.numbers import film as numbers
from viz.state.causal import Where
from viz.state.films import Film, current_film
from viz.state.models import by_its_model
from viz.state.selection import Selection
from viz.text import Say

Named = list[tuple[int, Where]]  # heads that have a name, in the order of the moments at which they appear


@dataclass(frozen=True)
class Scene:
    """One sentence of the film and one head, at a moment."""

    film: Film
    number: int  # of the sentence
    moment: int
    here: Selection

    @property
    def head(self) -> Where:
        return self.here.kind, self.here.layer, self.here.head[0]

    @property
    def maps(self) -> np.ndarray:  # (M, H, Q, K), weight × 255
        return self.film.arrays[f"{self.here.kind}.{self.number}"][:, self.here.layer]

    @property
    def seen(self) -> np.ndarray:  # (Q, K), True = may look
        every = np.ones(self.maps.shape[-2:], bool)
        return np.tril(every) if self.here.kind == "decoder" else every

    @property
    def written(self) -> list[str]:
        """The translation of each moment."""
        return self.film.arrays["translations"][:, self.number].tolist()

    @cached_property
    def steps(self) -> list[str]:
        return [count(step) for step in self.film.steps]

    def sides(self, speak: Say) -> tuple[list[str], list[str], tuple[str, str]]:
        """Rows, columns, and what both are called. The columns of masked attention are what was read."""
        words = {
            side: [readable(piece, speak) for piece in self.film.arrays[f"{side}_pieces.{self.number}"]]
            for side in ("source", "read", "predicted")
        }
        kind, reading = self.here.kind, self.here.reading
        looked_at = speak("axis.target.key" if kind == "decoder" else "training.film.looked_at")
        columns = words["read" if kind == "decoder" else "source"]
        if kind == "encoder":
            return columns, columns, (speak("training.film.looks"), looked_at)
        return words[reading], columns, (speak(f"axis.target.{reading}"), looked_at)


class Came(NamedTuple):
    """How a head came about: the moment it appeared, if it ever moved, and how far it moved in all."""

    moment: int | None
    far: float


@st.cache_resource(show_spinner=False, max_entries=2)
@by_its_model
def coming(checkpoint: str) -> dict[Where, Came]:
    """How every head of the film came about."""
    filmed = current_film()
    if filmed is None:
        return {}
    found = {}
    for kind in KINDS:
        first, last = numbers.way(filmed.arrays, kind)
        for layer, head in np.ndindex(first.shape[1:]):
            moment = numbers.appears(first[:, layer, head], last[:, layer, head])
            found[kind, layer, head] = Came(moment, float(first[-1, layer, head]))
    return found
