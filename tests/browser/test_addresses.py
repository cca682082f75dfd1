"""Any address of the app opens it: a page by its path, and what is no page with a sentence."""

import pytest
from playwright.sync_api import expect

from tests.helpers.browser import expect_in_link, say, settle

TITLE = "[data-testid=stMainBlockContainer] h1"


@pytest.mark.parametrize("name", ["look", "layers"])
def test_a_page_opens_by_its_path(open_app, name):
    page = open_app(f"/{name}?s=She+sings.&lang=en", until=TITLE)
    expect(page.get_by_role("heading", name=say(f"{name}.title"))).to_be_visible()
    expect(page.get_by_text(say("link.no_page", name=name))).to_have_count(0)
    expect_in_link(page, f"page={name}", r"s=She\+sings\.")
    page.reload()  # from the address that the app itself has written
    expect(page.get_by_role("heading", name=say(f"{name}.title"))).to_be_visible()


@pytest.mark.parametrize("path", ["nonsense", "look/x", "a/b/c"])
def test_what_is_no_page_opens_the_first_one_and_is_named(open_app, path):
    page = open_app(f"/{path}?lang=en", until=TITLE)
    expect(page.get_by_text(say("link.no_page", name=path))).to_be_visible()
    expect(page.get_by_text("Page not found")).to_have_count(0)
    settle(page)
    expect(page.get_by_role("dialog")).to_have_count(0)
