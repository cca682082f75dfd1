"""The translation that this visitor follows, the step looked at, and the ways to move both."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import streamlit as st

from viz.figures.labels import SPACE, readable
from viz.pages.decoding import Decoding, steps
from viz.state import decodings, runs
from viz.state.decodings import Forced, Path
from viz.state.language import say
from viz.state.session import chosen, select

CHOSEN_FOR = "decoding_chosen_for"  # the sentence that was last on screen here, and what was chosen in it


@dataclass(frozen=True)
class Here:
    path: Path  # the translation on screen, perhaps with tokens that somebody forced
    at: int  # the step: it has read that many tokens of the path and chooses the next
    asked: Decoding

    @property
    def text(self) -> str:
        return self.path.text

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The token that each step wrote, as readers see it."""
        return spelled(self.path.ids)

    @property
    def left_out(self) -> bool:
        """Whether tokens were to be forced that nobody can write there: only a link asks for such."""
        return tuple(sorted(self.asked.forced)) != self.path.forced

    @property
    def log_probs(self) -> np.ndarray:
        """Of all tokens at this step, (V)."""
        return self.path.log_probs[self.at]


def here() -> Here:
    _leave_behind(st.session_state.shown)
    asked = chosen(Decoding)
    return Here(decodings.current_path(asked.forced), steps()[1], asked)


def _leave_behind(sentence: str) -> None:
    """A step, a node and forced tokens belong to their sentence: another one begins as the model writes it.

    What was chosen anew together with the sentence, by undo or by an example, stays.
    """
    usual = Decoding()
    if chosen(Decoding).decoding != "steps" or st.session_state.get(CHOSEN_FOR, (sentence,))[0] != sentence:
        st.session_state["playing"] = False  # whoever has gone on to something else is not watching
    kept = {name: getattr(chosen(Decoding), name) for name in ("at", "forced", "node")}
    before, then = st.session_state.get(CHOSEN_FOR, (sentence, kept))
    left = [name for name in kept if before != sentence and kept[name] == then[name] != getattr(usual, name)]
    if left:
        select(**{name: getattr(usual, name) for name in left})
        *past, last = st.session_state.past
        st.session_state.past = [*past, {name: last[name] for name in last if name not in left}]
        kept = {name: getattr(chosen(Decoding), name) for name in kept}
    st.session_state[CHOSEN_FOR] = sentence, kept


def spelled(ids: tuple[int, ...] | list[int]) -> tuple[str, ...]:
    """Tokens as readers see them, each on its own."""
    return tuple(readable(piece, say) for piece in runs.translator().tokenizer.choices(ids))


def go_to(step: int) -> None:
    """Look at another step. Only in a callback."""
    select(at=max(0, step))


def force(step: int, *ids: int) -> None:
    """Write these tokens from this step on; what was forced later is forgotten. Only in a callback."""
    before: Forced = tuple((place, id) for place, id in chosen(Decoding).forced if place < step)
    select(forced=(*before, *((step + more, id) for more, id in enumerate(ids))), at=step)


def take_back() -> None:
    """Forget the last word that was chosen, with all its tokens."""
    *kept, (last, id) = sorted(chosen(Decoding).forced) or [(0, 0)]
    while kept and kept[-1][0] == last - 1 and _goes_on(id):
        last, id = kept.pop()
    select(forced=tuple(kept), at=last)


def _goes_on(id: int) -> bool:
    """Whether a token is no beginning: it stands inside a word."""
    (piece,) = runs.translator().tokenizer.spelled([id])
    return not piece.startswith(SPACE) and piece[:1].isalnum()


def let_go() -> None:
    """As the model would have written it."""
    select(forced=())


def pick_step(view: str) -> None:
    """A click on a drawing whose picks are steps."""
    picked = st.session_state[view]["pick"]
    if isinstance(picked, int):
        go_to(picked)
