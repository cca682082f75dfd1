"""One step, on your own pair: the loss, the gradients, one weight, and what the step does."""

from dataclasses import replace
from importlib import import_module

from viz.figures.numbers import count
from viz.pages.training import Training
from viz.pages.training.panels.step.now import write_pair
from viz.state.language import say
from viz.state.session import chosen
from viz.widgets.controls import choose
from viz.widgets.panel import Panel
from viz.widgets.typed import target_language


def controls() -> None:
    choose("stage")
    stage = chosen(Training).stage
    if stage == "weight":
        choose("projection")
    if stage in ("weight", "after"):
        choose("rate", written=count)


def show() -> Panel:
    now = write_pair()
    if now is None:
        return Panel()
    stage = now.asked.stage
    panel: Panel = import_module(f"viz.pages.training.panels.step.{stage}").show(now)
    told = {say("training.step.answer", language=target_language()): now.typed} if now.typed else {}
    return replace(panel, name=f"training-{stage}", told=told)
