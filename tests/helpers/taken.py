"""What every panel of the declared pages gives to take home, without a browser."""

import re
from collections.abc import Iterator
from html import unescape

from streamlit.testing.v1 import AppTest

from tests.helpers.app import PAGES, open_app
from viz import pages
from viz.export.dialog import Files
from viz.widgets import panel as panels

DECLARED = pages.load(*PAGES)
STARTS = ("find_start", "contrast_start", "prune_start", "using_start", "probe_start")  # of long work


def panels_of(name: str) -> list[dict[str, str]]:
    """How to come to each panel of a page; the steps of one cell are one panel."""
    page = DECLARED[name]
    own = page.steps in page.choices.names() and page.steps != "step" and page.steps != "measure"
    several = page.choices.options(page.steps) if own else ()
    return [{page.steps: option} for option in several] or [{}]


def taken(name: str, language: str, monkeypatch) -> Iterator[tuple[dict[str, str], Files]]:
    """Panel after panel, and what it offers; a panel that has nothing yet is left out."""
    offered: list[Files] = []
    monkeypatch.setattr(panels, "export_button", lambda files: offered.append(files()))
    for asked in panels_of(name):
        offered.clear()
        app = open_app(name, s="She sings.", lang=language, **asked)
        _start(app)
        if offered:
            yield asked, offered[-1]


def words_of(page: str) -> list[str]:
    """The sentences of a page: what is written, without drawings, style and scripts."""
    text = re.sub(r"<(svg|style|script|template).*?</\1>", " ", page, flags=re.DOTALL)
    parts = re.findall(r"<(?:h1|h2|p|li|dt|footer|figcaption|summary)\b[^>]*>(.*?)</", text, flags=re.DOTALL)
    return [unescape(re.sub("<[^>]*>", " ", part)).strip() for part in parts]


def _start(app: AppTest) -> None:
    for button in app.button:
        if button.key in STARTS:
            button.click().run()
            assert not app.exception
