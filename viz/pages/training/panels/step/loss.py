"""The loss: what each row must predict, what that costs, and where it pulls."""

import math

import numpy as np
import streamlit as st

from model.training.one_step import SMOOTHING
from model.training.one_step.losses import wanted
from viz.components import drawing
from viz.figures.numbers import compact, fixed
from viz.frame.presenter import presenting
from viz.pages.training.figures.step import loss as figures
from viz.pages.training.numbers import step as numbers
from viz.pages.training.panels.step.now import Now, spelled
from viz.state.language import say
from viz.state.session import select
from viz.text import verbatim
from viz.widgets.panel import Panel

ROWS, PULLS = "step_rows_view", "step_pulls_view"


def show(now: Now) -> Panel:
    found, at = now.losses, now.row
    pulls = numbers.pulls(now.log_probs[at], now.pair.target[at])
    labels = spelled(pulls.ids)
    rows = figures.rows(found, now.reads, now.must, at, say)
    pulled = figures.pulled(pulls, labels, say)
    finding, about = _finding(now), _pulled(now, pulls.values[0])
    left, right = st.columns([1.7, 1], gap="medium")
    with left:
        drawing.show(rows, key=ROWS, on_pick=_pick)
        st.text(finding)
    with right:
        st.markdown(say("training.step.pulls.of", row=at + 1, must=verbatim(now.must[at])))
        drawing.show(pulled, key=PULLS)
        st.text(about)
        if not presenting():
            st.caption(say("training.step.pulls.how"))
    arrays = {
        "reads": list(now.reads), "must_predict": list(now.must), "id": np.array(now.pair.target),
        "p": np.exp(-found.plain), "minus_log_p": found.plain, "smoothed_loss": found.smoothed,
        "floor": found.floor, "smoothing": SMOOTHING, "row": at, "pulled_tokens": [*labels, "others"],
        "p_minus_q": np.array([*pulls.values, pulls.rest]),
    }  # fmt: skip
    said = {"step_rows": finding, "step_pulls": f"{about} {say('training.step.pulls.how')}"}
    pictures = {"step_rows": rows, "step_pulls": pulled}
    return Panel(pictures, arrays, finding, say("training.step.pulls.how"), said=said)


def _finding(now: Now) -> str:
    """What the rows cost together, and which right piece is least likely."""
    found, worst = now.losses, int(now.losses.plain.argmax())
    return say(
        "training.step.loss.finding", loss=fixed(float(found.smoothed.mean())), floor=fixed(found.floor),
        plain=fixed(float(found.plain.mean())), must=now.must[worst], read=now.reads[worst],
        chance=_chance(math.exp(-found.plain[worst])),
    )  # fmt: skip


def _pulled(now: Now, pull: float) -> str:
    """Whether the right piece is pushed up, or down because the model is surer than it should be."""
    right, _ = wanted(now.log_probs.shape[-1])
    chance = math.exp(now.log_probs[now.row, now.pair.target[now.row]])
    key = "training.step.pulls.up" if pull < 0 else "training.step.pulls.down"
    return say(
        key, must=now.must[now.row], chance=_chance(chance), wanted=fixed(right), pull=fixed(abs(pull))
    )


def _chance(chance: float) -> str:
    return fixed(chance) if chance >= 0.001 else compact(chance)


def _pick() -> None:
    picked = st.session_state[ROWS]["pick"]
    if isinstance(picked, int):
        select(row=picked, column=None)
