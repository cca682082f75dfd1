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
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import torch

from benchmarks.beside.bertviz import BERTVIZ, measure_bertviz, prepare, served
from benchmarks.beside.headlight import HEADLIGHT, measure_headlight
from benchmarks.beside.measured import Measured
from benchmarks.beside.texts import sentence
from benchmarks.browser import ROOT, chromium, running
from model import Trace, Translator, load

Measure = Callable[[Trace, Sequence[str]], Measured]


def row(view: str, pieces: int, found: Measured) -> str:
    def written(value: float | None) -> str:
        return f"{'–':>10}" if value is None else f"{value:10,.0f}"

    sizes = f"{found.payload / 1e3:14,.0f} {found.with_libraries / 1e3:10,.0f}"
    times = " ".join(map(written, (found.prepared, found.drawn, found.translated, found.hover)))
    return f"{view:20} {pieces:6} {sizes} {times}   {'usable' if found.usable else 'not usable'}"


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
