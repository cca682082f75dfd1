"""A running app, a real browser, and the model itself to compare with what they show."""

import json
import os
from collections.abc import Iterator
from functools import cache

import pytest
import torch
from hypothesis import settings
from playwright.sync_api import Browser, Page, expect

from model import Translator, load
from model.checkpoint import find
from tests.helpers.browser import note_problems, settle
from tests.helpers.paths import ROOT
from tests.helpers.server import chromium, running

LOCAL = ("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:")

torch.set_num_threads(1)  # tensors are tiny here: on a busy machine, threads only wait for each other
# The same examples every time: whether a change passes must not depend on chance.
settings.register_profile("repeatable", derandomize=True, deadline=None)  # a busy machine is slow, not wrong
settings.load_profile("repeatable")
expect.set_options(timeout=30_000)  # a busy machine is slow, not wrong


@pytest.fixture(scope="session")
def translator() -> Translator:
    """The model that the app under test shows."""
    return load(os.environ.get("HEADLIGHT_CHECKPOINT", "en-fr"))


@pytest.fixture(scope="session")
def atlas(translator) -> dict:
    """What was measured of its heads."""
    return json.loads((find(translator.name) / "atlas.json").read_text("utf-8"))


@pytest.fixture(scope="session")
def app_url() -> Iterator[str]:
    with running(ROOT / "viz/serve.py", ROOT) as url:
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


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
        note_problems(page, problems, LOCAL)
        page.goto(app_url + link)
        expect(page.locator(until).first).to_be_visible()
        settle(page)
        # Widgets whose script is not there yet are lower, and what stands below them moves when it comes.
        expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
        return page

    yield visit
    for page in pages:
        page.close()
    assert not problems
