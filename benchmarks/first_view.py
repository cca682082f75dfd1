"""From a link to the first picture, in Chromium: every page beside Look, in one run.

    python -m benchmarks.first_view [--rounds 7]

The browser is warm and the sentence has been run before, so what counts is each page's own work: its
numbers, its words, its drawings. They take turns; each time is from the navigation to the paint of the
page's main picture, by the page's own clock. Then what one step costs: another panel, by its key.
"""

import argparse
import statistics
from urllib.parse import urlencode

from benchmarks.browser import new_page
from benchmarks.enter_to_heatmap import SENTENCES
from benchmarks.measured import PATIENCE
from tests.helpers.paths import ROOT
from tests.helpers.server import chromium, running

PAGES = {  # the picture that a page opens with
    "look": "heatmap",
    "all_heads": "all_heads",
    "inside": "step_picture",
    "positions": "positions_vectors",
    "layers": "picture_added",
    "decoding": "decoding_next",
    "why": "picture_why_length",
    "experiment": "heatmap",
}
# Every view of ours counts its paintings; two animation frames later it is on screen.
PAINTED = """
window.paintings = key => {
  const inside = [...document.querySelectorAll(`.st-key-${key}, .st-key-${key} *`)];
  for (const element of inside)
    for (const view of element.shadowRoot?.querySelectorAll("[data-painted]") ?? [])
      return parseFloat(view.dataset.painted);
  return 0;
};
window.awaitPainting = (key, before) => {
  window.paintedAt = null;
  const look = () => {
    if (paintings(key) > before) afterPaint(time => { window.paintedAt = time; });
    else requestAnimationFrame(look);
  };
  look();
};
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    times = {name: [] for name in PAGES}
    with running(ROOT / "app.py") as url, chromium() as browser:
        page, _ = new_page(browser, PAINTED)
        page.set_default_timeout(PATIENCE * 1e3)
        for number in range(options.rounds + 1):
            text = SENTENCES[number % len(SENTENCES)]
            for name in ("look", *PAGES):  # the first visit runs the model and does not count
                page.goto(f"{url}/?{urlencode({'page': name, 's': text} if name != 'look' else {'s': text})}")
                page.evaluate(f"awaitPainting('{PAGES[name]}', 0)")
                page.wait_for_function("window.paintedAt", polling=20)
                times[name].append(page.evaluate("window.paintedAt"))
                page.wait_for_timeout(300)
            del times["look"][-1 if number else 0]
    kept = {name: each[1:] for name, each in times.items()}
    look = statistics.median(kept["look"])
    for name, each in kept.items():
        middle = statistics.median(each)
        print(f"{name:12} {middle:7.0f} ms   {middle / look:5.2f} × Look (budget 2)")


if __name__ == "__main__":
    main()
