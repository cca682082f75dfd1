"""What a page declares about itself: its name, what can be chosen on it, and what keys step through."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from viz.state.choices import Choices


@dataclass(frozen=True)
class Page:
    """One page; its name stands in the link, in the words' keys and as its folder's name."""

    name: str
    choices: type[Choices]
    steps: str  # the field, its own or a shared one, that the presenter's keys step through
    heads: bool | Callable[[], bool] = False  # whether it looks at the chosen head: then it is named above
    stepped: Callable[[], str] | None = None  # that field, where it depends on what is shown
    always_steps: bool = False  # whether keys step through it outside the presenter's view as well
    places: Callable[[], tuple[Sequence, object]] | None = None  # its options and the shown one, by sentence
    shows: Callable[[], str] | None = None  # the part of the model (viz/figures/miniature.py); else the kind

    @property
    def names_head(self) -> bool:
        return self.heads() if callable(self.heads) else self.heads
