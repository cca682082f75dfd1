"""A running app, a real browser, and the model itself to compare with what they show."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from functools import cache
from pathlib import Path

import pytest
import torch
from hypothesis import settings
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from model import Translator, load
from model.checkpoint import find
from tests.helpers.browser import note_problems, settle
from tests.helpers.paths import ROOT

LOCAL = ("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:")
# As root in a container, Chromium has no sandbox, little shared memory and no GPU.
CHROMIUM_FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]

torch.set_num_threads(1)  # tensors are tiny here: on a busy machine, threads only wait for each other
# The same examples every time: whether a change passes must not depend on the dice of the day.
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
def app_url(tmp_path_factory) -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("server") / "log.txt"
    command = [sys.executable, "-m", "streamlit", "run", "app.py"]
    where = [f"--server.port={port}", "--server.address=127.0.0.1"]
    with open(log, "w") as output:
        server = subprocess.Popen(command + where, cwd=ROOT, stdout=output, stderr=output)
    try:
        url = f"http://127.0.0.1:{port}"
        _wait_until_healthy(url, server, log)
        yield url
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


@pytest.fixture(scope="session")
def browser() -> Browser:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=_chromium(playwright), args=CHROMIUM_FLAGS)
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
        note_problems(page, problems, LOCAL)
        page.goto(app_url + link)
        expect(page.locator(until).first).to_be_visible()
        settle(page)
        return page

    yield visit
    for page in pages:
        page.close()
    assert not problems


def _chromium(playwright: Playwright) -> str:
    names = ("chromium", "chromium-browser", "google-chrome")
    installed = filter(None, (os.environ.get("CHROMIUM"), *map(shutil.which, names)))
    path = next(installed, playwright.chromium.executable_path)
    if not Path(path).exists():
        pytest.fail(
            "the browser tests need Chromium: install your system's package, "
            "or run `playwright install chromium`, or set CHROMIUM to its path"
        )
    return path


def _wait_until_healthy(url: str, server: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1) as answer:
                if answer.read() == b"ok":
                    return
        except OSError:
            time.sleep(0.05)
    pytest.fail(f"the app did not start:\n{log.read_text()}")
