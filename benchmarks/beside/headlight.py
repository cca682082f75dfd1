"""Headlight: timed from Enter, for a sentence that is new and for one whose run is in the cache."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page
from playwright.sync_api import Error as BrowserError

from benchmarks.beside.measured import LAYER, PATIENCE, Measured, hover_time, only_too_slow
from benchmarks.browser import Received, new_page, paint_after, press_enter, watching
from model import Trace, Translator
from viz.figures.labels import readable
from viz.text import translate

WELCOME = "It is a fine day."
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
        only_too_slow(error)
        return Measured(0, 0)
    return Measured(payload, with_libraries, drawn=min(times), translated=min(translated), hover=min(hovers))
