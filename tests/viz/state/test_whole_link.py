"""Everything that can be chosen on a page stands in its link: another visitor sees the same."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.helpers.app import PAGES, open_app
from viz import pages
from viz.state.selection import Selection
from viz.text import LANGUAGES

DECLARED = pages.load(*PAGES)
# What is being written and not yet shown: a guess, a corpus, a file of one's own.
UNFINISHED = {"guess_text", "corpus_text", "own_name", "own_row"}
SORTS = ("button_group", "selectbox", "select_slider", "slider", "toggle", "text_input", "number_input",
         "checkbox", "radio", "multiselect", "text_area")  # fmt: skip
STARTS = ("find_start", "prune_start")  # of what takes a moment
CHOICES = [Selection, *(page.choices for page in DECLARED.values())]
TYPED = {"sentence": "He sleeps well.", "other_text": "He sleeps here.", "ask_right": "grandes"}
OTHERS = {"stack": ("encoder", "decoder"), "language": LANGUAGES}
MORE = {  # panels behind other choices than the one that keys step through
    "look": [{"compare": way} for way in ("sentence:She reads a book.", "head:1.2")],
    "atlas": [{"chart": "detector", "rule": "painted"}],
}


def panels(name: str) -> list[dict[str, str]]:
    page = DECLARED[name]
    steps = page.choices.options(page.steps) if page.steps in page.choices.names() else ()
    return [{page.steps: str(option)} for option in steps] + MORE.get(name, []) or [{}]


def widgets(app: AppTest) -> dict[str, Any]:
    """All that can be chosen here, by its key."""
    found = {each.key: each for sort in SORTS for each in app.get(sort) if each.key and not each.disabled}
    return {key: each for key, each in found.items() if key not in UNFINISHED}


def values(app: AppTest) -> dict[str, object]:
    return {key: each.value for key, each in widgets(app).items()}


def change(app: AppTest, key: str) -> None:
    """Something else than what is chosen, as a visitor would choose it."""
    widget = widgets(app)[key]
    now, sort = widget.value, widget.type
    if sort == "selectbox":
        widget.select_index(len(widget.options) - 1 if widget.index != len(widget.options) - 1 else 0)
    else:
        widget.set_value(another(key, now, widget))
    app.run()
    assert not app.exception, key


def another(key: str, now: Any, widget: Any) -> object:
    if isinstance(now, bool):
        return not now
    if widget.type == "text_input":
        return TYPED.get(key, "petite")
    if isinstance(now, list):
        return now[1:] or [(now[0] + 1) % len(widget.options)]
    if isinstance(now, int) and widget.type != "select_slider":
        return now - 1 if now else 1
    if offered := next((each.options(key) for each in CHOICES if key in each.names()), OTHERS.get(key)):
        return next(each for each in offered if each != now)
    return now - 1 if key == "moment" else int(widget.options[0])


@pytest.mark.parametrize("name", PAGES)
def test_whatever_is_changed_a_link_shows_the_same(name):
    changed: set[str] = set(DECLARED[name].choices.names()) & {DECLARED[name].steps, "compare"}
    if name != PAGES[0]:
        changed |= {"sentence", "language"}  # on every page the same
    for panel in panels(name):
        app = open_app(name, s="She reads a long letter.", lang="en", **panel)
        for button in app.button:
            if button.key in STARTS:
                button.click().run()
        new = [key for key in widgets(app) if key not in changed]
        for key in new:
            if key in widgets(app):  # another choice may have taken it away
                change(app, key)
        changed.update(new)
        if not new:
            continue
        link = dict(app.run().query_params)
        other = open_app(**link)
        assert values(other) == values(app), link
