"""Then and after: what attention added in 2015, what the paper measured in 2017, and what came of it."""

from viz.pages.why import Why
from viz.pages.why.panels.after import before, paper, since
from viz.state.session import chosen
from viz.widgets.controls import choose
from viz.widgets.panel import Panel

AGES = {"attention": before, "paper": paper, "since": since}


def controls() -> None:
    choose("age")
    AGES[chosen(Why).age].controls()


def show() -> Panel:
    return AGES[chosen(Why).age].show()
