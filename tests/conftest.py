"""A running app, a real browser, and the model itself to compare with what they show."""

import os
from functools import cache

import pytest
import torch
from hypothesis import settings
from playwright.sync_api import Browser, Page, expect, sync_playwright

from model import Translator, load
from tests.helpers.browser import settle
from tests.helpers.paths import ROOT
from tests.helpers.server import CHROMIUM_FLAGS, chromium_path, running

LOCAL = ("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:")

torch.set_num_threads(1)  # tensors are tiny here: on a busy machine, threads only wait for each other
# The same examples every time: whether a change passes must not depend on the dice of the day.
settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")
expect.set_options(timeout=30_000)  # a busy machine is slow, not wrong


@pytest.fixture(scope="session")
def translator() -> Translator:
    """The model that the app under test shows."""
    return load(os.environ.get("HEADLIGHT_CHECKPOINT", "en-fr"))


@pytest.fixture(scope="session")
def app_url(tmp_path_factory) -> str:
    with running(ROOT / "app.py", tmp_path_factory.mktemp("server") / "log.txt") as url:
        yield url


@pytest.fixture(scope="session")
def browser() -> Browser:
    with sync_playwright() as playwright:
        path = chromium_path(playwright)
        if not path.exists():
            pytest.fail(
                "the browser tests need Chromium: install your system's package, "
                "or run `playwright install chromium`, or set CHROMIUM to its path"
            )
        chromium = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def visitors(browser):
    """One browser profile a language: its cache spares a second page what the first has loaded."""
    return cache(lambda locale: browser.new_context(locale=locale))


@pytest.fixture
def open_app(app_url, visitors):
    """Open the app on this screen, in this colour scheme and browser language.

    However a test ends, no page may have logged an error or asked another machine for anything.
    """
    pages, problems = [], []

    def visit(
        link: str = "", *, width: int = 1280, height: int = 900, scheme: str = "light", locale: str = "en-US",
        until: str = ".st-key-heatmap canvas",
    ) -> Page:  # fmt: skip
        page = visitors(locale).new_page()
        pages.append(page)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        page.on("pageerror", lambda error: problems.append(f"error: {error}"))
        page.on("console", lambda line: line.type == "error" and problems.append(line.text))
        page.on("request", lambda asked: asked.url.startswith(LOCAL) or problems.append(asked.url))
        page.goto(app_url + link)
        expect(page.locator(until).first).to_be_visible()
        settle(page)
        return page

    yield visit
    for page in pages:
        page.close()
    assert not problems
