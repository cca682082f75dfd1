"""The app on a free port, and Chromium to open it with: what browser tests and benchmarks share."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, BrowserType, sync_playwright

# As root in a container, Chromium has no sandbox, little shared memory and no GPU.
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
PATIENCE = 60  # seconds until a server must have started


@contextmanager
def running(app: Path, folder: Path | None = None, **variables: str) -> Iterator[str]:
    """Serve a Streamlit script from a folder, its own by default, with its settings; the address."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(app)]
    where = [f"--server.port={port}", "--server.address=127.0.0.1"]
    with served(command + where, port, folder or app.parent, {**os.environ, **variables}) as url:
        yield url


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextmanager
def served(command: list[str], port: int, folder: Path, env: dict[str, str] | None = None) -> Iterator[str]:
    """What a command serves at a port, as long as it is needed; the address."""
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen(command, cwd=folder, env=env, stdout=log, stderr=log)
        try:
            url = f"http://127.0.0.1:{port}"
            if not _becomes_healthy(url, server):
                log.seek(0)
                raise RuntimeError(f"the app did not start:\n{log.read().decode()}")
            yield url
        finally:
            _stop(server)


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright.chromium)
        yield browser
        browser.close()


def launch(kind: BrowserType, *flags: str) -> Browser:
    """The Chromium that is installed, else the one that Playwright has fetched."""
    names = ("chromium", "chromium-browser", "google-chrome")
    installed = filter(None, (os.environ.get("CHROMIUM"), *map(shutil.which, names)))
    path = next(installed, kind.executable_path)
    if not Path(path).exists():
        raise RuntimeError(
            "no Chromium: install your system's package, or run `playwright install chromium`, "
            "or set CHROMIUM to its path"
        )
    return kind.launch(executable_path=path, args=[*FLAGS, *flags])


def _becomes_healthy(url: str, server: subprocess.Popen) -> bool:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1) as answer:
                if answer.read() == b"ok":
                    return True
        except OSError:
            time.sleep(0.05)
    return False


def _stop(server: subprocess.Popen) -> None:
    server.terminate()
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
