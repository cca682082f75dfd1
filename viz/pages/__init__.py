"""A folder a page, a question each; app.py names them, and each declares itself (`PAGE`).

`page.show()` draws the page and gives back its panel; what belongs to one page alone stands beside it.
"""

from importlib import import_module

from viz.state.page import Page
from viz.widgets.panel import tail


def load(*names: str) -> dict[str, Page]:
    """What the pages declare, in this order. Their scripts are imported when somebody opens them."""
    return {name: import_module(f"viz.pages.{name}").PAGE for name in names}


def show(page: Page) -> None:
    """The page, and under it the way to take it home."""
    panel = import_module(f"viz.pages.{page.name}.page").show()
    if panel:
        tail(page, panel)
