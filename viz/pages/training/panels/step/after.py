"""Take the step: each row's change, the head's map before and after, and the loss on other sentences."""

import numpy as np
import streamlit as st

from model.training.one_step.taken import Taken
from viz.components import drawing
from viz.figures.numbers import compact, fixed
from viz.pages.training.figures.step import after as figures
from viz.pages.training.numbers import step as numbers
from viz.pages.training.panels.step.now import Now
from viz.state import learning
from viz.state.language import say
from viz.state.session import select, selection
from viz.text import verbatim
from viz.widgets.heads import name
from viz.widgets.panel import Panel

CHANGES, MAPS, CURVE = "step_changes_view", "step_maps_view", "step_losses_view"


def show(now: Now) -> Panel:
    steps = now.asked.taken
    buttons, told = st.columns([1, 2.6], gap="medium", vertical_alignment="center")
    with buttons:
        _buttons(steps)
    with st.spinner(say("training.step.after.working", steps=1 if steps <= 1 else learning.MANY)):
        taken = learning.taken_of(now.pair, now.asked.rate, steps)
    finding, explained = _finding(now, taken, steps), say("training.step.after.explained")
    told.text(finding)
    before, after = (taken.map_at(at, *now.head) for at in (0, steps))
    drawn = {
        "step_changes": figures.changes(taken.log_probs[0], taken.log_probs[steps], now.must, say),
        "step_losses": figures.losses(taken.losses, taken.others, now.losses.floor, steps, say),
        "step_maps": figures.maps(before, after, _sides(now), say),
    }
    left, middle, right = st.columns([1, 1.5, 1], gap="medium")
    with left:
        st.caption(say("training.step.changes"))
        drawing.show(drawn["step_changes"], key=CHANGES)
    with middle:
        st.caption(verbatim(say("training.step.after.head", name=name(selection()))))
        drawing.show(drawn["step_maps"], key=MAPS)
    with right:
        drawing.show(drawn["step_losses"], key=CURVE)
    st.caption(explained)
    arrays = {
        "steps": steps, "rate": learning.rate_at(now.asked.rate), "must_predict": list(now.must),
        "log_p_before": taken.log_probs[0], "log_p_after": taken.log_probs[steps],
        "loss": taken.losses, "loss_others": taken.others, "map_before": before, "map_after": after,
    }  # fmt: skip
    return Panel(drawn, arrays, finding, explained)


def _buttons(taken: int) -> None:
    with st.container(horizontal=True, gap="small", key="step_buttons"):
        for steps, key in ((1, "take_one"), (learning.MANY, "take_many"), (0, "undo_steps")):
            st.button(
                say(f"training.step.{key}", steps=steps), key=key, on_click=select, kwargs={"taken": steps},
                disabled=taken == steps,
            )  # fmt: skip


def _sides(now: Now) -> figures.Sides:
    """Who looks, and who is looked at, in the chosen kind of attention."""
    if now.head.kind == "encoder":
        return figures.Sides(now.source, now.source)
    return figures.Sides(now.must, now.source if now.head.kind == "cross" else now.reads)


def _finding(now: Now, taken: Taken, steps: int) -> str:
    """What the steps brought here and elsewhere, and what to make of it."""
    happened = numbers.outcome(taken.losses, taken.others, steps)
    if happened == "none":
        return say("training.step.after.none", loss=fixed(taken.losses[0], 4))
    told = [
        say(
            "training.step.after.one" if steps == 1 else "training.step.after.many", steps=steps,
            rate=compact(learning.rate_at(now.asked.rate)),
            before=fixed(taken.losses[0], 4), after=fixed(taken.losses[steps], 4),
        )
    ]  # fmt: skip
    if np.isfinite(taken.others).all():
        before, after = (fixed(taken.others[at], 4) for at in (0, steps))
        told.append(say("training.step.after.others", count=learning.OTHERS, before=before, after=after))
    told.append(say(f"training.step.after.{happened}"))
    return " ".join(told)
