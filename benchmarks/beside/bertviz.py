"""BertViz: the page it would put into a notebook, served and timed from the start of its navigation."""

import http.server
import re
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import torch
from playwright.sync_api import Browser
from playwright.sync_api import Error as BrowserError

from benchmarks.beside.measured import LAYER, PATIENCE, Measured, hover_time, middle, only_too_slow
from benchmarks.browser import new_page
from model import Trace
from model.network.kinds import KINDS

NEEDED = (
    "this needs BertViz (`pip install bertviz`) and, in the folder that --scripts names, "
    "require.min.js, d3.min.js and jquery.min.js"
)
SCRIPTS = ("require", "d3", "jquery")
BERTVIZ = ("head_view", "model_view")
# BertViz draws all lines in one go, so they are either all there or none.
WAIT_FOR_LINES = """
const lines = document.getElementsByTagName("line");
const look = () => {
  if (lines.length >= %d) afterPaint(now => { window.painted = now; });
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


def bertviz_page(view: str, trace: Trace) -> str:
    """What BertViz would put into a notebook, with its scripts taken from beside it."""
    import bertviz

    attention = {
        f"{kind}_attention": [torch.from_numpy(layer.copy())[None] for layer in trace.attention[kind]]
        for kind in KINDS
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
            only_too_slow(error)
            break
        finally:
            page.context.close()
    return Measured(len(made.encode()), everything, prepared, drawn=best(drawn), hover=best(hovers))


def best(values: Sequence[float]) -> float | None:
    """On a noisy machine the best round says most about the work itself."""
    return min(values, default=None)


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
