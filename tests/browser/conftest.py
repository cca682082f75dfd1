"""Pages by their names, and files that were saved from them."""

from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page

from tests.helpers.browser import DRAWN, note_problems

AGAIN = 2  # times at most


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A busy machine loses a click or a key now and then, and a person would try again.

    What fails every time is a fault; what was run again is listed at the end.
    """
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=AGAIN))


@pytest.fixture
def open_page(open_app):
    """Open a page, or the first one, with a view as a link gives it."""

    def visit(
        page: str | None = None, *, until: str | None = None, screen: dict | None = None, **link: object
    ) -> Page:
        asked = {"page": page, **link} if page else link
        return open_app("/?" + urlencode(asked), until=until or DRAWN[page], **(screen or {}))

    return visit


@pytest.fixture
def open_file(browser):
    """Open a saved file where there is no network; it may log no error and ask for nothing."""
    contexts, problems = [], []

    def visit(file: Path) -> Page:
        contexts.append(browser.new_context(offline=True))
        page = contexts[-1].new_page()
        note_problems(page, problems, ("file:", "data:", "blob:"))
        page.goto(file.as_uri())
        return page

    yield visit
    for context in contexts:
        context.close()
    assert not problems
