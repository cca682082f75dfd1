"""Frames a second while a picture moves, in Chromium: each motion that explains, as a visitor starts it.

    python -m benchmarks.motion [--rounds 5]

A motion is measured from the frame after it began to the frame in which it ended, by the times that the
browser gives to its frames. The median of all of them, and the longest wait for one: at 30 frames a second
it is 33 ms. Nothing waits for a motion: that it runs at all is part of the test in tests/browser.
"""

import argparse
import statistics
from collections.abc import Callable
from itertools import pairwise
from urllib.parse import urlencode

from playwright.sync_api import Page

from benchmarks.browser import new_page
from benchmarks.enter_to_heatmap import SENTENCES
from benchmarks.measured import PATIENCE
from tests.helpers.paths import ROOT
from tests.helpers.server import chromium, running

# `motions` counts what our views have put in motion, `frames` has the time of every frame meanwhile.
FRAMES = """
window.moving = new Set();
window.motions = 0;
window.frames = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...values) {
  const motion = animate.apply(this, values), over = () => moving.delete(motion);
  moving.add(motion);
  window.motions++;
  motion.finished.then(over, over);
  return motion;
};
const frame = (time) => {
  if (moving.size) window.frames.push(time);
  requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
"""
FILM = """(film) => {
  moving.add(film);
  window.motions++;
  const begun = performance.now();
  let painted = film.dataset.painted;
  const look = (time) => {
    if (film.dataset.painted === painted) window.frames.pop(); // nothing new was painted in this frame
    painted = film.dataset.painted;
    if (time - begun < 5000 && film.dataset.playing === "true") requestAnimationFrame(look);
    else moving.delete(film);
  };
  requestAnimationFrame(look);
}"""
LOOK = {"kind": "cross", "layer": "3", "s": SENTENCES[0]}


def press(key: str, role: str) -> Callable[[Page, int], None]:
    """Choose the next of a row of buttons; the first is on already."""

    def act(page: Page, number: int) -> None:
        buttons = page.locator(f".st-key-{key}").get_by_role(role)
        buttons.nth((number + 1) % buttons.count()).click()

    return act


def next_row(page: Page, number: int) -> None:
    page.locator(".st-key-head_view .left .word").nth(number).click()


def next_step(page: Page, number: int) -> None:
    page.locator(".st-key-strip .pick").nth((number + 1) % 9).click()


def play_the_film(page: Page, number: int) -> None:
    """Five seconds of it. It paints by itself, without motions of the browser: count what it paints."""
    page.locator(".film .track").press("Home")
    page.locator(".film .play").click()
    page.evaluate(FILM, page.locator(".film").element_handle())


def next_place(page: Page, number: int) -> None:
    page.locator(".st-key-first input[type=range]").press("ArrowRight")


MOTIONS = {
    "lines of another head": (LOOK, press("head", "button")),
    "lines of another row": (LOOK, next_row),
    "all heads, sorted": (LOOK | {"page": "all_heads"}, press("measure", "radio")),
    "steps inside a head": (LOOK | {"page": "inside", "step": "input"}, next_step),
    "a softmax row": (LOOK | {"page": "inside", "step": "softmax"}, press("layer", "radio")),
    "clocks of positions": ({"page": "positions", "positions": "shift"}, next_place),
    "the film of training": ({"page": "training", "training": "film", "film_at": "0"}, play_the_film),
}


def measure(page: Page, act: Callable[[Page, int], None], rounds: int) -> tuple[list[float], int]:
    """Milliseconds from frame to frame in all rounds, and how many things moved."""
    waits, motions = [], 0
    for number in range(rounds):
        page.evaluate("window.frames = []; window.motions = 0")
        act(page, number)
        page.wait_for_function("window.motions && !moving.size", polling=100)
        times, moved = page.evaluate("[window.frames, window.motions]")
        waits += [later - earlier for earlier, later in pairwise(times[1:])]
        motions = max(motions, moved)
        page.wait_for_timeout(700)
    return waits, motions


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with running(ROOT / "app.py") as url, chromium() as browser:
        for name, (link, act) in MOTIONS.items():
            page, _ = new_page(browser, FRAMES)
            page.set_default_timeout(PATIENCE * 1e3)
            page.goto(f"{url}/?{urlencode(link)}")
            page.wait_for_timeout(5000)  # whatever moves at the start has ended
            waits, motions = measure(page, act, options.rounds)
            typical, worst = statistics.median(waits), max(waits)
            print(
                f"{name:22} {1000 / typical:4.0f} frames a second (budget 30), longest wait {worst:3.0f} ms, "
                f"{motions:3} things in motion",
                flush=True,
            )
            page.context.close()


if __name__ == "__main__":
    main()
