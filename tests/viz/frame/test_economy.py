"""A run of a page does its work once: no link is built for nothing, no page is drawn to be left."""

import pytest

import viz.pages.look.page
from tests.helpers.app import PAGES, open_app
from viz.state import session
from viz.text import translate

say = translate("en")
MOST_LINKS = {"atlas": 3}  # its card leads to three pages with one link of its own; elsewhere two


@pytest.fixture
def built(monkeypatch) -> list[dict[str, str]]:
    """Every link that was built."""
    made, build = [], session.link

    def counted() -> dict[str, str]:
        made.append(build())
        return made[-1]

    monkeypatch.setattr(session, "link", counted)
    return made


@pytest.mark.parametrize("page", PAGES)
def test_the_link_is_built_before_and_after_a_page_and_not_for_every_button(page, built):
    app = open_app(page)
    built.clear()
    app.run()
    assert 1 <= len(built) <= MOST_LINKS.get(page, 2)


def test_a_click_that_leads_to_another_page_does_not_draw_the_page_it_leaves(monkeypatch):
    drawn, show = [], viz.pages.look.page.show
    monkeypatch.setattr(viz.pages.look.page, "show", lambda: drawn.append("look") or show())
    app = open_app("look")
    drawn.clear()
    app.session_state["going"] = "inside"  # what the callback of a click leaves
    app.run()
    assert not app.exception
    assert app.title[0].value == say("inside.title") and not drawn


def test_a_link_to_a_page_does_not_draw_the_first_page_before_it(monkeypatch):
    drawn = []
    monkeypatch.setattr(viz.pages.look.page, "show", lambda: drawn.append("look"))
    open_app("layers")
    assert not drawn
