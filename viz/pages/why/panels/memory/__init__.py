"""Memory: a small language model that remembers the segments it has read (Transformer-XL)."""

from importlib import import_module

from viz.pages.why import Why
from viz.pages.why.numbers.memory import TEXTS
from viz.state import recalled
from viz.state.session import chosen, select
from viz.widgets.controls import choose, number
from viz.widgets.panel import Panel


def controls() -> None:
    choose("memory_view")
    asked, shape = chosen(Why), recalled.reader().config
    if asked.memory_view == "text":
        choose("memory_text", ("own", *TEXTS))
    # A link may ask for a layer or a head that this model does not have.
    layer, head = min(asked.memory_layer, shape.layers - 1), min(asked.memory_head, shape.heads - 1)
    select(memory_layer=layer, memory_head=head)
    choose("memory_layer", range(shape.layers), number)
    if asked.memory_view == "text":
        choose("memory_head", range(shape.heads), number)


def show() -> Panel:
    view = chosen(Why).memory_view
    panel: Panel = import_module(f"viz.pages.why.panels.memory.{view}").show()
    return panel
