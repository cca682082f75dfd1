"""What the browser benchmarks share: a running app, Chromium, what it received and when it had painted.

All times are taken inside the page, from the browser's own clock.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.helpers import server

ROOT = Path(__file__).parent.parent
SENTENCE = ".st-key-sentence input, .st-key-sentence textarea"
SCREEN = {"width": 1280, "height": 900}
QUIET = 500  # milliseconds without a paint, after which nothing more is expected

# `afterPaint` calls back two animation frames later: the first still runs before this frame's paint.
# `answers` are the milliseconds from each move of the mouse to its paint.
CLOCK = """
window.afterPaint = call => requestAnimationFrame(() => requestAnimationFrame(() => call(performance.now())));
window.answers = [];
window.began = {};
for (const kind of ["mousemove", "click", "keydown"])
  addEventListener(kind, event => {
    if (kind === "keydown" && event.key !== "Enter") return;
    window.began[kind] = event.timeStamp;
    if (kind === "mousemove") afterPaint(now => window.answers.push(now - event.timeStamp));
  }, true);
"""

# `lastPaint` is the time of the last paint inside the watched elements: what is drawn on a canvas
# leaves no mark in the document, so the drawing itself is noticed; `lastDraw` is the time of that alone.
WATCH = """
window.lastPaint = window.lastDraw = 0;
const watched = %s;
const painted = () => afterPaint(now => { window.lastPaint = now; });
const inside = node => {
  for (let place = node; place instanceof Node; place = place.getRootNode().host)
    if ((place instanceof Element ? place : place.parentElement)?.closest(watched)) return true;
};
const around = node =>
  node instanceof Element && (node.matches(watched) || node.querySelector(watched));
const observer = new MutationObserver(changes => {
  const changed = ({ target, addedNodes }) => inside(target) || [...addedNodes].some(around);
  if (changes.some(changed)) painted();
});
const kinds = { subtree: true, childList: true, attributes: true, characterData: true };
observer.observe(document, kinds);
const attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (options) {
  const root = attach.call(this, options);
  observer.observe(root, kinds);
  return root;
};
const drawn = new Set();
const tell = () => {
  if ([...drawn].some(inside)) {
    window.lastDraw = performance.now();
    painted();
  }
  drawn.clear();
};
for (const name of ["clearRect", "stroke", "fill", "fillRect", "fillText", "putImageData", "drawImage"]) {
  const draw = CanvasRenderingContext2D.prototype[name];
  CanvasRenderingContext2D.prototype[name] = function (...values) {
    if (!drawn.size) queueMicrotask(tell);
    drawn.add(this.canvas);
    return draw.apply(this, values);
  };
}
"""


@contextmanager
def running(app: Path) -> Iterator[str]:
    """Serve a Streamlit script from its own folder, with that folder's settings."""
    with tempfile.TemporaryDirectory() as folder, server.running(app, Path(folder) / "log.txt") as url:
        yield url


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        path = server.chromium_path(playwright)
        browser = playwright.chromium.launch(executable_path=path, args=server.CHROMIUM_FLAGS)
        yield browser
        browser.close()


class Received:
    """Bytes that reached a page, uncompressed: over HTTP, and as frames of its websocket."""

    def __init__(self, page: Page) -> None:
        self.http = self.frames = 0
        page.on("websocket", lambda socket: socket.on("framereceived", self._frame))
        network = page.context.new_cdp_session(page)
        network.send("Network.enable")
        network.on("Network.dataReceived", self._data)

    def _frame(self, payload: str | bytes) -> None:
        self.frames += len(payload.encode() if isinstance(payload, str) else payload)

    def _data(self, event: dict) -> None:
        self.http += event["dataLength"]


def new_page(browser: Browser, script: str) -> tuple[Page, Received]:
    """A visitor who was never here before; `script` runs, after CLOCK, before all else on the page."""
    page = browser.new_context(viewport=SCREEN, locale="en-US").new_page()
    page.add_init_script(f"(() => {{{CLOCK + script}}})()")
    return page, Received(page)


def watching(selector: str) -> str:
    """The script that `paint_after` needs, for what this CSS selector finds."""
    return WATCH % json.dumps(selector)


def press_enter(page: Page, sentence: str) -> None:
    """Type as a visitor does, and return once the page has seen the key."""
    box = page.locator(SENTENCE)
    box.fill(sentence)
    page.evaluate("window.began.keydown = null")
    box.press("Enter")
    page.wait_for_function("window.began.keydown !== null")


def paint_after(page: Page, since: str, limit: float, ready: str = "true") -> float:
    """Milliseconds from `since` to the last paint of the watched elements, once it is quiet.

    `since` is a time in the page: "0" is its navigation, "began.keydown" the last Enter. `ready` says
    in the page whether the new picture is there: a busy browser can be quiet before.
    """
    page.wait_for_function(
        f"""document.querySelector('[data-testid="stException"]')
            || document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === "notRunning"
            && {ready} && window.lastPaint > {since} && performance.now() - window.lastPaint > {QUIET}""",
        timeout=limit * 1e3 + QUIET,
    )
    if page.get_by_test_id("stException").count():
        sys.exit("the app shows an error: open it with `streamlit run app.py` and read its log")
    return page.evaluate(f"window.lastPaint - {since}")
