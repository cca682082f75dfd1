"""The package, built and installed far from the checkout: one command starts the app."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.helpers.paths import ROOT
from tests.helpers.server import free_port, served

NEEDED = ("app.py", "pyproject.toml", "README.md", "LICENSE", ".streamlit", "model", "viz")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def command(tmp_path_factory) -> Path:
    """An environment of its own that holds Headlight; its libraries are those of the tests."""
    folder = tmp_path_factory.mktemp("package")
    source, environment = folder / "source", folder / "environment"
    source.mkdir()
    for name in NEEDED:  # a checkout may hold what an earlier build left
        place, copied = ROOT / name, source / name
        shutil.copytree(place, copied) if place.is_dir() else shutil.copy(place, copied)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    built = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(source)]
    subprocess.run(built, check=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    python = environment / "bin" / "python"
    (wheel,) = folder.glob("*.whl")
    installed = [*pip, "--python", str(python), "install", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(installed, check=True)
    (packages,) = (environment / "lib").glob("python*/site-packages")
    # Its editable installation lies there too, in a file that is read in an environment's own folder alone.
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    return environment / "bin" / "headlight"


def run(command: Path, *words: str, folder: Path) -> subprocess.CompletedProcess:
    return subprocess.run([command, *words], cwd=folder, capture_output=True, text=True, env=_own())


def test_it_starts_the_app_from_anywhere(command, tmp_path, browser):
    port = free_port()
    with served([str(command), f"--port={port}"], port, tmp_path, env=_own()) as url:
        page = browser.new_page()
        page.goto(f"{url}/?s=The+cat+sleeps.")
        expect(page.locator(".st-key-heatmap canvas").first).to_be_visible(timeout=60_000)
        expect(page.locator(".st-key-translation .ink")).to_contain_text("chat")
        page.close()


def test_it_says_what_it_is_and_what_it_cannot_do(command, tmp_path):
    assert run(command, "--version", folder=tmp_path).stdout.startswith("headlight 0.")
    assert "--checkpoint" in run(command, "--help", folder=tmp_path).stdout
    for words, said in (
        (["--checkpoint", "nothing"], "no checkpoint 'nothing'"),
        (["--checkpoint", "rivals/additive"], "needs a Transformer"),
        (["--port", "99999"], "'99999' is no port"),
    ):
        refused = run(command, *words, folder=tmp_path)
        assert refused.returncode and said in refused.stderr and "Traceback" not in refused.stderr


def test_the_code_that_runs_is_the_installed_one(command, tmp_path):
    code = "import model, viz, viz.installed; print(model.__file__, viz.__file__, viz.installed.home())"
    python = command.parent / "python"
    told = subprocess.run([python, "-c", code], cwd=tmp_path, capture_output=True, text=True, env=_own())
    assert all(place.startswith(str(command.parents[1])) for place in told.stdout.split()), told


def _own() -> dict[str, str]:
    """Nothing of the checkout on the path, and the checkpoint that ships."""
    hidden = ("PYTHONPATH", "HEADLIGHT_CHECKPOINT")
    return {name: value for name, value in os.environ.items() if name not in hidden}
