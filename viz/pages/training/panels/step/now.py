"""The pair that is learned, the row and the head that are looked at, and the box for a translation."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import streamlit as st

from model.inspect.variants import Head
from model.network.batches import read_ids
from model.training.one_step.losses import Losses, losses
from model.training.one_step.pair import Pair
from viz.figures.labels import readable
from viz.frame.presenter import presenting
from viz.pages.training import Training
from viz.state import learning, runs
from viz.state.language import say
from viz.state.session import chosen, selection
from viz.text import verbatim
from viz.widgets.typed import last_readable, leave_behind, refusal, target_language

KEY = "answer"


@dataclass(frozen=True)
class Now:
    pair: Pair
    typed: str | None  # the translation, where it is somebody's own
    asked: Training

    @cached_property
    def log_probs(self) -> np.ndarray:  # (T, V)
        return learning.predictions_of(self.pair)

    @cached_property
    def losses(self) -> Losses:
        return losses(self.log_probs, self.pair.target)

    @property
    def row(self) -> int:
        """The row that is looked at: where nobody has chosen, the one whose right piece is least likely."""
        asked = selection().row
        return int(self.losses.plain.argmax()) if asked is None else min(asked, len(self.pair.target) - 1)

    @property
    def head(self) -> Head:
        here = selection()
        return Head(here.kind, here.layer, here.head[0])

    @property
    def must(self) -> tuple[str, ...]:
        return spelled(self.pair.target)

    @property
    def reads(self) -> tuple[str, ...]:
        return spelled(read_ids(self.pair.target))

    @property
    def source(self) -> tuple[str, ...]:
        pieces = runs.translator().tokenizer.tokens(self.pair.source).pieces
        return tuple(readable(piece, say) for piece in pieces)


def spelled(ids: tuple[int, ...]) -> tuple[str, ...]:
    """Tokens as readers see them, each on its own."""
    return tuple(readable(piece, say) for piece in runs.translator().tokenizer.choices(ids))


def write_pair() -> Now | None:
    """The box, and the pair to learn from; None where the pair is too long, which is said."""
    sentence = st.session_state.shown
    leave_behind(KEY, sentence)
    own = runs.translation_of(runs.current_trace())
    typed = st.session_state[KEY] if presenting() else _box(own.text)
    text = last_readable(KEY, sentence, typed, learning.LONGEST)
    if presenting() and text:
        st.caption(verbatim(text))  # the headline has the model's own
    if refused := refusal(typed, learning.LONGEST):
        st.warning(verbatim(refused))
    ids = own.ids if text is None else runs.translator().read_target(text).ids
    pair = learning.pair_of(sentence, ids)
    longest = max(map(len, pair))
    if longest > learning.LONGEST:
        st.info(say("training.step.too_long", longest=learning.LONGEST, tokens=longest))
        return None
    return Now(pair, text, chosen(Training))


def _box(own: str) -> str:
    """What somebody typed; beside it, what is learned from as long as that is nothing."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom", key="step_pair"):
        typed = st.text_input(
            say("training.step.answer", language=target_language()), key=KEY, placeholder=own, width=560,
        )  # fmt: skip
        st.caption(say("training.step.typed" if typed.strip() else "training.step.own"), width="stretch")
    return typed
