"""The contact sheet finds every panel by its declaration, and the links that it opens lead there."""

import pytest

from benchmarks.contact_sheet import panels
from tests.helpers.app import PAGES
from viz.pages import load
from viz.state.choices import Limits


@pytest.mark.parametrize("page", load(*PAGES).values(), ids=PAGES)
def test_every_panel_has_a_link_that_leads_to_it(page):
    usual, opened = page.choices(), []
    for link in panels(page).values():
        found, refused = page.choices.from_link(link, usual, Limits(layers=4, heads=8))
        assert not refused
        opened.append(found)
    assert len(set(opened)) == len(opened) and usual in opened
    if page.steps in page.choices.names() and (options := page.choices.options(page.steps)):
        assert {getattr(each, page.steps) for each in opened} == set(options)
