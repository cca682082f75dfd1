"""Headlight beside BertViz: the attention of the same run, in the same browser.

    python -m benchmarks.beside_bertviz --scripts FOLDER [--pieces 10 20 40 80 120] [--rounds 3]

For sentences of growing length: the bytes that reach the browser, the time until the picture is
painted, the answer to a hover, and the longest sentence with which each view is usable: painted
within 5 s, hovers answered within 200 ms. A view that fails is not asked for longer sentences.

BertViz is no dependency of ours: `pip install bertviz`. Its three scripts, which its pages fetch
from a CDN, are served from FOLDER: require.min.js (npm requirejs 2.3.6, its require.js minified),
d3.min.js (npm d3 5.7.0) and jquery.min.js (npm jquery 2.1.0: npm lacks the 2.0.0 it asks for).

What is compared: eight heads of one layer (BertViz's head view with that layer alone, our Look with
all its heads), and every head (BertViz's model view, which draws one kind of attention at a time;
our All heads, which draws three). Both show the encoder first, whose maps are as large as the
sentence is long. BertViz is timed from the start of the navigation, after its page was made;
Headlight from Enter, with the run in its cache ("drawn") and with a new sentence ("and translated").
"""

import argparse
import http.server
import json
import re
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from urllib.parse import urlencode

import torch
from playwright.sync_api import Browser, Locator, Page
from playwright.sync_api import Error as BrowserError
from playwright.sync_api import TimeoutError as TooSlow

from benchmarks.browser import Received, new_page, paint_after, press_enter, watching
from model import Trace, Translator, load
from tests.helpers.paths import ROOT
from tests.helpers.server import chromium, running
from viz.figures.labels import readable
from viz.text import translate

NEEDED = (
    "this needs BertViz (`pip install bertviz`) and, in the folder that --scripts names, "
    "require.min.js, d3.min.js and jquery.min.js"
)
SCRIPTS = ("require", "d3", "jquery")
PATIENCE, QUICK_TO_DRAW, QUICK_TO_ANSWER = 60.0, 5.0, 0.2  # seconds
HOVERS = 5
LAYER = 0
TEXT = [
    "We have lived in this small house near the river for ten years.",
    "My brother works in the city, but he comes home every weekend.",
    "On Sunday morning we walk along the water and talk about the week.",
    "Then my mother makes soup, and everyone sits down at the big table.",
    "The children play in the garden until it gets dark outside.",
    "Sometimes it rains, so they read books by the window instead.",
    "Last summer we painted the kitchen blue because she likes the sea.",
    "Our neighbours have an old dog that sleeps under the apple tree.",
    "In winter the road is often closed, and the bus does not come.",
    "Then we stay at home, drink tea and listen to the radio.",
]
WELCOME = "It is a fine day."
BERTVIZ = ("head_view", "model_view")
HEADLIGHT = {  # what each view is painted in, what in it can be pointed at, and when it is up to date
    "look": (".st-key-head_view, .st-key-heatmap", ".st-key-head_view .left .word", "sameWords({words})"),
    "all_heads": (".st-key-all_heads", ".st-key-all_heads .cell", "lastDraw > {since}"),
}
SAME_WORDS = """
window.sameWords = words => {
  const inside = key =>
    [...document.querySelectorAll(`.st-key-${key} *`)].find(each => each.shadowRoot)?.shadowRoot;
  const same = list => [...list ?? []].map(each => each.textContent).join(" ") === words.join(" ");
  return same(inside("heatmap")?.querySelectorAll(".columns span"))
    && same(inside("head_view")?.querySelectorAll(".left .text"));
};
"""
# BertViz draws all lines in one go, so they are either all there or none.
WAIT_FOR_LINES = """
const lines = document.getElementsByTagName("line");
const look = () => {
  if (lines.length >= %d) afterPaint(now => { window.painted = now; });
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


@dataclass
class Measured:
    """One view of one sentence; times in milliseconds, None where it was not waited for."""

    payload: int
    with_libraries: int
    prepared: float | None = None  # BertViz: Python makes the page
    drawn: float | None = None
    translated: float | None = None  # Headlight: the same, and the model translates a new sentence
    hover: float | None = None

    @property
    def usable(self) -> bool:
        waits = (self.drawn, self.translated or 0)
        return (
            None not in (*waits, self.hover)
            and max(waits) <= QUICK_TO_DRAW * 1e3
            and self.hover <= QUICK_TO_ANSWER * 1e3
        )


Measure = Callable[[Trace, Sequence[str]], Measured]


def sentence(translator: Translator, pieces: int, first: int = 0) -> str:
    """Everyday words, starting at the `first` sentence, as many as fit into `pieces`."""
    words = [word for text in islice(cycle(TEXT), first, first + 60) for word in text.split()]
    count = next(n for n in range(1, len(words)) if len(_pieces(translator, words[: n + 1])) > pieces)
    return " ".join(words[:count])


def _pieces(translator: Translator, words: Sequence[str]) -> tuple[int, ...]:
    return translator.read(" ".join(words)).ids


# BertViz


def bertviz_page(view: str, trace: Trace) -> str:
    """What BertViz would put into a notebook, with its scripts taken from beside it."""
    import bertviz

    attention = {
        f"{kind}_attention": [torch.from_numpy(layer.copy())[None] for layer in trace.attention[kind]]
        for kind in ("encoder", "decoder", "cross")
    }
    tokens = {"encoder_tokens": list(trace.source.pieces), "decoder_tokens": list(trace.target.read)}
    layers = {"include_layers": [LAYER]} if view == "head_view" else {}
    page = getattr(bertviz, view)(**attention, **tokens, **layers, html_action="return").data
    for name in SCRIPTS:
        page = re.sub(rf"https://[^'\"]*/{name}\.min", f"/{name}.min", page)
    if "https://cdn" in page:
        sys.exit("this version of BertViz takes more from its CDN than the three scripts served here")
    return f'<!DOCTYPE html><html><head><meta charset="utf-8"></head><body>{page}</body></html>'


@contextmanager
def served(folder: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """A benchmark prints its own lines."""

    handler = partial(Quiet, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def measure_bertviz(
    browser: Browser, url: str, folder: Path, view: str, trace: Trace, texts: Sequence[str]
) -> Measured:
    began = time.perf_counter()
    made = bertviz_page(view, trace)
    prepared = (time.perf_counter() - began) * 1e3
    (folder / "page.html").write_text(made, "utf-8")
    _, heads, queries, keys = trace.attention["encoder"].shape
    shown = heads * (1 if view == "head_view" else len(trace.attention["encoder"])) * queries * keys
    drawn, hovers, everything = [], [], 0
    for _ in texts[1:]:
        page, received = new_page(browser, WAIT_FOR_LINES % shown)
        page.set_default_timeout(PATIENCE * 1e3)
        try:
            page.goto(f"{url}/page.html", wait_until="commit")
            page.wait_for_function("window.painted", polling=50)
            drawn.append(page.evaluate("window.painted"))
            everything = received.http
            if view == "model_view":  # words can be pointed at once a head was opened
                page.mouse.click(*middle(page.locator("#attn_background_0_0")))
                hovers.append(hover_time(page, page.locator("text.token")))
            else:
                hovers.append(hover_time(page, page.locator("#left text")))
        except BrowserError as error:
            _only_too_slow(error)
            break
        finally:
            page.context.close()
    return Measured(len(made.encode()), everything, prepared, drawn=best(drawn), hover=best(hovers))


# Headlight


def measure_headlight(
    browser: Browser, url: str, translator: Translator, view: str, trace: Trace, texts: Sequence[str]
) -> Measured:
    """Two visitors: for the first, sentences are new; for the second, the model has run already.

    What one visitor was sent before is not sent again, so no visitor sees a sentence twice.
    """
    painted, pointed_at, ready = HEADLIGHT[view]
    heads = ",".join(map(str, range(trace.attention["encoder"].shape[1])))
    link = {"kind": "encoder", "layer": str(LAYER), "head": heads}
    if view == "all_heads":
        link["page"] = "all_heads"

    def drawn(page: Page, text: str, since: str) -> float:
        words = [readable(piece, translate("en")) for piece in translator.read(text).pieces]
        return paint_after(page, since, PATIENCE, ready.format(words=json.dumps(words), since=since))

    def enter(page: Page, text: str) -> float:
        press_enter(page, text)
        return drawn(page, text, "began.keydown")

    @contextmanager
    def visit(text: str) -> Iterator[tuple[Page, Received]]:
        page, received = new_page(browser, watching(painted) + SAME_WORDS)
        page.set_default_timeout(PATIENCE * 1e3)
        try:
            page.goto(f"{url}/?{urlencode(link | {'s': text})}", wait_until="commit")
            drawn(page, text, "0")
            yield page, received
        finally:
            page.context.close()

    try:
        with visit(texts[0]) as (page, received):
            with_libraries = received.http + received.frames
            translated = [enter(page, text) for text in texts[1:]]
        with visit(WELCOME) as (page, received):
            before = received.frames
            times = [enter(page, texts[0])]
            payload = received.frames - before
            hovers = [hover_time(page, page.locator(pointed_at))]
            for text in texts[1:]:
                times.append(enter(page, text))
                hovers.append(hover_time(page, page.locator(pointed_at)))
    except BrowserError as error:
        _only_too_slow(error)
        return Measured(0, 0)
    return Measured(payload, with_libraries, drawn=min(times), translated=min(translated), hover=min(hovers))


# Both


def hover_time(page: Page, places: Locator) -> float:
    """Milliseconds from moving the mouse to the paint that follows: the median of several places."""
    places.first.wait_for()
    places.first.scroll_into_view_if_needed()
    times = []
    for place in range(HOVERS + 1):
        known = page.evaluate("window.answers.length")
        page.mouse.move(*middle(places.nth(place)))
        page.wait_for_function(f"window.answers.length > {known}", polling=20)
        times.append(page.evaluate(f"window.answers[{known}]"))
    return statistics.median(times[1:])  # the first also brings the mouse into the window


def _only_too_slow(error: BrowserError) -> None:
    """A page that takes too long or too much memory has failed; any other error is ours."""
    if not isinstance(error, TooSlow) and "crashed" not in error.message:
        raise error


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    # Of something larger than the screen, a point that is on it.
    return box["x"] + box["width"] / 2, box["y"] + min(box["height"] / 2, 40)


def best(values: Sequence[float]) -> float | None:
    """On a noisy machine the best round says most about the work itself."""
    return min(values, default=None)


def row(view: str, pieces: int, found: Measured) -> str:
    def written(value: float | None) -> str:
        return f"{'–':>10}" if value is None else f"{value:10,.0f}"

    sizes = f"{found.payload / 1e3:14,.0f} {found.with_libraries / 1e3:10,.0f}"
    times = " ".join(map(written, (found.prepared, found.drawn, found.translated, found.hover)))
    return f"{view:20} {pieces:6} {sizes} {times}   {'usable' if found.usable else 'not usable'}"


def prepare(scripts: Path | None, folder: Path) -> None:
    try:
        import bertviz  # noqa: F401
    except ImportError:
        sys.exit(NEEDED)
    for name in SCRIPTS:
        script = scripts and scripts / f"{name}.min.js"
        if not script or not script.is_file():
            sys.exit(NEEDED)
        (folder / script.name).write_bytes(script.read_bytes())


def compare(translator: Translator, views: dict[str, Measure], lengths: Sequence[int], rounds: int) -> None:
    """`views` measure one run, given also as its sentence and as many others of the same length."""
    print("                                   payload +libraries   prepared      drawn translated      hover")
    print("view                 pieces             KB         KB         ms         ms         ms         ms")
    longest, failed = dict.fromkeys(views, 0), set()
    for length in lengths:
        texts = [sentence(translator, length, first) for first in range(rounds + 1)]
        trace = translator.trace(texts[0], keep=("attention", "mask"))
        pieces = len(trace.source.pieces)
        for name, measure in views.items():
            if name in failed:
                continue
            found = measure(trace, texts)
            print(row(name, pieces, found), flush=True)
            if found.usable:
                longest[name] = pieces
            else:
                failed.add(name)
    for name, pieces in longest.items():
        print(f"{name}: usable up to {pieces} pieces" + ("" if name in failed else ", the longest asked for"))


def main() -> None:
    described = {"description": __doc__, "formatter_class": argparse.RawDescriptionHelpFormatter}
    parser = argparse.ArgumentParser(**described)
    parser.add_argument("--scripts", type=Path, help="the folder with BertViz's three scripts")
    parser.add_argument("--checkpoint", default="en-fr")
    parser.add_argument("--pieces", type=int, nargs="+", default=[10, 20, 40, 80, 120])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=("bertviz", "headlight"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    translator = load(options.checkpoint)
    views: dict[str, Measure] = {}
    with ExitStack() as stack:
        browser = stack.enter_context(chromium())
        if options.only != "headlight":
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            prepare(options.scripts, folder)
            url = stack.enter_context(served(folder))
            for view in BERTVIZ:
                views[f"BertViz {view}"] = partial(measure_bertviz, browser, url, folder, view)
        if options.only != "bertviz":
            url = stack.enter_context(running(ROOT / "app.py"))
            for view in HEADLIGHT:
                views[f"Headlight {view}"] = partial(measure_headlight, browser, url, translator, view)
        compare(translator, views, options.pieces, options.rounds)


if __name__ == "__main__":
    main()
