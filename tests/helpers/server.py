"""The app, or any Streamlit script, served for as long as it is looked at; and a browser to look with."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Playwright

# As root in a container, Chromium has no sandbox, little shared memory and no GPU.
CHROMIUM_FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]


@contextmanager
def running(app: Path, log: Path) -> Iterator[str]:
    """Serve a script from its own folder, with that folder's settings; what it prints goes to `log`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", app.name]
    where = [f"--server.port={port}", "--server.address=127.0.0.1"]
    with open(log, "w") as output:
        server = subprocess.Popen(command + where, cwd=app.parent, stdout=output, stderr=output)
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


def chromium_path(playwright: Playwright) -> Path:
    """An installed Chromium, or the one that Playwright would have installed."""
    names = ("chromium", "chromium-browser", "google-chrome")
    installed = filter(None, (os.environ.get("CHROMIUM"), *map(shutil.which, names)))
    return Path(next(installed, playwright.chromium.executable_path))


def _wait_until_healthy(url: str, server: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1) as answer:
                if answer.read() == b"ok":
                    return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"the app did not start:\n{log.read_text()}")
